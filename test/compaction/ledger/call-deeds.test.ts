import { describe, expect, it } from 'vitest';
import { deedsOf } from '../../../src/compaction/ledger/call-deeds.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';

function told(name: string, input: object, content: string) {
  const call = { id: 'c', type: 'function', function: { name, arguments: JSON.stringify(input) } } as const;
  const result = {
    id: 'r',
    role: 'tool',
    origin: 'tool',
    createdAt: '',
    tool_call_id: 'c',
    content,
  } satisfies Message;
  return deedsOf({ call, end: 'ran', result, status: undefined }).files;
}

const prompt = '\n(Open file: /testbed/src/fields.py)\n(Current directory: /testbed)\nbash-$';

describe('the files that only a result names', () => {
  it.each([
    ['Edit', 'The file /p/a.go has been updated successfully. (file state is current)', '/p/a.go', 'edited'],
    [
      'Write',
      "The file /p/a.go has been updated. Here's the result of running `cat -n`",
      '/p/a.go',
      'edited',
    ],
    ['Write', 'File created successfully at: /p/b.md', '/p/b.md', 'created'],
    [
      'Write',
      'File created successfully at: /p/b.md (file state is current in your context)',
      '/p/b.md',
      'created',
    ],
  ])('are read from results of Claude Code in SpecStory (%s): %s', (name, result, path, what) => {
    expect(told(name, { display: '' }, result)).toEqual([{ path, what }]);
  });

  it.each([
    ['edit', { replacement_text: 'x', start_line: 1, end_line: 2 }],
    ['shell', { command: 'edit 1:2\nx' }],
  ])('are known for SWE-agent, which edits its open file: %s', (name, input) => {
    const changed = `[File: /testbed/src/fields.py (9 lines total)]\n1:x${prompt}`;
    expect(told(name, input, changed)).toEqual([{ path: '/testbed/src/fields.py', what: 'edited' }]);
    expect(told(name, input, `Your proposed edit has introduced new syntax error(s).${prompt}`)).toEqual([]);
  });

  it('are not read for calls that name their files or change no file', () => {
    expect(told('Edit', { file_path: 'a.go' }, 'The file /p/a.go has been updated.')).toEqual([
      { path: 'a.go', what: 'edited' },
    ]);
    expect(told('Read', { display: '' }, 'The file /p/a.go has been updated.')).toEqual([]);
    expect(told('shell', { command: 'ls' }, `[File: x]${prompt}`)).toEqual([]);
  });
});
