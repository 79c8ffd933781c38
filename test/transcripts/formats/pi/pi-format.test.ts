import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../../../src/compaction/transcript/transcript.ts';
import { piFormat } from '../../../../src/transcripts/formats/pi/pi-format.ts';

const timestamp = '2026-02-03T04:05:06.000Z';
const header = { type: 'session', id: 's1', timestamp, cwd: '/work' };
const message = (role: string, content: unknown, more: object = {}) => ({
  type: 'message',
  timestamp,
  message: { role, content, ...more },
});
const text = (said: string) => [{ type: 'text', text: said }];
const read = (...events: readonly unknown[]) =>
  piFormat.parse([header, ...events].map((event) => JSON.stringify(event)).join('\n'));
const contents = (imported: ReturnType<typeof read>) => messagesOf(imported).map(({ content }) => content);

describe('importing Pi sessions', () => {
  it('reads messages, calls and results', () => {
    const imported = read(
      message('user', text('count the lines')),
      { type: 'model_change', timestamp, modelId: 'x' },
      message('assistant', [
        { type: 'thinking', thinking: 'wc' },
        ...text('I count.'),
        { type: 'toolCall', id: 'c1', name: 'bash', arguments: { command: 'wc -l a' } },
      ]),
      message('toolResult', text('no such file'), { toolCallId: 'c1', toolName: 'bash', isError: true }),
      message('assistant', [], { stopReason: 'aborted' }),
    );
    expect(imported.problems).toEqual([]);
    expect(messagesOf(imported)).toEqual([
      { id: 'm1', role: 'user', content: 'count the lines', origin: 'person', createdAt: timestamp },
      {
        id: 'm2',
        role: 'assistant',
        content: 'I count.',
        reasoning: 'wc',
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'bash', arguments: '{"command":"wc -l a"}' } },
        ],
        origin: 'model',
        createdAt: timestamp,
      },
      {
        id: 'm3',
        role: 'tool',
        tool_call_id: 'c1',
        name: 'bash',
        content: 'no such file',
        origin: 'tool',
        createdAt: timestamp,
        isError: true,
      },
    ]);
  });

  it('follows the branch of the last line', () => {
    const entry = (id: string, parentId: string | null, said: string) => ({
      ...message('user', text(said)),
      id,
      parentId,
    });
    const imported = read(
      entry('a', null, 'root'),
      entry('b', 'a', 'left'),
      entry('c', 'b', 'left again'),
      { type: 'branch_summary', id: 'd', parentId: 'a', timestamp, fromId: 'c', summary: 'went left' },
      { type: 'custom_message', id: 'e', parentId: 'd', timestamp, content: text('from an extension') },
      entry('f', 'e', 'right'),
    );
    expect(contents(imported)).toEqual(['root', 'went left', 'from an extension', 'right']);
    expect(messagesOf(imported).map(({ origin }) => origin)).toEqual([
      'person',
      'harness',
      'harness',
      'person',
    ]);
  });

  it('continues from the previous line if a parent is missing or follows its child', () => {
    const entry = (id: string, parentId: string | null) => ({ ...message('user', text(id)), id, parentId });
    expect(contents(read(entry('a', null), entry('b', 'lost'), entry('c', 'b')))).toEqual(['a', 'b', 'c']);
    expect(contents(read(entry('a', null), entry('b', 'c'), entry('c', 'b')))).toEqual(['a', 'b', 'c']);
  });

  it.each([
    ['a line of the file', { firstKeptEntryIndex: 2 }],
    ['the id of a line', { firstKeptEntryId: 'b' }],
  ])('recognises by %s which messages a compaction kept', (_, firstKept) => {
    const imported = read(
      { ...message('user', text('one')), id: 'a' },
      { ...message('user', text('two')), id: 'b' },
      { type: 'compaction', timestamp, summary: 'One.', ...firstKept },
      message('user', text('three')),
    );
    expect(imported.compactions).toEqual([
      { agent: 'pi', beforeMessageIndex: 2, keptFromIndex: 1, summary: 'One.', createdAt: timestamp },
    ]);
  });

  it('keeps no messages if the compaction does not name a line of the conversation', () => {
    const compaction = { type: 'compaction', timestamp, summary: 'One.', firstKeptEntryId: 'z' };
    const imported = read(message('user', text('one')), compaction);
    expect(imported.compactions).toEqual([
      { agent: 'pi', beforeMessageIndex: 1, summary: 'One.', createdAt: timestamp },
    ]);
  });

  it("keeps the user's shell commands unless they were hidden from the model", () => {
    const run = (command: string, more: object) =>
      message('bashExecution', undefined, { command, output: 'a.ts\n1 failed', exitCode: 1, ...more });
    const imported = read(
      run('npm test', {}),
      run('secret', { excludeFromContext: true }),
      run('sleep 9', { output: '', exitCode: undefined, cancelled: true }),
    );
    expect(imported.problems).toEqual([]);
    expect(messagesOf(imported)).toMatchObject([
      { role: 'user', origin: 'harness', content: '$ npm test\na.ts\n1 failed\n[exit code 1]' },
      { content: '$ sleep 9\n[cancelled]' },
    ]);
  });

  it('reads the model and the usage of each reply', () => {
    const usage = { input: 5, output: 7, cacheRead: 80, cacheWrite: 15, cost: { total: 1 } };
    const [reply] = messagesOf(read(message('assistant', text('Hi.'), { model: 'claude-opus-4-6', usage })));
    expect(reply).toMatchObject({
      modelId: 'claude-opus-4-6',
      usage: { inputTokens: 100, outputTokens: 7, cachedInputTokens: 80, cacheWriteTokens: 15 },
    });
  });

  it('lists abandoned branches as other conversations', () => {
    const row = (id: string, parentId: string | null, said: string) => ({
      ...message('user', text(said)),
      id,
      parentId,
    });
    const imported = read(
      row('a', null, 'one'),
      row('b', 'a', 'two'),
      row('c', 'b', 'three'),
      row('d', 'a', 'four'),
    );
    expect(contents(imported)).toEqual(['one', 'four']);
    expect(imported.others).toMatchObject([{ kind: 'branch', id: 'c', opening: 'two' }]);
    expect(contents(imported.others![0]!.read())).toEqual(['one', 'two', 'three']);
  });

  it.each([
    [{ type: 'message', message: 3 }, 'a message is an object.'],
    [message('user', 3), 'the content of a message is a text or an array of parts.'],
    [
      message('narrator', 'x'),
      'a message has a role, one of user, assistant, toolResult, bashExecution, custom.',
    ],
    [message('bashExecution', 'x'), 'a command that was run has command.'],
    [message('toolResult', text('x')), 'a result has toolCallId and content.'],
    [message('assistant', 'x'), 'the content of a reply is an array of parts.'],
    [message('assistant', [{ type: 'song' }]), 'a part of a reply is a text, a thought or a tool call.'],
    [{ type: 'custom_message', content: 3 }, 'its content is a text or an array of parts.'],
  ])('skips %j with a reason', (malformed, objection) => {
    const imported = read(malformed, message('user', text('still here')));
    expect(imported.problems).toEqual([`Line 2 was skipped: ${objection}`]);
    expect(contents(imported)).toEqual(['still here']);
  });

  it('states the expected form if the file has another format', () => {
    const own = { type: 'session', version: 1, id: 's1', createdAt: timestamp };
    expect(() => piFormat.parse(JSON.stringify(own))).toThrow('Line 1: expected a Pi session');
  });
});
