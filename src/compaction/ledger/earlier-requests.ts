import type { EarlierRequest, FileFact } from '../messages/ledger.ts';
import { isTyped, type Message, textOf } from '../messages/message.ts';
import { memoisedByFirst, memoisedByList } from '../messages/memoise.ts';
import { ownWords } from '../messages/typed-parts.ts';
import { inQuotes } from '../quoting/quoted.ts';
import { ellipsised } from '../text/clip.ts';
import { questionFor } from './awaited.ts';
import { isAskingSentence, proseSentences, wordsAtEnds } from './own-sentences.ts';
import { isThrowAway } from './path-words.ts';
import { requestIn, typedWords } from './request-state.ts';
import { type RequestTurn, requestTurns } from './request-turns.ts';
import { undoneWork } from './undone-work.ts';
import { workState } from './work-state.ts';

function isSummary({ kind }: Message): boolean {
  return kind === 'summary';
}

/** A request that a summary may have to include. */
interface KnownRequest {
  readonly request: EarlierRequest;
  /** The text, with the number of earlier equal requests. */
  readonly key: string;
  /** Id of the typed message, or of the summary that carries the request. */
  readonly id: string;
  /** Ids of the replies to a typed message. */
  readonly replies?: readonly string[];
}

/** A request with a line in a summary. */
export interface AnsweredRequest extends EarlierRequest {
  /** True if the request itself stays in the view, but its outcome does not. */
  readonly isBeside?: true;
}

/**
 * Returns the user's requests that a summary has to include, oldest first, each once. These are removed
 * requests, earlier requests that no remaining summary names, and remaining requests whose whole outcome is
 * removed. The newest request is left out if it stays.
 *
 * @param history all known original messages
 * @param staying the rest of the view; undefined for a summary of a part, which names only removed requests
 */
export function earlierRequests(
  history: readonly Message[],
  leaving: readonly Message[],
  staying: readonly Message[] | undefined,
): readonly AnsweredRequest[] {
  const gone = new Set(leaving.map(({ id }) => id));
  const kept = new Set(staying?.map(({ id }) => id));
  const named = new Set(
    staying?.filter(isSummary).flatMap(({ carried: { requests, ledger } = {} }) => {
      return keysOf(requests?.map(({ text }) => text) ?? ledger?.requests);
    }),
  );
  const known = knownRequests(history);
  const newest = known.at(-1);
  const wanted = known.filter((one) => {
    const { id, key, replies } = one;
    if (gone.has(id)) return true;
    if (staying === undefined || replies === undefined) return false;
    if (!kept.has(id)) return !named.has(key);
    return one !== newest && replies.length > 0 && !replies.some((reply) => kept.has(reply));
  });
  const beside = new Set(known.filter(({ id }) => kept.has(id)).map(({ key }) => key));
  const requests = new Map<string, AnsweredRequest>();
  for (const { key, request } of wanted) {
    const before = requests.get(key);
    requests.delete(key);
    // The outcome may be known only from the summary that carries the request.
    const isKnown = request.end !== 'open' || request.work.length > 0 || before === undefined;
    requests.set(key, { ...(isKnown ? request : before), ...(beside.has(key) && { isBeside: true }) });
  }
  return [...requests.values()].filter((request) => !isSpent(request));
}

/** True for a single word or an unanswered question, if nothing was done for it. Such a request is of no use later. */
function isSpent({ text, end, work, reply, isBeside }: AnsweredRequest): boolean {
  if (work.length > 0 || reply !== undefined || isBeside === true || end === 'open') return false;
  const isOver = end === 'answered' || end === 'closed';
  return /^[a-z]+\W*$/iu.test(text) || (isOver && isAskingSentence(proseSentences(text)[0] ?? ''));
}

/** Adds to each text the number of its earlier occurrences, because equal requests have separate outcomes. */
function keysOf(texts: readonly string[] = [], asked = new Map<string, number>()): readonly string[] {
  return texts.map((text) => {
    const times = asked.get(text) ?? 0;
    asked.set(text, times + 1);
    return `${times} ${text}`;
  });
}

