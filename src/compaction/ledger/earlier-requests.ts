import { type EarlierRequest, textOfFact } from '../messages/ledger.ts';
import { isTyped, type Message, textOf } from '../messages/message.ts';
import { rememberedList } from '../messages/remembered.ts';
import { ownWords } from '../messages/typed-parts.ts';
import type { CheckState } from '../messages/where-it-stands.ts';
import type { Mark } from '../quoting/mark.ts';
import { cleanText, inQuotes } from '../quoting/quoted.ts';
import { ellipsised } from '../text/clip.ts';
import { factText, longestFact } from './call-facts.ts';
import { workFacts } from './work-facts.ts';
import { workState } from './work-state.ts';

/** Lines that agents write for pictures in place of a text. */
const picture = /^\[image\b[^\]\n]*\]$/gimu;
/** Words that only let the work before them go on. */
const assents: ReadonlySet<string> = new Set(
  'ok okay yes yep yeah y no n sure thanks thank you please go on ahead continue proceed done next 好 好的 继续 可以 是 是的 谢谢 ja nein weiter danke bitte'.split(
    ' ',
  ),
);

/**
 * A typed text as a request that can be understood later: without the lines for pictures. Empty for a command to the
 * program, such as `/undo`, and for mere assent.
 */
export function requestIn(typed: string): string {
  const text = factText(typed.replace(picture, ''));
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return /^\/[\w:-]+$/u.test(text) || words.every((word) => assents.has(word)) ? '' : text;
}

/** A request with all that followed it, up to the next one. */
interface RequestTurn extends EarlierRequest {
  /** The typed message, or the summary that carries the request. */
  readonly id: string;
  readonly isCarried: boolean;
  /** Ids of the replies. */
  readonly replies: readonly string[];
}

/** A request that a summary has a line for. */
export interface AnsweredRequest extends EarlierRequest {
  /** The message itself stays in the view, without what came of it. */
  readonly isBeside?: true;
}

/**
 * The requests of the user that a summary has to answer for, oldest first, each once: those that leave, those that left
 * before and that no summary beside it names, and those that stay although all that came of them is gone. The newest
 * request is left out as long as it stays.
 *
 * @param history everything that was said, or as much of it as is known
 * @param staying the rest of the view; undefined for a summary of a part, which answers for what leaves
 */
export function earlierRequests(
  history: readonly Message[],
  leaving: readonly Message[],
  staying: readonly Message[] | undefined,
): readonly AnsweredRequest[] {
  const gone = new Set(leaving.map(({ id }) => id));
  const kept = new Set(staying?.map(({ id }) => id));
  const named = new Set(
    staying?.flatMap(({ kind, carried }) => (kind === 'summary' ? (carried?.ledger?.requests ?? []) : [])),
  );
  const turns = requestTurns(history);
  const wanted = turns.filter((turn, index) => {
    const { id, text, isCarried, replies } = turn;
    if (gone.has(id)) return true;
    if (staying === undefined || isCarried) return false;
    if (!kept.has(id)) return !named.has(text);
    return index < turns.length - 1 && replies.length > 0 && !replies.some((reply) => kept.has(reply));
  });
  const beside = new Set(turns.filter(({ id }) => kept.has(id)).map(({ text }) => text));
  const requests = new Map<string, AnsweredRequest>();
  for (const { text, end, work, reply } of wanted) {
    const known = requests.get(text);
    requests.delete(text);
    // What is known of a request may be in the summary that carries it alone.
    const isKnown = end !== 'open' || work.length > 0 || known === undefined;
    const told = isKnown ? { text, end, work, ...(reply !== undefined && { reply }) } : known;
    requests.set(text, {
      ...told,
      ...(beside.has(text) && { isBeside: true as const }),
    });
  }
  return [...requests.values()];
}

const requestTurns: (history: readonly Message[]) => readonly RequestTurn[] = rememberedList((history) => {
  const turns: RequestTurn[] = [];
  let turn: Message[] = [];
  const close = () => {
    const [first, ...rest] = turn;
    if (first !== undefined) turns.push(turnOf(first, rest));
    turn = [];
  };
  for (const message of history) {
    const carried = message.kind === 'summary' ? message.carried?.requests : undefined;
    if (carried !== undefined) {
      const { id } = message;
      turns.push(...carried.map((request) => ({ ...request, id, isCarried: true, replies: [] })));
    }
    const isRequest = isTyped(message) && requestIn(ownWords(message)) !== '';
    if (isRequest) close();
    if (isRequest || turn.length > 0) turn.push(message);
  }
  close();
  return turns;
});

