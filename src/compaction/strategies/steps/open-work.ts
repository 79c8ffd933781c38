import { factsOfCall } from '../../ledger/call-facts.ts';
import { turnsOf } from '../../messages/exchange.ts';
import { isBlank, type Message } from '../../messages/message.ts';
import { stayingMessages } from '../../messages/protection.ts';
import type { UsageMeter } from '../../tokens/usage.ts';
import type { StrategyInput } from '../contract/strategy.ts';

/** Share of the target that the open work and the protected messages may take together. */
const openShare = 0.8;

/** A search term that is a name, not an expression or several words. */
const plainName = /^[\p{L}\p{N}_$.:-]{3,}$/u;

export function openWork(view: readonly Message[]) {
  const turns = turnsOf(view);
  let first = turns.length - 1;
  while (first > 0 && !isAnswer(view[turns[first]!.start - 1]!)) first--;
  const start = turns[first]?.start ?? view.length;
  const work = view.slice(start);
  const names = work
    .flatMap(({ tool_calls: calls = [] }) => calls.flatMap((call) => factsOfCall(call).searched))
    .filter((text) => plainName.test(text));
  return { start, hasResults: work.some(({ role }) => role === 'tool'), sought: [...new Set(names)] };
}

/** True for a model message without calls, or for a summary that may replace such a message. */
function isAnswer({ role, kind, content, tool_calls: calls = [] }: Message): boolean {
  return kind === 'summary' || (role === 'assistant' && calls.length === 0 && !isBlank(content));
}

export interface Staying {
  readonly ids: ReadonlySet<string>;
  readonly tokens: number;
}

/** Finds messages that stay: protected messages, and open work if a compaction is required and the target has room. */
export async function stayingWithOpenWork(
  input: Pick<
    StrategyInput<unknown>,
    'view' | 'protectedIds' | 'target' | 'tokens' | 'toolTokens' | 'trigger'
  >,
  meter: UsageMeter,
): Promise<Staying> {
  const { view, protectedIds, tokens, toolTokens, trigger } = input;
  const stayingBeside = async (ids: ReadonlySet<string>): Promise<Staying> => {
    const { total } = await meter.measure(stayingMessages(view, ids));
    return { ids, tokens: total };
  };
  const { target = Math.floor(tokens / 2) } = input;
  if (trigger.source !== 'savings' && tokens > target) {
    const work = view.slice(openWork(view).start).map(({ id }) => id);
    const staying = await stayingBeside(new Set([...protectedIds, ...work]));
    if (toolTokens + staying.tokens <= target * openShare) return staying;
  }
  return stayingBeside(protectedIds);
}
