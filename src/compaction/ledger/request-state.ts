import { isPrompt, isTask, type Message, textOf, type ToolCall } from '../messages/message.ts';
import { memoised } from '../messages/memoise.ts';
import { ownWords } from '../messages/typed-parts.ts';
import type { RequestState, WorkState } from '../messages/where-it-stands.ts';
import { headOf } from '../text/clip.ts';
import { asksUser, nameOfCall, questionFor, reports } from './awaited.ts';
import { type EndedCall, tellsInterruption } from './call-ends.ts';
import { factsOfCall, factText } from './call-facts.ts';
import { onlyLooks } from './looking-commands.ts';

/** Maximum length of a request, in characters. */
const longestText = 240;

/**
 * Returns the last request after one more message.
 *
 * @param state the state before the message
 * @param reply the assistant's newest message, if no prompt followed it
 * @param undone requests whose work is no longer valid
 */
export function requestAfter(
  state: WorkState,
  message: Message,
  ends: ReadonlyMap<ToolCall, EndedCall>,
  reply: Message | undefined,
  undone: ReadonlySet<Message>,
): RequestState | undefined {
  const { request } = state;
  if (isPrompt(message)) return requestOf(state, message, reply, undone.has(message));
  if (request === undefined || request.end === 'undone') return request;
  if (tellsInterruption(message)) return { ...request, end: 'interrupted' };
  if (message.role !== 'assistant' || message.kind !== undefined) return request;
  const calls = message.tool_calls ?? [];
  if (calls.length === 0 && request.end === 'closed') return request;
  const isFailed = state.checks.some(({ result, at }) => result === 'failed' && at.calls === state.calls);
  const end = endAfter(message, calls, ends, {
    ...request,
    hasFailed: isFailed || request.failed !== undefined,
  });
  return withFailed({ ...request, end }, calls, ends);
}

function requestOf(
  { request, calls, edits }: WorkState,
  message: Message,
  reply: Message | undefined,
  isUndone: boolean,
): RequestState | undefined {
  const text = headOf(factText(ownWords(message)), longestText);
  // A word like `/exit` is a command to the program.
  if (text === '' || /^\/[\w-]+$/u.test(text)) return request;
  const isClosing = closesWork(text) && !(reply !== undefined && asksUser(reply));
  if (isClosing && request !== undefined) return { ...request, end: 'closed' };
  const question = isTask(message) ? undefined : questionFor(text, reply);
  return {
    text,
    ...(question !== undefined && { question }),
    ...(isTask(message) && { isTask: true }),
    end: isUndone ? 'undone' : isClosing ? 'closed' : 'open',
    at: { calls, edits },
  };
}

function endAfter(
  message: Message,
  calls: readonly ToolCall[],
  ends: ReadonlyMap<ToolCall, EndedCall>,
  { end, hasFailed }: { readonly end: RequestState['end']; readonly hasFailed: boolean },
): RequestState['end'] {
  if (message.interrupted === true) return 'interrupted';
  if (calls.length > 0) {
    if (calls.some(reports)) return 'answered';
    return calls.some((call) => ends.get(call)?.end === 'refused') ? 'refused' : 'open';
  }
  const text = textOf(message.content).trimEnd();
  const breaksOff = hasFailed && /[\p{L}\p{N},]$/u.test(text);
  return breaksOff || announces(text) ? end : 'answered';
}

/** True for a reply that ends by announcing a next step, as agents do before a call. */
function announces(text: string): boolean {
  const last =
    text
      .slice(text.lastIndexOf('\n') + 1)
      .split(/(?<=[.!?])\s+/u)
      .at(-1) ?? '';
  return /[:：]\W{0,4}$/u.test(last) || /^(?:Now,? |First,? |Next,? )?[Ll]et me (?!know\b)/u.test(last);
}

/** Adds the newest call if it failed. Leaves out calls that only read, because they often fail to find anything. */
function withFailed(
  { failed, ...request }: RequestState,
  calls: readonly ToolCall[],
  ends: ReadonlyMap<ToolCall, EndedCall>,
): RequestState {
  const last = calls.at(-1);
  if (last === undefined) return { ...request, ...(failed !== undefined && { failed }) };
  const { commands } = factsOfCall(last);
  const isLook = () => commands.length > 0 && commands.every(onlyLooks);
  const hasFailed = ends.get(last)?.end === 'failed' && !isLook();
  return { ...request, ...(hasFailed && { failed: nameOfCall(last) }) };
}

/** Placeholders that agents write for pictures: a mark, or a file in a temporary folder. */
const picture =
  /^\[image\b[^\]\n]*\]$|^["']?(?:\/private)?\/(?:tmp|var\/folders)\/[^"'\n]*\.(?:png|jpe?g|gif|webp)\b["']?/gimu;
/** Commands of agents that change their own settings, memory or model. */
const housekeeping =
  /^\/(?:add|drop|read-only|(?:\w+-)?model|tokens|ls|map)(?: .*)?$|^\/(?:clear|reset|ask|code)\b[ \t]*/gimu;
/** Words that only let the current work continue, or request no work. */
const assents: ReadonlySet<string> = new Set(
  'ok okay yes yep yeah y no n sure thanks thank you please go on ahead continue proceed done next hello hi hey sorry great perfect cool nice awesome works 好 好的 继续 可以 是 是的 谢谢 ja nein weiter danke bitte'.split(
    ' ',
  ),
);

/** Word with which a simulated user ends a conversation (tau-bench). */
const stopWord = '###STOP###';
/** Words of thanks and goodbye. Messages with other words may ask for something. */
const closingWords: ReadonlySet<string> = new Set(
  `thanks thank thx you so very much a lot for your the all that this is it was great good nice perfect awesome
  excellent amazing wonderful cool help assistance ok okay works bye goodbye have day one day evening and then now`.split(
    /\s+/u,
  ),
);
const takesLeave = /\b(?:thanks?|thx|goodbye|bye)\b/iu;

/** True for text that only thanks or says goodbye. */
function closesWork(text: string): boolean {
  const words =
    text
      .replace(stopWord, ' ')
      .toLowerCase()
      .match(/[\p{L}\p{N}'’]+/gu) ?? [];
  if (text.includes(stopWord) && words.length === 0) return true;
  return (
    takesLeave.test(text) &&
    !/[?？]/u.test(text) &&
    words.every((word) => closingWords.has(word.replace(/['’]s$/u, '')))
  );
}

/** Removes pictures and commands to the agent from a typed text. */
export function typedWords(typed: string): string {
  return typed.replace(picture, '').replace(housekeeping, '').trim();
}

/**
 * Returns a typed text as a request without pictures. Empty for a command to the program such as `/undo`, and
 * for mere assent, thanks or a greeting.
 */
export function requestIn(typed: string): string {
  const text = factText(typedWords(typed));
  const half = text.slice(0, text.length / 2);
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  const isNone = /^\/[\w:-]+$/u.test(text) || closesWork(text) || words.every((word) => assents.has(word));
  // Aider's history repeats text typed with `/ask`.
  return isNone ? '' : text === `${half} ${half}` ? half : text;
}

/** True for a typed message that asks for something, as `requestIn` decides. */
export const isRequest = memoised((message: Message): boolean => requestIn(ownWords(message)) !== '');
