import { isTyped, type Message, textOf, type ToolCall, typedText } from '../messages/message.ts';
import { memoised, memoisedByList } from '../messages/memoise.ts';
import { ownWords } from '../messages/typed-parts.ts';
import { aiderReport } from './aider-reports.ts';
import { deedsOf, reportedDeeds } from './call-deeds.ts';
import { callEnds, type EndedCall, hasBegun } from './call-ends.ts';
import { factsOfCall } from './call-facts.ts';
import { commitLines, type GitReversal, gitSteps, reversalOf } from './git-steps.ts';
import { clausesOf, isAskingSentence, settlingSentences } from './own-sentences.ts';
import { isThrowAway } from './path-words.ts';
import { isRequest } from './request-state.ts';
import { createWorkLog, type LoggedCommit, type LoggedEdit, type WorkLog } from './work-log.ts';

/** Work that git, Aider's `/undo`, a reverse edit or the user undid. In doubt, work counts as valid. */
export interface UndoneWork {
  /** Paths of undone changes as written, for each call or report of Aider that made them. */
  readonly files: ReadonlyMap<ToolCall | Message, ReadonlySet<string>>;
  /** Hashes of commits that were removed, replaced or reverted. */
  readonly commits: ReadonlySet<string>;
  /** Typed requests whose work was completely undone, by the user or by the work for a later request. */
  readonly requests: ReadonlySet<Message>;
  /**
   * Replies written before their work was undone, and replies that the user contradicts. Their sentences are
   * no longer true, or never were.
   */
  readonly replies: ReadonlySet<Message>;
}

/** A typed request, with the work up to the next request. */
interface Turn {
  readonly start: number;
  readonly edits: LoggedEdit[];
  readonly commits: LoggedCommit[];
  /** Index of the message in which the user took the work back. */
  withdrawnAt?: number;
}

const wordsOf = memoised((message: Message) => {
  const sentences = settlingSentences(ownWords(message));
  return { undo: undoIn(sentences), isNo: no.test(sentences[0] ?? ''), isRequest: isRequest(message) };
});

/** Finds the undone work of a conversation. */
export const undoneWork: (messages: readonly Message[]) => UndoneWork = memoisedByList((messages) => {
  const ends = callEnds(messages);
  const log = createWorkLog();
  const turns: Turn[] = [];
  const replies = new Set<Message>();
  let reply: Message | undefined;
  for (const [at, message] of messages.entries()) {
    if (isTyped(message)) {
      const { undo, isNo, isRequest } = wordsOf(message);
      const turn = turns.at(-1);
      if (undo !== undefined && turn !== undefined && turn.edits.length > 0) turn.withdrawnAt = at;
      if (undo === 'done') for (const edit of turn?.edits ?? []) edit.undoneAt ??= at;
      if (isNo && reply !== undefined && !asks(reply)) replies.add(reply);
      if (isRequest) turns.push({ start: at, edits: [], commits: [] });
      reply = undefined;
    } else if (message.role === 'assistant') reply = message;
    const [edited, committed] = [log.edits.length, log.commits.length];
    for (const call of message.tool_calls ?? []) logCall(log, at, ends.get(call)!);
    logReport(log, at, message);
    turns.at(-1)?.edits.push(...log.edits.slice(edited));
    turns.at(-1)?.commits.push(...log.commits.slice(committed));
  }
  return undoneIn(messages, log, turns, replies);
});

function logReport(log: WorkLog, at: number, message: Message): void {
  const report = aiderReport(message);
  if (report === undefined) return;
  log.touch(at, message, reportedDeeds(message).files);
  // Aider commits the user's changes before its own.
  for (const [index, { hash }] of report.commits.entries())
    log.commit(at, message, hash, index === report.commits.length - 1);
  for (const hash of report.undone) log.removeCommit(at, hash);
}

function logCall(log: WorkLog, at: number, ended: EndedCall): void {
  const { call, end } = ended;
  if (!hasBegun(end)) return;
  log.touch(at, call, deedsOf(ended).files);
  for (const { effect, hash, folder } of gitEffects(ended)) log.git(at, call, effect, hash, folder);
}

/** An effect of git, with the hash of the commit that git reports, and the folder in which git ran. */
interface GitEffect {
  readonly effect: GitReversal;
  readonly hash: string | undefined;
  readonly folder: string | undefined;
}

const gitEffects = memoised(({ call, end, result, status }: EndedCall): readonly GitEffect[] => {
  const { commands, folder: named } = factsOfCall(call);
  const scripts = commands.filter((script) => script.includes('git'));
  if (scripts.length === 0) return [];
  const output = result === undefined ? '' : typedText(result);
  const steps = scripts.flatMap((script) => gitSteps({ script, folder: named, end, status, output }));
  return steps.flatMap((step): GitEffect | readonly [] => {
    const { folder } = step;
    const effect = reversalOf(step);
    if (effect === undefined || (folder !== undefined && isThrowAway(folder))) return [];
    const hash = commitLines(output).at(-1)?.[2];
    const isDone =
      hash !== undefined ||
      (step.isDone && status === 0) ||
      ((step.isDone || step.isFirst) && !gitFailure.test(output));
    return isDone ? { effect, hash, folder } : [];
  });
});

