import { describe, expect, it } from 'vitest';
import { extractLedger } from '../../../src/compaction/ledger/extract.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { answered, called, reminder, result, said, typed } from '../../support/messages.ts';

describe('the ledger of a conversation', () => {
  describe('extractLedger', () => {
    it('reads files, commands and ids from the arguments of calls', () => {
      const ledger = extractLedger(
        answered(
          called('m1', ['a', 'Read', { file_path: 'src/a.ts' }], ['b', 'bash', { command: 'npm ci' }]),
          called('m2', ['c', 'shell', { command: ['git', 'push'] }], ['d', 'get_order', { order_id: 'A7' }]),
        ),
      );
      expect(ledger.filesRead).toEqual(['src/a.ts']);
      expect(ledger.commands).toEqual([{ command: 'npm ci' }, { command: 'git push' }]);
      expect(ledger.identifiers).toEqual(['A7']);
    });

    it('distinguishes changed files from files that were only read', () => {
      const ledger = extractLedger(
        answered(
          called('m1', ['a', 'Read', { file_path: 'src/a.ts' }]),
          called('m2', ['b', 'Edit', { file_path: 'src/a.ts', old_string: 'x', new_string: 'y' }]),
          called('m3', ['c', 'str_replace_editor', { command: 'view', path: 'src/b.ts' }]),
          called('m4', ['d', 'apply_patch', { input: '*** Begin Patch\n*** Update File: src/c.ts\n@@\n' }]),
        ),
      );
      expect(ledger.filesModified).toEqual([
        { path: 'src/a.ts', edits: 1 },
        { path: 'src/c.ts', edits: 1 },
      ]);
      expect(ledger.filesRead).toEqual(['src/b.ts']);
      expect(ledger.commands).toEqual([]);
    });

    it('finds the files in a command, even if a shell runs it', () => {
      const ledger = extractLedger(
        answered(
          called('m1', [
            'a',
            'shell',
            { command: ['bash', '-lc', "sed -n '1,200p' src/deep/file.rs && make install"] },
          ]),
        ),
      );
      expect(ledger.commands).toEqual([{ command: 'make install' }]);
      expect(ledger.filesRead).toEqual(['src/deep/file.rs']);
    });

    it('records which files commands and tools created, changed or deleted', () => {
      const { filesModified, filesRead } = extractLedger(
        answered(
          called('m1', ['a', 'Read', { file_path: '/p/src/a.ts' }], ['b', 'Write', { file_path: '/p/b.ts' }]),
          called('m2', ['c', 'bash', { command: 'cd /p && rm old.ts && sed -i s/a/b/ src/a.ts' }]),
        ),
      );
      expect(filesModified).toEqual([
        { path: '/p/b.ts', created: true },
        { path: '/p/old.ts', deleted: true },
        { path: '/p/src/a.ts', edits: 1 },
      ]);
      expect(filesRead).toEqual([]);
    });

    it('takes no paths from texts written for files, users or other agents', () => {
      const { filesModified, filesRead } = extractLedger(
        answered(
          called('m1', ['a', 'Write', { display: 'Plan: see `docs/notes.md` and pkg/help.go' }]),
          called('m2', ['b', 'Agent', { prompt: 'Review:\n--- a/src/a.ts\n+++ b/src/a.ts\n+x' }]),
          called('m3', ['c', 'Edit', { file_path: 'm.ts', old_string: './old.js', new_string: './new.js' }]),
        ),
      );
      expect(filesModified).toEqual([{ path: 'm.ts', edits: 1 }]);
      expect(filesRead).toEqual([]);
    });

    it.each([
      ['Exit code 1\nboom', []],
      ['all good\nProcess exited with code 0', [{ command: 'npm ci', status: 0 }]],
      ['{"output":"","metadata":{"exit_code":127}}', []],
    ])('reads from %j whether a command succeeded', (output, commands) => {
      const ledger = extractLedger([
        called('m1', ['a', 'bash', { command: 'npm ci' }]),
        result('m2', 'a', output),
      ]);
      expect(ledger.commands).toEqual(commands);
    });

    it('takes error lines from results, but not from typed messages', () => {
      const ledger = extractLedger([
        typed('m1', 'Error: mine'),
        called('m2', ['a', 'bash', { command: 'x' }]),
        result('m3', 'a', 'ok\nTypeError: x is undefined\n'),
      ]);
      expect(ledger.errors).toMatchObject([{ text: 'TypeError: x is undefined' }]);
    });

    it('takes rules from typed messages, but not from a model or a program', () => {
      const ledger = extractLedger([
        typed('m1', 'Never touch the vendor folder. What does it do?'),
        said('m2', 'Looked around. I will use the stream parser instead of a regular expression.'),
        typed('m3', '必须保留原来的接口。'),
        reminder('m4', 'You must not say this.'),
      ]);
      expect(ledger.constraints).toEqual(['Never touch the vendor folder.', '必须保留原来的接口。']);
      expect(ledger.decisions).toEqual([]);
      expect(ledger.choices).toEqual([]);
    });

    it('ignores arguments that are not JSON', () => {
      const broken = called('m1', ['a', 'Read']);
      const [call] = broken.tool_calls!;
      const message: Message = {
        ...broken,
        tool_calls: [{ ...call!, function: { name: 'Read', arguments: '{"path":' } }],
      };
      expect(extractLedger([message]).filesRead).toEqual([]);
    });
  });
});

describe('open errors', () => {
  let next = 0;
  function ran(command: string, output: string): readonly Message[] {
    next++;
    return [called(`c${next}`, [`i${next}`, 'bash', { command }]), result(`r${next}`, `i${next}`, output)];
  }
  const errorsOf = (...runs: readonly (readonly Message[])[]) =>
    extractLedger(runs.flat()).errors.map(({ text }) => text);

  describe('an error line', () => {
    it('is open until the same command runs without it', () => {
      expect(errorsOf(ran('make', 'error: one'), ran('ls', 'x'))).toEqual(['error: one']);
      expect(errorsOf(ran('make', 'error: one'), ran('make', 'done'))).toEqual([]);
    });

    it('stays open if it recurs, even if other errors of the run are resolved', () => {
      expect(errorsOf(ran('make', 'error: one\nerror: two'), ran('make', 'error: two'))).toEqual([
        'error: two',
      ]);
    });

    it('stays open if the next run failed without a reason', () => {
      expect(errorsOf(ran('make', 'error: one'), ran('make', 'Exit code 2'))).toEqual(['error: one']);
    });

    it('from a tool is resolved by the next successful call of the tool', () => {
      const read = (id: string, tool: string, output: string) => [
        called(`c${id}`, [id, tool, { path: 'src/a.ts' }]),
        result(`r${id}`, id, output),
      ];
      const failed = read('a', 'read_file', 'Error: EBUSY: resource busy');
      expect(errorsOf(failed, read('b', 'edit', 'text'))).toEqual(['Error: EBUSY: resource busy']);
      expect(errorsOf(failed, read('c', 'read_file', 'text'))).toEqual([]);
    });
  });
});
