import { describe, expect, it } from 'vitest';
import { undoneWork } from '../../../src/compaction/ledger/undone-work.ts';
import { workFacts } from '../../../src/compaction/ledger/work-facts.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { called, reminder, result, said, typed } from '../../support/messages.ts';

let count = 0;

/** A call with a result. */
function ran(name: string, input: Readonly<Record<string, unknown>>, output = 'ok'): readonly Message[] {
  const id = `call-${count++}`;
  return [called(`m-${id}`, [id, name, input]), result(`r-${id}`, id, output)];
}
const edited = (path: string, before = 'a', after = 'b') =>
  ran('Edit', { file_path: path, old_string: before, new_string: after });
const created = (path: string) => ran('Write', { file_path: path, content: 'x' });
const shell = (command: string, output = '') => ran('Bash', { command }, output);

/** Changed files and their changes, as in the ledger. */
const changedBy = (messages: readonly Message[]) =>
  workFacts(messages).filesModified.map(({ path, edits, created: isNew, deleted }) =>
    [path, edits, isNew === true && 'created', deleted === true && 'deleted'].filter(Boolean).join(' '),
  );
const requestsOf = (messages: readonly Message[]) =>
  Array.from(undoneWork(messages).requests, ({ id }) => id);
const repliesOf = (messages: readonly Message[]) => Array.from(undoneWork(messages).replies, ({ id }) => id);

describe('edits that are not committed', () => {
  it.each([
    'git checkout -- src/a.ts',
    'git checkout HEAD -- src',
    'git checkout .',
    'git restore src/a.ts',
    'git reset --hard',
    'git reset --hard HEAD',
    'git stash',
    'git stash push -m "later" -- src/a.ts',
    'cd /work && git restore . && npm test',
  ])('are undone by %s', (command) => {
    expect(changedBy([...edited('src/a.ts'), ...shell(command), ...created('b.ts')])).toEqual([
      'b.ts created',
    ]);
  });

  it.each([
    'git checkout -- src/b.ts',
    'git checkout main',
    'git restore --staged src/a.ts',
    'git reset',
    'git reset src/a.ts',
    'git reset --soft HEAD~1',
    'git stash list',
    'git stash && git stash pop',
    'git clean -fd',
    'cd /tmp/trial && git reset --hard',
    'test -f x || git checkout .',
  ])('stay valid after %s', (command) => {
    expect(changedBy([...edited('src/a.ts'), ...shell(command)])).toEqual(['src/a.ts 1']);
  });

  it('stay valid if git failed', () => {
    const failed = shell('git checkout -- src/a.ts', "error: pathspec 'src/a.ts' did not match any file(s)");
    expect(changedBy([...edited('src/a.ts'), ...failed])).toEqual(['src/a.ts 1']);
  });

  it('are counted from zero again after an undo', () => {
    expect(changedBy([...edited('a.ts'), ...shell('git checkout v1 -- a.ts')])).toEqual(['a.ts 2']);
    expect(
      changedBy([...edited('a.ts'), ...edited('a.ts'), ...shell('git checkout -- a.ts'), ...edited('a.ts')]),
    ).toEqual(['a.ts 1']);
  });

  it('stay valid if git does not track the file', () => {
    expect(changedBy([...created('new.ts'), ...shell('git reset --hard')])).toEqual(['new.ts created']);
  });

  it('may be the deletion of a file', () => {
    expect(changedBy([...shell('rm src/a.ts'), ...shell('git checkout -- src/a.ts')])).toEqual([]);
  });
});

describe('commits', () => {
  const commit = (hash: string) => shell(`git commit -am 'Mend it'`, `[main ${hash}] Mend it`);
  const two = [...edited('a.ts'), ...commit('aaaaaa1'), ...edited('b.ts'), ...commit('bbbbbb2')];

  it.each([
    ['git reset --hard HEAD~1', ['bbbbbb2'], ['a.ts 1']],
    ['git reset --hard HEAD^^', ['aaaaaa1', 'bbbbbb2'], []],
    ['git reset --hard aaaaaa1', ['bbbbbb2'], ['a.ts 1']],
    ['git revert --no-edit aaaaaa1', ['aaaaaa1'], ['b.ts 1']],
    ['git revert HEAD --no-edit', ['bbbbbb2'], ['a.ts 1']],
    ['git reset HEAD~1', ['bbbbbb2'], ['a.ts 1', 'b.ts 1']],
    ['git commit --amend --no-edit', ['bbbbbb2'], ['a.ts 1', 'b.ts 1']],
    ['git reset --hard origin/main', [], ['a.ts 1', 'b.ts 1']],
    ['git reset --hard HEAD', [], ['a.ts 1', 'b.ts 1']],
    ['git switch main && git reset --hard HEAD~1', [], ['a.ts 1', 'b.ts 1']],
  ])('are undone or stay valid, as expected, after %s', (command, commits, files) => {
    const messages = [...two, ...shell(command)];
    expect([...undoneWork(messages).commits]).toEqual(commits);
    expect(changedBy(messages)).toEqual(files);
  });

  it('are valid again once their revert is reverted', () => {
    const revert = shell('git revert --no-edit HEAD', '[main ccccccc] Revert "Mend it"');
    expect(changedBy([...two, ...revert, ...shell('git revert --no-edit HEAD')])).toEqual([
      'a.ts 1',
      'b.ts 1',
    ]);
  });

  it('are not listed as identifiers once they are undone', () => {
    expect(workFacts([...two, ...shell('git reset --hard HEAD~1')]).identifiers).toEqual(['aaaaaa1']);
  });
});

