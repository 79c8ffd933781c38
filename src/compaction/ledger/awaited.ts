import { isRecord } from '../../language/is-record.ts';
import { isPrompt, type Message, textOf, type ToolCall, typedText } from '../messages/message.ts';
import { memoised } from '../messages/memoise.ts';
import type { Awaited } from '../messages/where-it-stands.ts';
import { parseShallow } from '../text/parse-json.ts';
import type { CallEnd, EndedCall } from './call-ends.ts';
import { factsOfCall, factText } from './call-facts.ts';
import { coversRun, folderAt, type NamedRun, sameRun } from './checks.ts';
import { linesOutsideFences } from './own-sentences.ts';
import { shellSteps } from './shell-steps.ts';

/** Tools that start a sub-agent. */
const subAgentTool =
  /^(?:task|agent|spawn_?agent|new_task|use_subagents?|run_?sub_?agents?|delegate(?:_to_agent)?|runSubagent|invoke_?agent|sub_?agents?)$/iu;
/** Tools that ask the user. */
const questionTool =
  /^(?:ask_?user_?question|ask_?followup_?question|ask_?user|request_?user_?input|question)$/iu;
/** Tools with which an agent reports that its work is done. */
const reportingTool = /^(?:finish|submit|attempt_?completion|complete_?task|task_?complete)$/iu;
const mostQuestions = 2;

/** True for a tool that starts a sub-agent and returns its report. */
export function startsAgent(tool: string): boolean {
  return subAgentTool.test(tool);
}

/** True for a call with which an agent ends its work. Such a call counts as a reply. */
export function reports(call: ToolCall): boolean {
  return (
    reportingTool.test(call.function.name) || /^submit(?: \S+)?$/u.test(factsOfCall(call).commands.join())
  );
}

/**
 * Finds what a session waits for at its end: results of its last calls, or answers to questions in its last reply.
 *
 * @returns undefined for a session without replies and prompts
 */
export function awaitedAtEnd(
  messages: readonly Message[],
  ends: ReadonlyMap<ToolCall, EndedCall>,
): readonly Awaited[] | undefined {
  const last = messages.findLast((message) => message.role === 'assistant' || isPrompt(message));
  if (last === undefined) return undefined;
  const calls = last.tool_calls ?? [];
  if (calls.length > 0) return calls.flatMap((call) => awaitedOf(call, ends.get(call)?.end) ?? []);
  if (last.role !== 'assistant') return [];
  return questionsIn(textOf(last.content)).map((text) => ({ what: 'answer', text }));
}

function awaitedOf(call: ToolCall, end: CallEnd | undefined): Awaited | undefined {
  if (reports(call)) return undefined;
  const what =
    end === 'refused'
      ? 'approval'
      : end !== 'pending'
        ? undefined
        : questionTool.test(call.function.name)
          ? 'answer'
          : startsAgent(call.function.name)
            ? 'sub-agent'
            : 'result';
  return what === undefined ? undefined : { what, text: nameOfCall(call), id: call.id };
}

/** Names a call in one line: its command, its file, or the tool. */
export function nameOfCall(call: ToolCall): string {
  const { commands, filesModified } = factsOfCall(call);
  const subject = commands[0] ?? filesModified[0];
  return subject === undefined ? call.function.name : factText(`${call.function.name}: ${subject}`);
}

/** True for a reply that ends with a question. */
export function asksUser(reply: Message): boolean {
  return questionsIn(textOf(reply.content)).length > 0;
}

/** Minimum number of words of an answer that is clear without its question. */
const fewWords = 4;

/** Returns the question that a short message answers: the last question of the reply before the message. */
export function questionFor(answer: string, reply: Message | undefined): string | undefined {
  const words = answer.match(/[\p{L}\p{N}]+/gu) ?? [];
  if (reply === undefined || words.length >= fewWords || /\p{Script=Han}/u.test(answer)) return undefined;
  return questionsIn(textOf(reply.content)).at(-1);
}

/**
 * Returns the awaited events after a call. Removes background commands that ended or were started again.
 *
 * @param asked the call that started the command, if this call only requests more output of a running command
 */
export function awaitedAfter(
  awaited: readonly Awaited[],
  { call, end, result }: EndedCall,
  asked: ToolCall | undefined,
): readonly Awaited[] {
  if (asked !== undefined) {
    const isOver = result !== undefined && startedSession(result) === undefined;
    return isOver ? awaited.filter(({ id }) => id !== asked.id) : awaited;
  }
  const left = awaited.filter(({ what, text }) => {
    if (what !== 'background') return true;
    const again = factsOfCall(call).commands.flatMap(runsOf);
    const started = runsOf(text.slice(text.indexOf(': ') + 2));
    return !started.every((earlier) => again.some((run) => coversRun(run, earlier)));
  });
  if (end !== 'running') return left;
  const what = startsAgent(call.function.name) ? 'sub-agent' : 'background';
  return [...left, { what, text: nameOfCall(call), id: call.id }];
}

function runsOf(script: string): readonly NamedRun[] {
  const steps = shellSteps(script) ?? [];
  const own = steps.flatMap(({ words, after }, index) =>
    after === '|' || words[0] === 'cd' ? [] : { key: sameRun(words), folder: folderAt(steps, index) },
  );
  return own.length > 0 ? own : [{ key: script, folder: undefined }];
}

/** Questions that only offer help. */
const offer =
  /\b(?:how|what) (?:can|may|could) I (?:help|assist|do for)\b|\banything else I can (?:help|assist|do)\b/iu;

/** Finds the questions in the last two paragraphs of a reply, outside code. */
function questionsIn(text: string): readonly string[] {
  const paragraphs = linesOutsideFences(text)
    .join('\n')
    .split(/\n[ \t]*\n/u)
    .filter((paragraph) => paragraph.trim() !== '');
  return paragraphs
    .slice(-2)
    .flatMap((paragraph) => paragraph.split(/\n|(?<=[.!?…])\s+|(?<=[。！？])/u))
    .map((sentence) => factText(sentence.replace(/^\s*(?:[-*•>]|\d{1,2}[.)])\s+/u, '')))
    .filter((sentence) => /[?？]["'”’»」)*_]{0,4}$/u.test(sentence) && !offer.test(sentence))
    .slice(-mostQuestions);
}

/** Line in which Codex reports that a command continues in a session. Later calls name the session's id. */

const started = /^Process running with session ID (\d{1,12})$/mu;
const exited = /^Process exited with code (-?\d{1,3})$/mu;
/** Maximum UTF-16 units at the start of a result that are searched for these lines. */
const searchedCharacters = 5_000;

/** Returns the id of the session in which a command continues; undefined if it ended. */
export const startedSession = memoised(
  (result: Message): string | undefined => started.exec(beginningOf(result))?.[1],
);

/** Returns the exit status of a command that ended in a session; undefined if the result names none. */
export const sessionStatus = memoised((result: Message): number | undefined => {
  const status = exited.exec(beginningOf(result))?.[1];
  return status === undefined ? undefined : Number(status);
});

/** Returns the id of the session from which a call requests more output. */
export const askedSession = memoised((call: ToolCall): string | undefined => {
  if (!call.function.arguments.includes('session_id')) return undefined;
  const input = parseShallow(call.function.arguments)?.value;
  const session = isRecord(input) ? input['session_id'] : undefined;
  return typeof session === 'number' || typeof session === 'string' ? String(session) : undefined;
});

function beginningOf(result: Message): string {
  return typedText(result).slice(0, searchedCharacters);
}
