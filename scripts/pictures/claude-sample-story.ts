/** One request of the user, and the work that Claude Code did for it. */
interface Work {
  readonly asks: string;
  /** The assistant's words before its tools run. */
  readonly says: string;
  readonly reads: readonly string[];
  readonly edited: readonly (keyof typeof edits)[];
  readonly creates?: readonly (keyof typeof createdFiles)[];
  /** Commands with their outputs, and true for those that failed. */
  readonly runs: readonly (readonly [command: string, output: string, isError?: boolean])[];
  readonly ends: string;
}

/** Changes to files of the sample workspace. The text `before` stands in the file. */
export const edits = {
  'src/store.ts': {
    before: '  readonly findings: readonly Finding[];',
    after:
      '  /** The changes of this run, newest last. `undo` takes them back one by one. */\n  readonly journal = new Journal(mostChanges);\n  readonly findings: readonly Finding[];',
  },
  'src/commands.ts': {
    before: "  drop: {\n    usage: 'drop ID',",
    after:
      "  undo: {\n    usage: 'undo',\n    write: true,\n    run: async (store) => undoLast(store),\n  },\n  drop: {\n    usage: 'drop ID',",
  },
  'src/render.ts': { before: 'export ', after: '/** Undone notes are marked with ↶. */\nexport ' },
  'src/search.ts': { before: 'export ', after: '// Notes that were undone are indexed again.\nexport ' },
  'docs/commands.md': {
    before: '| `drop ID`                          | throws a note away                                     |',
    after:
      '| `drop ID`                          | throws a note away                                     |\n| `undo`                             | takes the last change back                             |',
  },
  'README.md': {
    before: '- There is no `undo` command yet, although the file holds everything that one would need.',
    after: '- `undo` goes back 200 changes, not further.',
  },
} as const;

const undo = `import { Journal } from './journal.ts';
import type { Store } from './store.ts';

/** There is no change that could be taken back. */
export class NothingToUndoError extends Error {
  override readonly name = 'NothingToUndoError';
}

/** Takes the newest change back by appending its opposite. The log only grows. */
export async function undoLast(store: Store): Promise<string> {
  const change = store.journal.takeLast();
  if (change === undefined) throw new NothingToUndoError('There is nothing to undo.');
  await store.append(Journal.oppositeOf(change));
  return \`took back \${change.type} \${change.id}\`;
}
`;
const journal = `import type { Change } from './note.ts';

/** A change, with the text that it replaced. */
export type Undoable = Change & { readonly before?: string };

/** The newest changes, in the order in which they were made. */
export class Journal {
  private readonly changes: Undoable[] = [];
  private readonly most: number;

  constructor(most: number) {
    this.most = most;
  }

  add(change: Undoable): void {
    this.changes.push(change);
    if (this.changes.length > this.most) this.changes.shift();
  }

  takeLast(): Undoable | undefined {
    return this.changes.pop();
  }

  static oppositeOf({ type, id, before = '' }: Undoable): Change {
    return type === 'added' ? { type: 'dropped', id } : { type: 'edited', id, text: before };
  }
}
`;
const testOf = (module: string, name: string) => `import assert from 'node:assert/strict';
import { test } from 'node:test';
import * as ${module} from '../src/${module}.ts';
import { inTemporaryFolder } from './temporary-folder.ts';

await test('${name}', () =>
  inTemporaryFolder(async (folder) => {
    assert.ok(${module});
    assert.ok(folder);
  }));
`;

/** Files that Claude Code wrote in the session. */
export const createdFiles = {
  'src/undo.ts': undo,
  'src/journal.ts': journal,
  'test/undo.test.ts': testOf('undo', 'undo takes the last change back'),
  'test/journal.test.ts': testOf('journal', 'the journal keeps the last 200 changes'),
  'test/merge.test.ts': testOf('merge', 'an undone note stays undone after a merge'),
  'test/render.test.ts': testOf('render', 'an undone note is marked'),
  'test/commands.test.ts': testOf('commands', 'undo without a change ends with exit code 1'),
  'docs/undo.md':
    '# Undo\n\n`driftwood undo` takes the last change back. It appends the opposite; nothing is removed.\n',
  'CHANGELOG.md': '# Changes\n\n## 0.5.0\n\n- `driftwood undo`\n',
} as const;

