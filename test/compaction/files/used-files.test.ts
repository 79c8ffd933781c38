import { describe, expect, it } from 'vitest';
import {
  isNeededAgain,
  isFileInView,
  usedFiles,
  type UsedFile,
} from '../../../src/compaction/files/used-files.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { called, result, said, typed } from '../../support/messages.ts';

const read = (id: string, path: string, range = {}): readonly Message[] => [
  called(`${id}c`, [id, 'read_file', { path, ...range }]),
  result(`${id}r`, id, '1\tconst a = 1;'),
];
const edit = (id: string, path: string, tool = 'edit_file'): readonly Message[] => [
  called(`${id}c`, [id, tool, { path, old_string: 'a', new_string: 'b' }]),
  result(`${id}r`, id, 'Done.'),
];
const only = (messages: readonly Message[]): UsedFile => usedFiles(messages)[0]!;

describe('the files that a conversation worked on', () => {
  it('include every file that calls read or changed, newest first', () => {
    const history = [...read('a', 'src/a.ts'), ...edit('b', 'src/b.ts'), ...read('c', './src/a.ts')];
    expect(usedFiles(history)).toMatchObject([
      { path: './src/a.ts', events: [{ what: 'show' }, { what: 'show' }] },
      { path: 'src/b.ts', events: [{ what: 'change', isWhole: false }] },
    ]);
  });

  it('include attached files', () => {
    const items = [{ label: '@a.ts', type: 'path' as const, tokens: 9, characters: 9, path: 'a.ts' }];
    const message = { ...typed('m1', 'fix @a.ts'), attached: { typedLength: 9, items } };
    expect(usedFiles([message])).toMatchObject([{ path: 'a.ts', events: [{ what: 'show', isWhole: true }] }]);
  });

  it('are marked as completely known if they were written, or read without a range', () => {
    expect(only(read('a', 'a.ts')).events[0].isWhole).toBe(true);
    expect(only(read('a', 'a.ts', { start_line: 4 })).events[0].isWhole).toBe(false);
    expect(only(edit('a', 'a.ts', 'write_file')).events[0]).toMatchObject({ what: 'write', isWhole: true });
  });

  it.each<readonly [string, readonly Message[]]>([
    [
      'failed',
      [called('m1', ['a', 'read_file', { path: 'a.ts' }]), { ...result('m2', 'a', 'no'), isError: true }],
    ],
    ['were declined', [edit('a', 'a.ts')[0]!, { ...result('m2', 'a', 'no'), outcome: { isDeclined: true } }]],
    ['have no result', [called('m1', ['a', 'read_file', { path: 'a.ts' }])]],
    [
      'run commands',
      [called('m1', ['a', 'run_command', { command: 'cat a.ts' }]), result('m2', 'a', 'text')],
    ],
    [
      'search a folder',
      [called('m1', ['a', 'search_text', { path: 'src/a.ts', pattern: 'x' }]), result('m2', 'a', 'x')],
    ],
  ])('exclude the files of calls that %s', (_what, history) => {
    expect(usedFiles(history)).toEqual([]);
  });
});

describe('isNeededAgain', () => {
  const isNeeded = (history: readonly Message[]) => isNeededAgain(only(history), history);

  it('is true if the file was changed, read twice, or used for the newest request', () => {
    const later = [said('s', 'done'), typed('t2', 'now something else')];
    expect(isNeeded([typed('t1', 'go'), ...edit('a', 'a.ts'), ...later])).toBe(true);
    expect(isNeeded([typed('t1', 'go'), ...read('a', 'a.ts'), ...read('b', 'a.ts'), ...later])).toBe(true);
    expect(isNeeded([typed('t1', 'go'), ...read('a', 'a.ts')])).toBe(true);
  });

  it('is false if the file was only read once for an earlier request', () => {
    expect(isNeeded([typed('t1', 'go'), ...read('a', 'a.ts'), typed('t2', 'now something else')])).toBe(
      false,
    );
  });
});

describe('the newest state of a file', () => {
  const history = [...read('a', 'a.ts'), ...edit('b', 'a.ts')];
  const visibleWith = (...ids: readonly string[]) =>
    isFileInView(only(history), ({ id }) => ids.includes(id));

  it('is in context if the whole text and every later change are in context', () => {
    expect(visibleWith('ac', 'ar', 'bc', 'br')).toBe(true);
  });

  it('is not in context if the text or a change is missing', () => {
    expect(visibleWith('bc', 'br')).toBe(false);
    expect(visibleWith('ac', 'ar')).toBe(false);
    expect(visibleWith('ac', 'bc', 'br')).toBe(false);
  });
});
