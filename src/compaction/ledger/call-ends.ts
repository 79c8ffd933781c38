import { interruptedResultText, resultsByCall } from '../messages/exchange.ts';
import { isPrompt, type Message, textOf, type ToolCall, typedText } from '../messages/message.ts';
import { remembered, rememberedList } from '../messages/remembered.ts';
import type { ToldEnd } from '../messages/ledger.ts';
import { factsOfCall } from './call-facts.ts';
import { exitStatusIn } from './result-facts.ts';

/** The end of a call. `pending`: there is no result, and nothing was said since. */
export type CallEnd = ToldEnd | 'ran' | 'failed' | 'pending';

/** A call with its end. */
export interface EndedCall {
  readonly end: CallEnd;
  /** Undefined if there is none. */
  readonly result: Message | undefined;
  /** Exit status of a command, if it is known. */
  readonly status: number | undefined;
}

/**
 * Tells how calls ended: from what the agent wrote down of their results, and from results that are not there. This is
 * the only place that decides it.
 *
 * @param messages with the results of their calls
 */
export const callEnds: (messages: readonly Message[]) => ReadonlyMap<ToolCall, EndedCall> = rememberedList(
  (messages) => {
    const results = resultsByCall(messages);
    const wentOn = messages.findLastIndex(goesOn);
    const ends = new Map<ToolCall, EndedCall>();
    for (const [index, { tool_calls: calls = [], hidesResults }] of messages.entries()) {
      const missing = hidesResults === true ? 'ran' : index < wentOn ? 'unanswered' : 'pending';
      for (const call of calls) {
        const result = results.get(call);
        if (result === undefined) {
          ends.set(call, { end: missing, result, status: undefined });
        } else {
          // The text of a file that was read may speak of an exit status, too.
          const isCommand = factsOfCall(call).commands.length > 0;
          const status = isCommand ? statusOf(result) : result.outcome?.status;
          ends.set(call, { end: endOf(result, status), result, status });
        }
      }
    }
    return ends;
  },
);

/** Opens what Claude Code and Codex say in the user's name after the user stopped them. */
const interruption = /^\s*(?:\[Request interrupted by user|<turn_aborted>)/u;

/** True for a message after which no result comes. What a program adds meanwhile is none. */
function goesOn(message: Message): boolean {
  if (message.role === 'assistant' || isPrompt(message)) return true;
  return message.role === 'user' && interruption.test(textOf(message.content));
}

/** True for a call that did something, or may have done a part of it. */
export function hasBegun(end: CallEnd): end is 'ran' | 'failed' | 'cancelled' | 'running' {
  return end === 'ran' || end === 'failed' || end === 'cancelled' || end === 'running';
}

/** The end that a result tells of by itself, whatever it is a result of. */
export function endOfResult(result: Message): CallEnd {
  return endOf(result, result.outcome?.status);
}

function endOf({ outcome, isError, origin, content }: Message, status: number | undefined): CallEnd {
  if (outcome?.end !== undefined) return outcome.end;
  if (outcome?.isDeclined === true) return 'refused';
  if (origin === 'harness' && content === interruptedResultText) return 'unanswered';
  return isError === true || (status !== undefined && status !== 0) ? 'failed' : 'ran';
}

const statusOf = remembered(
  (result: Message): number | undefined => result.outcome?.status ?? exitStatusIn(typedText(result)),
);
