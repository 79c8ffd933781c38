import { tailByTurns } from './tail.ts';
import type { Phrase } from '../../records/record.ts';
import { strategySentences } from '../../../language/english/strategies-english.ts';
import { blocksOf } from '../../messages/exchange.ts';
import { isBlank, isPrompt, kindOf, type Message } from '../../messages/message.ts';
import { isCut } from '../../text/placeholder.ts';
import { removableMessages } from '../../messages/protection.ts';
import type { UsageMeter } from '../../tokens/usage.ts';
import type { StrategyInput } from '../contract/strategy.ts';
import { clipCallArguments } from './argument-clips.ts';
import { type ClipSizes, clipTexts } from './message-clips.ts';
import type { WorkingView } from '../contract/working-view.ts';

/** Number of turns after which a failed call is dropped (comate_agent_sdk, `error_item_max_turns`). */
const turnsWithErrors = 10;

type RuleKind = keyof typeof reasons;

interface Rule {
  readonly kind: RuleKind;
  readonly action: 'clip' | 'drop' | 'never';
  /** Number of the newest messages of the kind that stay; for tool results, number of exchanges. */
  readonly keep: number;
  readonly priority: number;
}

interface RuleOptions {
  readonly rules: readonly Rule[];
  readonly keepRecentExchanges: number;
  readonly protectRounds: number;
  readonly clipArguments: ClipSizes;
  readonly clipResults: ClipSizes;
}

const reasons = {
  toolResult: { drop: strategySentences.say('oldExchange'), clip: strategySentences.say('longToolResult') },
  reminder: { drop: strategySentences.say('oldReminder'), clip: strategySentences.say('longReminder') },
  skill: { drop: strategySentences.say('skillText'), clip: strategySentences.say('longSkillText') },
  file: { drop: strategySentences.say('returnedFile'), clip: strategySentences.say('longReturnedFile') },
  skillMetadata: { drop: strategySentences.say('skillList'), clip: strategySentences.say('longSkillList') },
  assistant: { drop: strategySentences.say('oldReply'), clip: strategySentences.say('longReply') },
  user: { drop: strategySentences.say('oldRequest'), clip: strategySentences.say('longRequest') },
  summary: { drop: strategySentences.say('oldSummary'), clip: strategySentences.say('longSummary') },
} as const;

export interface RuleWork {
  readonly options: RuleOptions;
  readonly working: WorkingView;
  readonly meter: UsageMeter;
  readonly target: number;
  /** Messages that stay unchanged: protected messages, and the reasoning of an open tool loop. */
  readonly stays: ReadonlySet<string>;
  readonly shortened: ReadonlySet<string>;
}

export function ruleWorkOf(
  { view, protectedIds, options }: StrategyInput<RuleOptions>,
  working: WorkingView,
  target: number,
  meter: UsageMeter,
): RuleWork {
  return {
    options,
    working,
    meter,
    target,
    stays: new Set([...protectedIds, ...openLoopReasoning(view)]),
    shortened: new Set(view.filter(isCut).map(({ id }) => id)),
  };
}

export async function applyRules(work: RuleWork): Promise<void> {
  await dropStaleErrors(work);
  for (const rule of work.options.rules.toSorted((one, other) => one.priority - other.priority)) {
    if (work.working.tokens <= work.target) return;
    if (rule.action === 'never') continue;
    if (rule.kind === 'toolResult') await shortenExchanges(rule, work);
    else await shortenTexts(rule, work);
  }
}

/** Drops old exchanges in which every call failed. Exchanges with a successful call stay. */
async function dropStaleErrors(work: RuleWork): Promise<void> {
  const view = work.working.messages;
  const old = view.slice(0, tailByTurns(view, turnsWithErrors));
  const failed = exchangesOf(old, work).filter((exchange) =>
    exchange.slice(1).every((result) => result.isError === true),
  );
  await dropOldest(failed, strategySentences.say('failedLongAgo'), work);
}

async function shortenExchanges({ action, keep }: Rule, work: RuleWork): Promise<void> {
  const { options, working, meter, target } = work;
  const blocks = blocksOf(working.messages).filter((block) => block.isExchange);
  const kept = Math.max(keep, options.keepRecentExchanges);
  const end = kept === 0 ? working.messages.length : (blocks[blocks.length - kept]?.start ?? 0);
  await dropOldest(exchangesOf(working.messages.slice(0, end), work), reasons.toolResult.drop, work);
  if (action === 'drop') return;
  const messages = blocksOf(working.messages)
    .filter((block) => block.isExchange)
    .flatMap(({ start, end: behind }) => working.messages.slice(start, behind))
    .filter((message) => mayBeClipped(message, work));
  const callers = messages.filter((message) => message.role === 'assistant');
  const results = messages.filter((message) => message.role === 'tool');
  await working.rewrite(
    await clipCallArguments(callers, options.clipArguments, strategySentences.say('longArguments'), meter),
    target,
  );
  if (working.tokens <= target) return;
  await working.rewrite(
    await clipTexts(results, options.clipResults, reasons.toolResult.clip, meter),
    target,
  );
}

async function shortenTexts({ kind, action, keep }: Rule, work: RuleWork): Promise<void> {
  const { options, working, meter, target } = work;
  const isConversation = kind === 'assistant' || kind === 'user';
  const rounds = isConversation ? options.protectRounds : 0;
  const view = working.messages;
  const found = view
    .slice(0, tailByTurns(view, rounds))
    .filter((message) => kindOf(message) === kind && !isBlank(message.content));
  const older = found.slice(0, Math.max(0, found.length - keep));
  if (action === 'drop') {
    const single = older.filter(({ id, tool_calls: calls }) => calls === undefined && !work.stays.has(id));
    await dropOldest(
      single.map((message) => [message]),
      reasons[kind].drop,
      work,
    );
    return;
  }
  const clippable = older.filter((message) => mayBeClipped(message, work));
  await working.rewrite(await clipTexts(clippable, options.clipResults, reasons[kind].clip, meter), target);
}

function exchangesOf(view: readonly Message[], { stays }: RuleWork): readonly (readonly Message[])[] {
  const removable = removableMessages(view, stays);
  return blocksOf(removable)
    .filter((block) => block.isExchange)
    .map(({ start, end }) => removable.slice(start, end));
}

async function dropOldest(
  blocks: readonly (readonly Message[])[],
  reason: Phrase,
  { working, target }: RuleWork,
): Promise<void> {
  const sizes = await working.sizes();
  const leaving: string[] = [];
  let size = working.tokens;
  for (const block of blocks) {
    if (size <= target) break;
    for (const { id } of block) {
      leaving.push(id);
      size -= sizes.get(id) ?? 0;
    }
  }
  await working.drop(leaving, reason);
}

function mayBeClipped({ id }: Message, { stays, shortened }: RuleWork): boolean {
  return !stays.has(id) && !shortened.has(id);
}

/** Finds messages whose reasoning a provider may require again: calls after the last answer or request. */
export function openLoopReasoning(view: readonly Message[]): ReadonlySet<string> {
  const ids = new Set<string>();
  for (const { start, isExchange } of blocksOf(view).toReversed()) {
    const message = view[start];
    if (message === undefined || isPrompt(message)) break;
    if (message.role === 'assistant' && !isExchange) break;
    const reasons = message.reasoning !== undefined || message.reasoningItems !== undefined;
    if (isExchange && reasons) ids.add(message.id);
  }
  return ids;
}