/** Lines in which git or the shell reports that a command had no effect. */
const gitFailure =
  /^(?:error|fatal|usage|hint|CONFLICT)\b|: No such file or directory|command not found|^no changes added|^nothing (?:added )?to commit/mu;

/** @param contradicted replies that the user contradicts; replies about undone work are added to them */
function undoneIn(
  messages: readonly Message[],
  log: WorkLog,
  turns: readonly Turn[],
  contradicted: ReadonlySet<Message>,
): UndoneWork {
  const files = new Map<ToolCall | Message, Set<string>>();
  for (const { by, path, undoneAt } of log.edits) {
    if (undoneAt !== undefined) files.set(by, (files.get(by) ?? new Set()).add(path));
  }
  const requests = new Set<Message>();
  const replies = new Set(contradicted);
  const dropReplies = (start: number, end: number): void => {
    for (const message of messages.slice(start, end)) if (message.role === 'assistant') replies.add(message);
  };
  for (const [index, { start, edits, commits, withdrawnAt }] of turns.entries()) {
    const end = turns[index + 1]?.start ?? messages.length;
    const over = withdrawnAt ?? takenBackAt(edits, commits);
    const last = Math.max(start, edits.at(-1)?.at ?? 0, commits.at(-1)?.at ?? 0);
    // A change that an agent reverts before the user's next message is ordinary work.
    if (over !== undefined && messages.slice(last + 1, over + 1).some(isTyped)) {
      requests.add(messages[start]!);
      dropReplies(start, end);
      continue;
    }
    // The work for one request may be in several commits.
    let from = start;
    for (const { at } of [...commits, { at: end - 1 }]) {
      const isInPart = (work: { readonly at: number }) => work.at >= from && work.at <= at;
      dropReplies(from, takenBackAt(edits.filter(isInPart), commits.filter(isInPart)) ?? from);
      from = at + 1;
    }
  }
  const gone = log.commits.filter(({ undoneAt }) => undoneAt !== undefined);
  const commits = new Set(gone.flatMap(({ hash }) => hash ?? []));
  return { files, commits, requests, replies };
}

/** Returns the index of the message that undid the last part of some work, if all parts were undone. */
function takenBackAt(edits: readonly LoggedEdit[], commits: readonly LoggedCommit[]): number | undefined {
  const changes = edits.filter(({ at, undoneAt }) => undoneAt !== at);
  const ends = (changes.length > 0 ? changes : commits).map(({ undoneAt }) => undoneAt);
  return ends.length === 0 || ends.includes(undefined) ? undefined : Math.max(...ends.map((at) => at ?? 0));
}

/** `done`: the user undid the earlier work. `asked`: the user asks the agent to undo it. */
type TypedUndo = 'done' | 'asked';

const work =
  '(?:that|this|it|everything|all (?:of )?(?:that|this)|(?:all )?(?:of )?(?:your|these|those|that|this|the) (?:last |latest |previous )?(?:changes?|edits?|commits?|fix|patch))';
const end = '(?: please| again| now)?(?=$|[,;:.!?]| [—–-] | (?:and|but|so|then) )';
const asked = new RegExp(
  `^(?:(?:can|could) you )?(?:please )?(?:go ahead and )?(?:(?:undo|revert|roll back)(?: ${work})?|roll ${work} back)${end}`,
  'iu',
);
const done = new RegExp(
  `^i(?:['’]ve| have)?(?: just)? (?:undid|undone|reverted|rolled back) ${work}${end}`,
  'iu',
);

/** Finds a reported or requested undo at the start of the first or second sentence of a typed text. */
function undoIn(sentences: readonly string[]): TypedUndo | undefined {
  for (const sentence of sentences.slice(0, 2)) {
    const [clause = ''] = clausesOf(sentence);
    if (done.test(clause) && !isAskingSentence(sentence)) return 'done';
    if (asked.test(clause)) return 'asked';
  }
  return undefined;
}

/** A plain no. After a reply that asked no question, it contradicts the reply. */
const no =
  /^(?:(?:no|nope|nah|nein)[,.!]|(?:that|this|it)(?:['’]s| is) (?:wrong|not (?:it|right|correct|true))\b|不对|不是)/iu;

/** True for a reply that calls a tool or ends with a question to the user. */
function asks({ content, tool_calls: calls }: Message): boolean {
  return calls !== undefined || /[?？]/u.test(textOf(content).slice(-longestEnd));
}

/** Number of characters at the end of a reply in which a question counts as a question to the user. */
const longestEnd = 400;
