import { isTyped, type Message, type ToolCall, typedText } from '../messages/message.ts';
import { rememberedList } from '../messages/remembered.ts';
import { ownWords } from '../messages/typed-parts.ts';
import { aiderReport } from './aider-reports.ts';
import { deedsOf, reportedDeeds } from './call-deeds.ts';
import { callEnds, type EndedCall, hasBegun } from './call-ends.ts';
import { factsOfCall, folderOfInput } from './call-facts.ts';
import { commitLine, gitSteps, reversalOf } from './git-steps.ts';
import { parseShallow } from '../text/parse-json.ts';
import { clausesOf, isQuestion, requestIn, settlingSentences } from './own-sentences.ts';
import { isThrowAway } from './path-words.ts';
import { createWorkLog, type WorkLog } from './work-log.ts';

/** Work that was taken back: by git, by Aider's `/undo`, by an edit in reverse, or by the user. In doubt, work stands. */
export interface UndoneWork {
  /** Paths, as they were written, of changes that do not stand, by the call or the report of Aider that made them. */
  readonly files: ReadonlyMap<ToolCall | Message, ReadonlySet<string>>;
  /** Hashes of commits that were removed, replaced or reverted. */
  readonly commits: ReadonlySet<string>;
  /** Typed requests of which no work stands, because the user or the work for a later request took it back. */
  readonly requests: ReadonlySet<Message>;
  /** Replies from before their work was taken back: their sentences tell of what is no more. */
  readonly replies: ReadonlySet<Message>;
}

/** Finds the work in a conversation that no longer stands. */
export const undoneWork: (messages: readonly Message[]) => UndoneWork = rememberedList((messages) => {
  const ends = callEnds(messages);
  const log = createWorkLog();
  /** Places of typed requests, and those of messages that take back the request before. */
  const asked: number[] = [];
  const withdrawn = new Map<number, number>();
  for (const [at, message] of messages.entries()) {
    if (isTyped(message)) {
      const typed = ownWords(message);
      const undo = undoIn(typed);
      const last = asked.at(-1);
      const edits = log.edits.filter((edit) => last !== undefined && edit.at > last);
      if (undo !== undefined && last !== undefined && edits.length > 0) withdrawn.set(last, at);
      if (undo === 'done') for (const edit of edits) edit.undoneAt ??= at;
      if (requestIn(typed) !== '') asked.push(at);
    }
    for (const call of message.tool_calls ?? []) logCall(log, at, call, ends.get(call)!);
    const report = aiderReport(message);
    if (report === undefined) continue;
    log.touch(at, message, reportedDeeds(message).files);
    // Before its own commit Aider commits what the user had changed.
    for (const [index, { hash }] of report.commits.entries())
      log.commit(at, hash, index === report.commits.length - 1);
    for (const hash of report.undone) log.removeCommit(at, hash);
  }
  return undoneIn(messages, log, asked, withdrawn);
});

function logCall(log: WorkLog, at: number, call: ToolCall, ended: EndedCall): void {
  const { end, result, status } = ended;
  if (!hasBegun(end)) return;
  const { files } = deedsOf(call, ended);
  log.touch(at, call, files);
  const output = result === undefined ? '' : typedText(result);
  const folder = folderOfInput(parseShallow(call.function.arguments)?.value);
  for (const script of factsOfCall(call).commands) {
    for (const step of gitSteps({ script, folder, end, status, output })) {
      const reversal = reversalOf(step);
      const hash = output
        .split('\n')
        .flatMap((line) => commitLine.exec(line)?.[2] ?? [])
        .at(-1);
      const isDone =
        hash !== undefined ||
        (step.isDone && status === 0) ||
        ((step.isDone || step.isFirst) && !gitFailure.test(output));
      const isOfTrial = step.folder !== undefined && isThrowAway(step.folder);
      if (reversal !== undefined && isDone && !isOfTrial) log.git(at, reversal, hash, step.folder);
    }
  }
}