const passed = (names: readonly string[]) =>
  [
    ...names.map((name, index) => `✔ ${name} (${(index * 7) % 23}.${index % 9}ms)`),
    `ℹ tests ${names.length}`,
    `ℹ pass ${names.length}`,
    'ℹ fail 0',
  ].join('\n');
const tests = [
  'an event survives its way through a line',
  'a torn last line is set aside, and told',
  'damage in the middle stops every write',
  'a second writer waits for the lock',
  'a stale lock is taken over',
  'tidying leaves out old wordings and long gone notes',
  'two logs hold the same notes after a merge',
  'words are found in English and in Chinese',
  'a weekday is the next one of that name',
];

export const requests: readonly Work[] = [
  {
    asks: 'Add an undo to driftwood.\nIt takes the last change back. Keep the file format as it is, and never touch src/lock.ts: another branch rewrites it.',
    says: 'The log already holds every old wording, so undo can append the opposite of the last change. I read the store and the commands again before I change them.',
    reads: ['src/store.ts', 'src/commands.ts', 'src/note.ts', 'src/frame.ts'],
    edited: ['src/store.ts', 'src/commands.ts'],
    creates: ['src/undo.ts', 'src/journal.ts'],
    runs: [
      ['npm test', passed(tests)],
      ['node src/main.ts undo', 'took back added 7f3a'],
    ],
    ends: '`driftwood undo` takes the last change of this run back. The file format is unchanged.',
  },
  {
    asks: 'From now on run `npm test` before you say that something is done. And what about two windows that undo at the same time?',
    says: 'The lock lets one writer in at a time. I check that the journal is only read while the lock is held.',
    reads: ['src/store.ts', 'src/lock.ts', 'src/undo.ts', 'src/main.ts'],
    edited: [],
    runs: [
      [
        'grep -rn "takeLock" src',
        "src/store.ts:5:import { takeLock } from './lock.ts';\nsrc/lock.ts:14:export async function takeLock(",
      ],
      ['npm test', passed(tests)],
    ],
    ends: 'The second window waits for the lock, so both undo different changes.',
  },
  {
    asks: 'Tests for the journal, please. It must not keep more than 200 changes.',
    says: 'I write the tests of undo, of the journal and of merging.',
    reads: [
      'test/store.test.ts',
      'test/temporary-folder.ts',
      'src/merge.ts',
      'src/journal.ts',
      'src/store.ts',
    ],
    edited: [],
    creates: ['test/undo.test.ts', 'test/journal.test.ts', 'test/merge.test.ts'],
    runs: [
      [
        'node --test test/journal.test.ts',
        '✖ the journal keeps the last 200 changes (3.1ms)\n  AssertionError: Expected values to be strictly equal: 201 !== 200',
        true,
      ],
      [
        'npm test',
        passed([...tests, 'undo takes the last change back', 'the journal keeps the last 200 changes']),
      ],
    ],
    ends: 'The journal forgets the oldest change at the 201st. All 12 tests pass.',
  },
  {
    asks: 'An undo without a change has to say so and end with exit code 1.',
    says: 'That is an error of its own, next to the other errors of the command line.',
    reads: ['src/commands.ts', 'src/main.ts', 'src/undo.ts', 'docs/commands.md', 'src/store.ts'],
    edited: [],
    creates: ['test/commands.test.ts'],
    runs: [
      ['node src/main.ts undo; echo $?', 'There is nothing to undo.\n1'],
      ['npm test', passed([...tests, 'undo without a change ends with exit code 1'])],
    ],
    ends: 'It says “There is nothing to undo.” and ends with 1.',
  },
  {
    asks: 'Undone notes have to be found again, and a list should mark them.',
    says: 'Search builds its index from the notes, so it needs the notes that came back. The list marks them.',
    reads: [
      'src/search.ts',
      'src/render.ts',
      'src/note.ts',
      'test/search.test.ts',
      'src/store.ts',
      'src/when.ts',
    ],
    edited: ['src/search.ts', 'src/render.ts'],
    creates: ['test/render.test.ts'],
    runs: [
      ['node src/main.ts find varnish', '7f3a ↶ #boat  Varnish: two coats, a day between them'],
      ['npm test', passed([...tests, 'an undone note is marked'])],
    ],
    ends: 'Undone notes are found and marked with ↶.',
  },
  {
    asks: 'Document it, in Chinese as well.',
    says: 'The commands, the README and the design notes mention undo now.',
    reads: [
      'docs/commands.md',
      'docs/storage.md',
      'docs/设计笔记.md',
      'README.md',
      'src/commands.ts',
      'src/store.ts',
    ],
    edited: ['docs/commands.md', 'README.md'],
    creates: ['docs/undo.md', 'CHANGELOG.md'],
    runs: [
      [
        'git diff --stat',
        ' README.md        | 2 +-\n docs/commands.md | 1 +\n 2 files changed, 2 insertions(+), 1 deletion(-)',
      ],
      ['npm test', passed(tests)],
    ],
    ends: 'README, commands and a page on undo are written.',
  },
  {
    asks: 'Does `driftwood check` still accept the logs of version 0.4?',
    says: 'I read the frames and the store once more, and check an old log.',
    reads: [
      'src/frame.ts',
      'src/store.ts',
      'src/commands.ts',
      'src/search.ts',
      'src/when.ts',
      'test/store.test.ts',
      'test/when.test.ts',
    ],
    edited: [],
    runs: [
      ['node src/main.ts check --file old.log', 'old.log: 312 lines, no damage'],
      ['npm test', passed(tests)],
    ],
    ends: 'Yes: the format has not changed, and an old log has no damage.',
  },
  {
    asks: 'Review the whole change once more before the release.',
    says: 'I read everything that undo touches, from the log to the terminal.',
    reads: [
      ...['src/store.ts', 'src/undo.ts', 'src/journal.ts', 'src/commands.ts', 'src/main.ts', 'src/search.ts'],
      ...['src/render.ts', 'src/note.ts', 'src/frame.ts', 'src/lock.ts', 'src/when.ts', 'test/store.test.ts'],
      ...['docs/storage.md', 'docs/commands.md', 'README.md', 'src/store.ts', 'src/commands.ts'],
    ],
    edited: [],
    runs: [['npm test', passed(tests)]],
    ends: 'Undo, journal, search and documentation agree. Nothing is left open but the release.',
  },
];

