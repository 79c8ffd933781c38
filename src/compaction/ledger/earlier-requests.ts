import { type EarlierRequest, textOfFact } from '../messages/ledger.ts';
import { isTyped, type Message, textOf } from '../messages/message.ts';
import { rememberedList } from '../messages/remembered.ts';
import { ownWords } from '../messages/typed-parts.ts';
import type { CheckState } from '../messages/where-it-stands.ts';
import type { Mark } from '../quoting/mark.ts';
import { cleanText, inQuotes } from '../quoting/quoted.ts';
import { ellipsised } from '../text/clip.ts';
import { questionFor } from './awaited.ts';
import { factText, longestFact } from './call-facts.ts';
import { requestIn, wordsBeforePaste } from './own-sentences.ts';
import { workFacts } from './work-facts.ts';
import { answering } from './state-lines.ts';
import { workState } from './work-state.ts';

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
  for (const { id: _id, isCarried: _isCarried, replies: _replies, ...request } of wanted) {
    const { text, end, work } = request;
    const known = requests.get(text);
    requests.delete(text);
    // What is known of a request may be in the summary that carries it alone.
    const isKnown = end !== 'open' || work.length > 0 || known === undefined;
    const told = isKnown ? request : known;
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
  let reply: Message | undefined;
  let before: Message | undefined;
  const close = () => {
    const [first, ...rest] = turn;
    if (first !== undefined) turns.push(turnOf(first, rest, before));
    turn = [];
  };
  for (const message of history) {
    const carried = message.kind === 'summary' ? message.carried?.requests : undefined;
    if (carried !== undefined) {
      const { id } = message;
      turns.push(...carried.map((request) => ({ ...request, id, isCarried: true, replies: [] })));
    }
    const isRequest = isTyped(message) && requestIn(ownWords(message)) !== '';
    if (isRequest) {
      close();
      before = reply;
    }
    if (message.role === 'assistant') reply = message;
    else if (isTyped(message)) reply = undefined;
    if (isRequest || turn.length > 0) turn.push(message);
  }
  close();
  return turns;
});

function turnOf(asked: Message, rest: readonly Message[], before: Message | undefined): RequestTurn {
  const all = [asked, ...rest];
  const { request, checks, repository } = workState(all);
  const { filesModified } = workFacts(all);
  const commit = repository?.commit;
  const work = [
    ...(filesModified.length === 0 ? [] : [`edited ${listed(filesModified.map(textOfFact))}`]),
    ...checks.slice(-mostChecks).map(checkWords),
    ...(commit === undefined ? [] : [`committed ${commit.hash} ${inQuotes(commit.subject ?? '')}`.trim()]),
  ];
  const last = rest.findLast(
    ({ role, kind, tool_calls: calls }) => role === 'assistant' && kind === undefined && calls === undefined,
  );
  const reply = last && lastFinding(textOf(last.content));
  const typed = ownWords(asked);
  const text = requestIn(typed);
  const words = wordsBeforePaste(typed);
  const question = questionFor(text, before);
  return {
    text,
    ...(words !== undefined && { words }),
    ...(question !== undefined && { question }),
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

/** Longest command in a line, in characters. */
const longestCommand = 60;

const codeBlock = /```[^]*?(?:```|$)/gu;
/** Longest sentence that is told, in characters. */
const longestTold = 160;
/** A shorter sentence, in characters, says no more than "Done." does; a letter of a script without spaces says more. */
const shortestSentence = 20;
const shortestUnspaced = 8;

/** Forms of what is, was, was done, or was found. */
const finding =
  /\b(?:is|are|was|were|has|have|had|found|made|wrote|built|ran|works?|pass(?:es)?|fails?|[a-z]{3,}[^\We]ed|ist|sind|war|wurden?|habe|hat)\b|[已了是]|完成|修复|发现|通过/u;
/** Forms of what is still to come or not certain, and of what is said to the user. */
const announcement =
  /\b(?:let me|let['’]s|i['’]ll|i will|i['’]m going to|i need to|we need to|i['’]d|you|your|please|if|would|should|could|can|may|might|must|probably|likely|maybe)\b|让我|我来|我将|我会|接下来|请|你|您|如果/iu;

/** The last sentence of a reply that says what was done or found, shortened; undefined if none does for certain. */
export function lastFinding(reply: string): string | undefined {
  const sentences = reply
    .replace(codeBlock, '\n')
    .split('\n')
    .filter((line) => !/^\s*(?:[#|>]|\d{1,3}[.)]\s)/u.test(line))
    .flatMap((line) => {
      const prose = line.replace(/^[\s*•-]+/u, '').replace(/\*\*|__/gu, '');
      return prose.split(/(?<=[.!?])\s+|(?<=[。！？])/u).map((sentence) => sentence.trim());
    });
  const found = sentences.findLast(
    (sentence) =>
      /[.!。！]$/u.test(sentence) &&
      !sentence.endsWith('..') &&
      !/^(?:\p{Ll}|No response requested)/u.test(sentence) &&
      sentence.length >= (/[\u2e80-\uffff]/u.test(sentence) ? shortestUnspaced : shortestSentence) &&
      finding.test(sentence) &&
      !announcement.test(sentence),
  );
  return found && ellipsised(factText(found), longestTold);
}

/** Words of a request that stays, by which it is found. */
const longestBeginning = 60;

const endWords: Readonly<Record<EarlierRequest['end'], string>> = {
  open: 'no reply of its own',
  answered: 'answered',
  interrupted: 'interrupted by the user',
  refused: 'the user refused a call',
  closed: 'thanks or leave',
};

/** A request and what came of it, on one line. The words of the user and of the model are in quotes. */
export function requestLine(request: AnsweredRequest, mark: Mark): string {
  const { text, words, question, end, work, reply, isBeside } = request;
  const whole = words ?? (text.length >= longestFact - 1 ? `${text}…` : text);
  const asked =
    isBeside === true
      ? `The request above that begins ${inQuotes(ellipsised(text, longestBeginning), mark)}`
      : `${inQuotes(whole, mark)}${question === undefined ? '' : ` ${answering(question, mark)}`}`;
  const done = work.map((entry) => cleanText(entry, mark));
  // What was done says more than a sentence about it.
  if (done.length === 0 && reply !== undefined) done.push(`the assistant: ${inQuotes(reply, mark)}`);
  const isPlain = end === 'answered' || end === 'open';
  const outcome = isPlain && done.length > 0 ? done : [endWords[end], ...done];
  return `${asked} → ${outcome.join('; ')}`;
}