function turnOf(asked: Message, rest: readonly Message[]): RequestTurn {
  const all = [asked, ...rest];
  const { request, checks, repository } = workState(all);
  const { filesModified } = workFacts(all);
  const commit = repository?.commit;
  const work = [
    ...(filesModified.length === 0 ? [] : [`edited ${listed(filesModified.map(textOfFact))}`]),
    ...checks.slice(-mostChecks).map(checkWords),
    ...(commit === undefined ? [] : [`committed ${commit.hash} ${inQuotes(commit.subject ?? '')}`.trim()]),
  ];
  const reply = rest
    .filter(
      ({ role, kind, tool_calls: calls }) =>
        role === 'assistant' && kind === undefined && calls === undefined,
    )
    .map(({ content }) => firstSentence(textOf(content)))
    .findLast((sentence) => sentence !== '');
  return {
    text: requestIn(ownWords(asked)),
    id: asked.id,
    isCarried: false,
    end: request?.end ?? 'open',
    work,
    ...(reply !== undefined && { reply }),
    replies: rest.filter(({ role }) => role === 'assistant').map(({ id }) => id),
  };
}

/** Files and checks that a line names. */
const mostFiles = 4;
const mostChecks = 2;

function listed(paths: readonly string[]): string {
  const newest = paths.slice(-mostFiles).map((path) => path.split('/').slice(-2).join('/'));
  return paths.length > mostFiles
    ? `${newest.join(', ')} and ${paths.length - mostFiles} more`
    : newest.join(', ');
}

const resultWords: Readonly<Record<CheckState['result'], string>> = {
  passed: 'passed',
  failed: 'failed',
  unknown: 'ran',
  cancelled: 'was cancelled',
  running: 'was still running',
};

function checkWords({ command, result }: CheckState): string {
  return `${ellipsised(command, longestCommand)} ${resultWords[result]}`;
}

/** Longest command and reply in a line, in characters. */
const longestCommand = 60;
const longestReply = 160;
/** A shorter sentence, in characters, says no more than "Done." does; a letter of a script without spaces says more. */
const shortestSentence = 20;
const shortestUnspaced = 8;

/** The first sentence of a reply that says something; empty if it has no prose. */
function firstSentence(text: string): string {
  const lines = text.replace(codeBlock, '\n').split('\n');
  const sentences = lines
    .filter((line) => !/^\s*(?:#|\|)/u.test(line))
    .flatMap((line) => {
      const prose = line.replace(/^[\s>#*•|-]+|^\s*\d{1,3}[.)]\s/u, '').replace(/\*\*|__/gu, '');
      return prose.split(/(?<=[.!?])\s+|(?<=[。！？])/u).map((sentence) => sentence.trim());
    });
  const isTelling = (sentence: string) =>
    sentence.length >= (/[\u2e80-\uffff]/u.test(sentence) ? shortestUnspaced : shortestSentence) &&
    /\p{L}/u.test(sentence) &&
    !/[:：]$/u.test(sentence);
  return ellipsised(factText(sentences.find(isTelling) ?? ''), longestReply);
}

const codeBlock = /```[^]*?(?:```|$)/gu;

/** Words of a request that stays, by which it is found. */
const longestBeginning = 60;

const endWords: Readonly<Record<EarlierRequest['end'], string>> = {
  open: 'no reply of its own',
  answered: 'answered',
  interrupted: 'interrupted by the user',
  refused: 'the user refused a call',
};

/** A request and what came of it, on one line. The words of the user and of the model are in quotes. */
export function requestLine({ text, end, work, reply, isBeside }: AnsweredRequest, mark: Mark): string {
  const asked =
    isBeside === true
      ? `The request above that begins ${inQuotes(ellipsised(text, longestBeginning), mark)}`
      : inQuotes(text.length >= longestFact - 1 ? `${text}…` : text, mark);
  const done = work.map((entry) => cleanText(entry, mark));
  // What was done says more than how a reply begins.
  if (done.length === 0 && reply !== undefined) done.push(`the assistant: ${inQuotes(reply, mark)}`);
  const isPlain = end === 'answered' || end === 'open';
  const outcome = isPlain && done.length > 0 ? done : [endWords[end], ...done];
  return `${asked} → ${outcome.join('; ')}`;
}