/** Lines in which git or the shell says that a command did nothing. */
const gitFailure =
  /^(?:error|fatal|usage|hint|CONFLICT)\b|: No such file or directory|command not found|^no changes added|^nothing (?:added )?to commit/mu;

function undoneIn(
  messages: readonly Message[],
  log: WorkLog,
  asked: readonly number[],
  withdrawn: ReadonlyMap<number, number>,
): UndoneWork {
  const files = new Map<ToolCall | Message, Set<string>>();
  for (const { by, path, undoneAt } of log.edits) {
    if (undoneAt !== undefined) files.set(by, (files.get(by) ?? new Set()).add(path));
  }
  const requests = new Set<Message>();
  const replies = new Set<Message>();
  const dropReplies = (start: number, end: number): void => {
    for (const message of messages.slice(start, end)) if (message.role === 'assistant') replies.add(message);
  };
  for (const [index, start] of asked.entries()) {
    const end = asked[index + 1] ?? messages.length;
    const over = withdrawn.get(start) ?? takenBackAt(log, start, end);
    // What an agent takes back before the user says anything is part of its work.
    if (over !== undefined && messages.slice(lastWorkIn(log, start, end) + 1, over + 1).some(isTyped)) {
      requests.add(messages[start]!);
      dropReplies(start, end);
      continue;
    }
    // The work for one request may be in several commits.
    let from = start;
    for (const { at } of [...log.commits, { at: end - 1 }]) {
      if (at < from || at >= end) continue;
      dropReplies(from, takenBackAt(log, from, at + 1) ?? from);
      from = at + 1;
    }
  }
  return { files, commits: undoneCommits(log), requests, replies };
}

function lastWorkIn({ edits, commits }: WorkLog, start: number, end: number): number {
  return Math.max(start, ...[...edits, ...commits].flatMap(({ at }) => (at >= start && at < end ? at : [])));
}

/** The place at which the last of the work in a range was taken back; undefined if some stands, or there is none. */
function takenBackAt({ edits, commits }: WorkLog, start: number, end: number): number | undefined {
  const isInRange = ({ at }: { readonly at: number }) => at >= start && at < end;
  const changes = edits.filter((edit) => isInRange(edit) && edit.undoneAt !== edit.at);
  const ends = (changes.length > 0 ? changes : commits.filter(isInRange)).map(({ undoneAt }) => undoneAt);
  return ends.length === 0 || ends.includes(undefined) ? undefined : Math.max(...ends.map((at) => at ?? 0));
}

function undoneCommits({ commits }: WorkLog): ReadonlySet<string> {
  return new Set(
    commits.flatMap(({ hash, undoneAt }) => (hash === undefined || undoneAt === undefined ? [] : hash)),
  );
}

/** `done`: the user took the work before back. `asked`: the agent has to. */
type TypedUndo = 'done' | 'asked';

const work =
  '(?:that|this|it|everything|all (?:of )?(?:that|this)|(?:all )?(?:of )?(?:your|these|those|that|this|the) (?:last |latest |previous )?(?:changes?|edits?|commits?|fix|patch))';
const end = '(?: please| again| now)?(?=$|[,;:.!]| [—–-] | (?:and|but|so|then) )';
const asked = new RegExp(
  `^(?:(?:can|could) you )?(?:please )?(?:go ahead and )?(?:(?:undo|revert|roll back) ${work}|roll ${work} back)${end}`,
  'iu',
);
const done = new RegExp(
  `^i(?:['’]ve| have)?(?: just)? (?:undid|undone|reverted|rolled back) ${work}${end}`,
  'iu',
);

/** Reads whether a typed text begins with such a form: in one of its first two sentences, before everything else. */
function undoIn(text: string): TypedUndo | undefined {
  for (const sentence of settlingSentences(text).slice(0, 2)) {
    const [clause = ''] = clausesOf(sentence);
    if (done.test(clause) && !isQuestion(sentence)) return 'done';
    if (asked.test(clause)) return 'asked';
  }
  return undefined;
}