/** It leaves out three files, the rule about `src/lock.ts`, and some of the commands. */
export const summary = `This session is being continued from a previous conversation that ran out of context. The conversation is summarized below:

1. Primary request: add \`driftwood undo\`, which takes the last change back, without a change to the file format.

2. Files and code:
   - src/store.ts: has a journal of the changes of this run
   - src/undo.ts, src/journal.ts: new; undo appends the opposite of the newest change, the journal keeps 200
   - src/commands.ts, src/main.ts: the command, and its error "There is nothing to undo."
   - src/search.ts, src/render.ts, src/note.ts, src/when.ts: undone notes are found and marked
   - src/frame.ts, src/lock.ts: read; the format is unchanged
   - test/undo.test.ts, test/journal.test.ts, test/commands.test.ts, test/render.test.ts: new
   - test/store.test.ts, test/search.test.ts, test/when.test.ts: pass
   - docs/commands.md, docs/storage.md, docs/undo.md, docs/设计笔记.md, README.md, CHANGELOG.md: say what undo does
   - package.json, tsconfig.json, .vscode/settings.json: read only

3. Errors: the journal kept 201 changes; it keeps 200 now.

4. Commands: npm test passes; node src/main.ts undo takes a change back.

5. All user messages:
   - "Tests for the journal, please. It must not keep more than 200 changes."
   - "An undo without a change has to say so and end with exit code 1."
   - "Undone notes have to be found again, and a list should mark them."
   - "Document it, in Chinese as well."
   - "Does \`driftwood check\` still accept the logs of version 0.4?"
   - "Review the whole change once more before the release."

6. Next step: release 0.5.0.`;

export const laterRequest = 'The lock is slow. Go on, and make it faster.';
export const laterAnswer =
  'I change src/lock.ts so that it polls less often: a writer that waits is told by a watcher as soon as the lock is free.';