describe('a reverse edit', () => {
  it('cancels the edit that it reverses', () => {
    expect(changedBy([...edited('a.ts', 'x', 'y'), ...edited('a.ts', 'y', 'x')])).toEqual([]);
    expect(changedBy([...edited('a.ts', 'x', 'y'), ...edited('b.ts', 'y', 'x')])).toEqual([
      'a.ts 1',
      'b.ts 1',
    ]);
  });

  it('may be the undo command of an editor tool', () => {
    const undo = ran('str_replace_based_edit_tool', { command: 'undo_edit', path: 'a.ts' });
    expect(changedBy([...edited('a.ts'), ...edited('a.ts'), ...undo])).toEqual(['a.ts 1']);
  });
});

describe('requests and replies', () => {
  const work = [typed('q1', 'Add a cache'), ...edited('a.ts'), said('a1', 'The cache keeps 100 entries.')];

  it('are undone by the user', () => {
    const messages = [...work, typed('q2', 'No. I undid your changes, try again without a cache')];
    expect(requestsOf(messages)).toEqual(['q1']);
    expect(repliesOf(messages)).toContain('a1');
    expect(changedBy(messages)).toEqual([]);
  });

  it('are undone by work for a later request', () => {
    const messages = [
      ...work,
      typed('q2', 'Undo that, please'),
      ...shell('git checkout -- a.ts'),
      said('a2', 'It is gone.'),
    ];
    expect(requestsOf(messages)).toEqual(['q1']);
    expect(repliesOf(messages)).not.toContain('a2');
  });

  it.each(['undo', 'Revert it.', 'Nope. Undo all of that and try a map', 'Can you roll that back?'])(
    'are undone after "%s"',
    (words) => {
      expect(requestsOf([...work, typed('q2', words)])).toEqual(['q1']);
    },
  );

  it('stay valid if the agent undid an attempt of its own', () => {
    const messages = [
      typed('q1', 'Make it fast'),
      ...edited('a.ts'),
      ...shell('git checkout -- a.ts'),
      said('a1', 'A cache does not help.'),
      typed('q2', 'Then leave it'),
    ];
    expect(requestsOf(messages)).toEqual([]);
    expect(repliesOf(messages)).not.toContain('a1');
  });

  it('stay valid if part of their work is still valid', () => {
    const messages = [
      ...work.slice(0, 3),
      ...edited('b.ts'),
      typed('q2', 'Go on'),
      ...shell('git checkout -- a.ts'),
    ];
    expect(requestsOf(messages)).toEqual([]);
  });

  it.each([
    'Should I undo that?',
    'If it fails, undo that',
    "Don't undo that",
    'Why did you revert that?',
    'Revert handling is missing',
    'I reverted your changes to b.ts',
  ])('stay valid after "%s"', (words) => {
    expect(requestsOf([...work, typed('q2', words)])).toEqual([]);
  });
});

describe('a reply before an objection of the user', () => {
  const reply = said('a1', 'The lock fails because two writers share it.');

  it.each(["No, that's not it.", 'no. there is one writer', "That's wrong, there is one writer"])(
    'is not valid after "%s"',
    (words) => {
      expect(repliesOf([typed('q1', 'Why?'), reply, typed('q2', words)])).toEqual(['a1']);
    },
  );

  it.each(['No tests yet, please', 'Nothing else', 'Yes. No more writers then'])(
    'stays valid after "%s"',
    (words) => {
      expect(repliesOf([typed('q1', 'Why?'), reply, typed('q2', words)])).toEqual([]);
    },
  );

  it('stays valid if the reply asked a question', () => {
    const question = said('a1', 'Two writers share the lock. Shall I mend it?');
    expect(repliesOf([typed('q1', 'Why?'), question, typed('q2', 'No, leave it')])).toEqual([]);
  });
});

describe('the undo of Aider', () => {
  const change = (hash: string) =>
    reminder(hash, `Tokens: 9 sent, 9 received.\nApplied edit to a.ts\nCommit ${hash} fix: Mend it`);
  const session = [
    typed('q1', 'Add a cache'),
    said('a1', 'Here it is.'),
    change('aaaaaa1'),
    typed('q2', 'It fails'),
    said('a2', 'This mends it.'),
    change('bbbbbb2'),
    typed('u', '/undo'),
    reminder('r', 'Removed: bbbbbb2 fix: Mend it\nNow at:  aaaaaa1 fix: Mend it'),
  ];

  it('undoes the commit, its edit, the reply and the request', () => {
    expect(requestsOf(session)).toEqual(['q2']);
    expect(repliesOf(session)).toEqual(['a2']);
    expect(changedBy(session)).toEqual(['a.ts 1']);
  });

  it("does not undo a separate commit of the user's changes", () => {
    const both = reminder(
      'b',
      'Tokens: 9 sent, 9 received.\nCommitting a.ts before applying edits.\nCommit ccccccc fix: Own\nApplied edit to a.ts\nCommit ddddddd fix: Mend it',
    );
    const removed = reminder('r', 'Removed: ddddddd fix: Mend it');
    const messages = [typed('q1', 'Mend it'), said('a1', 'Mended.'), both, typed('u', '/undo'), removed];
    expect(requestsOf(messages)).toEqual(['q1']);
  });
});
