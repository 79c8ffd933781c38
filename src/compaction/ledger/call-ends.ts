import { interruptedResultText, resultsByCall } from '../messages/exchange.ts';
import { isPrompt, type Message, textOf, type ToolCall, typedText } from '../messages/message.ts';
import { memoisedByList } from '../messages/memoise.ts';
import type { ReportedEnd } from '../messages/ledger.ts';
import { factsOfCall } from './call-facts.ts';
import { exitStatusIn } from './result-facts.ts';

/** The end of a call. `pending`: the call has no result yet, and no message follows the call. */
export type CallEnd = ReportedEnd | 'ran' | 'failed' | 'pending';

/** A call with its end. */
export interface EndedCall {
  readonly call: ToolCall;
  readonly end: CallEnd;
  /** Undefined if the call has no result. */
  readonly result: Message | undefined;
  /** Exit status of a command, if known. */
  readonly status: number | undefined;
}

/**
 * Determines how calls ended, from their results or the lack of results. No other code decides this.
 *
 * @param messages the messages, including the results of their calls
 */
export const callEnds: (messages: readonly Message[]) => ReadonlyMap<ToolCall, EndedCall> = memoisedByList(
  (messages) => {
    const results = resultsByCall(messages);
    const wentOn = messages.findLastIndex(goesOn);
    const ends = new Map<ToolCall, EndedCall>();
    for (const [index, { tool_calls: calls = [], hidesResults }] of messages.entries()) {
      const missing = hidesResults === true ? 'ran' : index < wentOn ? 'unanswered' : 'pending';
      for (const call of calls) ends.set(call, endedCall(call, results.get(call), missing));
    }
    return ends;
  },
);

/**
 * Ends by result, or by call for calls without one, so that what follows from an end can be cached for it. A result
 * belongs to one call, and a call keeps its result.
 */
const known = new WeakMap<Message | ToolCall, EndedCall>();

/** @param missing the end of a call without a result */
function endedCall(call: ToolCall, result: Message | undefined, missing: CallEnd): EndedCall {
  const found = known.get(result ?? call);
  if (found?.call === call && (result !== undefined || found.end === missing)) return found;
  // A file that was read may also mention an exit status.
  const isCommand = result !== undefined && factsOfCall(call).commands.length > 0;
  const status = result?.outcome?.status ?? (isCommand ? exitStatusIn(typedText(result)) : undefined);
  const end = result === undefined ? missing : endOf(result, status);
  const ended = { call, end, result, status };
  known.set(result ?? call, ended);
  return ended;
}

/** Opening of the user message that Claude Code and Codex write after the user stopped them. */
const interruption = /^\s*(?:\[Request interrupted by user|<turn_aborted>)/u;

/** True for a message after which no result can follow. Messages that a program adds during a call do not count. */
function goesOn(message: Message): boolean {
  return message.role === 'assistant' || isPrompt(message) || tellsInterruption(message);
}

/** True for a message in which an agent records that the user stopped it. */
export function tellsInterruption({ role, content }: Message): boolean {
  return role === 'user' && interruption.test(textOf(content));
}

/** True for a call that ran, or may have run in part. */
export function hasBegun(end: CallEnd): end is 'ran' | 'failed' | 'cancelled' | 'running' {
  return end === 'ran' || end === 'failed' || end === 'cancelled' || end === 'running';
}

/** Returns the end that a result states, for any kind of call. */
export function endOfResult(result: Message): CallEnd {
  return endOf(result, result.outcome?.status);
}

function endOf({ outcome, isError, origin, content }: Message, status: number | undefined): CallEnd {
  if (outcome?.end !== undefined) return outcome.end;
  if (outcome?.isDeclined === true) return 'refused';
  if (origin === 'harness' && content === interruptedResultText) return 'unanswered';
  return isError === true || (status !== undefined && status !== 0) ? 'failed' : 'ran';
}
