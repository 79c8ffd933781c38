import { type Message, typedText } from '../messages/message.ts';
import { memoised } from '../messages/memoise.ts';
import { pathOfArgument } from './path-words.ts';

/** A message in which Aider reports its work after a reply. */
export interface AiderReport {
  /** Names of the edited files, as in the report. */
  readonly edited: readonly string[];
  /** Commits that Aider made. */
  readonly commits: readonly AiderCommit[];
  /** Hashes of the commits that Aider undid. */
  readonly undone: readonly string[];
  /** The last commit after the reply; absent if Aider neither made nor undid a commit. */
  readonly head?: AiderCommit;
}

interface AiderCommit {
  readonly hash: string;
  readonly subject: string;
}

/** First lines of Aider's reports (`base_coder.py`, `repo.py`, `commands.py`). */
const opening = /^(?:Tokens: [\d.,]+k? sent|Applied edit to |Commit [0-9a-f]{7} |Removed: [0-9a-f]{7} )/u;
const applied = /^Applied edit to (.+)$/u;
const committed = /^Commit ([0-9a-f]{7}) (.+)$/u;
const removed = /^Removed: ([0-9a-f]{7}) /u;
const movedTo = /^(?:Now at|HEAD is): +([0-9a-f]{7}) (.+)$/u;
const readCharacters = 20_000;

/** Reads a report of Aider; undefined for any other message. */
export function aiderReport(message: Message): AiderReport | undefined {
  return message.role === 'user' && message.origin === 'harness' ? reportIn(message) : undefined;
}

const reportIn = memoised((message: Message): AiderReport | undefined => {
  const text = typedText(message).slice(0, readCharacters);
  if (!opening.test(text)) return undefined;
  const lines = text.split('\n').map((line) => line.trimEnd());
  const commits = lines.flatMap((line) => commitIn(committed, line));
  const head = commits.at(-1) ?? lines.flatMap((line) => commitIn(movedTo, line)).at(-1);
  return {
    edited: lines.flatMap((line) => pathOfArgument(applied.exec(line)?.[1] ?? '') ?? []),
    commits,
    undone: lines.flatMap((line) => removed.exec(line)?.[1] ?? []),
    ...(head !== undefined && { head }),
  };
});

function commitIn(form: RegExp, line: string): readonly AiderCommit[] {
  const [, hash, subject] = form.exec(line) ?? [];
  return hash === undefined || subject === undefined ? [] : [{ hash, subject }];
}