/** Finds typed requests and requests in summaries, in order. */
const knownRequests: (history: readonly Message[]) => readonly KnownRequest[] = memoisedByList((history) => {
  const typed = new Map<string, number>();
  const { commits } = undoneWork(history);
  return requestTurns(history).flatMap((turn) => {
    const { asked, rest } = turn;
    const carried = rest.filter(isSummary).flatMap(({ id, carried: { requests = [] } = {} }) => {
      const keys = keysOf(requests.map(({ text }) => text));
      return requests.map((request, index) => ({ request, key: keys[index]!, id }));
    });
    if (asked === undefined || !isTyped(asked)) return carried;
    const request = requestOf(asked, turn, commits);
    const replies = rest.filter(({ role }) => role === 'assistant').map(({ id }) => id);
    const [key = ''] = keysOf([request.text], typed);
    return [...carried, { request, key, id: asked.id, replies }];
  });
});

/** Returns the state at the end of a turn. Only the newest turn may become longer. */
const stateOfTurn = memoisedByFirst(workState);

function requestOf(
  asked: Message,
  { rest, before, sentence, changed, ...turn }: RequestTurn,
  goneCommits: ReadonlySet<string>,
): EarlierRequest {
  const { request, checks, repository } = stateOfTurn([
    asked,
    ...rest.filter((message) => !isTyped(message)),
  ]);
  const commit = repository?.commit;
  const files = changed.filter(({ path }) => !isThrowAway(path));
  const hasCommitted =
    commit !== undefined && !goneCommits.has(commit.hash) && rest.some((message) => tellsOf(message, commit));
  const isUndone = turn.isUndone || (turn.isDeleted && !hasCommitted);
  const [edited, deleted] = [false, true].map((isGone) =>
    files.filter((file) => (file.deleted === true) === isGone),
  );
  const deeds = [
    ...listed('edited', edited),
    ...listed('deleted', deleted),
    ...(hasCommitted ? [`committed ${commit.hash} ${inQuotes(commit.subject ?? '')}`.trim()] : []),
  ];
  // A check that failed before another check passed may describe an earlier state of the files.
  const passedAt = Math.max(...checks.map(({ result, at }) => (result === 'passed' ? at.calls : -1)));
  const results = checks
    .filter(({ result, at }) => result === 'passed' || (result === 'failed' && at.calls >= passedAt))
    .map(({ command, result }) => `${ellipsised(command, longestCommand)} ${result}`);
  // A list of actions says more than a sentence of the reply. Results of checks alone do not.
  const reply = deeds.length > 0 || request?.end === 'interrupted' ? undefined : sentence;
  const typed = typedWords(ownWords(asked));
  const text = requestIn(typed);
  const words = wordsAtEnds(typed);
  const question = questionFor(text, before);
  return {
    text,
    ...(words !== undefined && { words }),
    ...(question !== undefined && { question }),
    end: isUndone ? 'undone' : (request?.end ?? 'open'),
    work: isUndone || deeds.length === 0 ? [] : [...deeds, ...results.slice(-mostChecks)],
    ...(reply !== undefined && { reply }),
  };
}

/** True if git or Aider reports in the message that the commit was made. Merely showing it does not count. */
function tellsOf({ content }: Message, { hash }: { readonly hash: string }): boolean {
  return [`${hash}] `, `Commit ${hash} `].some((report) => textOf(content).includes(report));
}

/** Maximum number of files and checks in a line, and of characters in a command. */
const mostFiles = 4;
const mostChecks = 2;
const longestCommand = 60;

function listed(done: string, files: readonly FileFact[] = []): readonly string[] {
  if (files.length === 0) return [];
  const newest = files.slice(-mostFiles).map(({ path }) => path.split('/').slice(-2).join('/'));
  const more = files.length > mostFiles ? ` and ${files.length - mostFiles} more` : '';
  return [`${done} ${newest.join(', ')}${more}`];
}
