import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { pairCalls } from '../../../../src/compaction/messages/exchange.ts';
import { messagesOf } from '../../../../src/compaction/transcript/transcript.ts';
import { geminiCliFormat } from '../../../../src/transcripts/formats/gemini-cli/gemini-cli-format.ts';
import { ImportError } from '../../../../src/transcripts/reading/transcript-format.ts';

/**
 * Files in the form of `ConversationRecord`, `MessageRecord` and `ToolCallRecord` of google-gemini/gemini-cli
 * (packages/core/src/services/chatRecordingTypes.ts), and of `Checkpoint` (packages/core/src/core/logger.ts).
 */
const header = { sessionId: 's1', projectHash: 'h1', startTime: '2026-03-01T10:00:00.000Z', kind: 'main' };
const timeOf = (second: number) => `2026-03-01T10:00:0${second}.000Z`;
const record = (second: number, id: string, type: string, content: unknown, more: object = {}) => ({
  id,
  timestamp: timeOf(second),
  type,
  content,
  ...more,
});
const response = (id: string, name: string, given: object) => ({
  functionResponse: { id, name, response: given },
});
const call = (id: string, name: string, args: object, more: object = {}) => ({
  id,
  name,
  args,
  status: 'success',
  timestamp: timeOf(9),
  ...more,
});
const tokens = { input: 1_200, output: 40, cached: 800, thoughts: 60, tool: 0, total: 1_300 };
const preamble =
  '<session_context>\nThis is the Gemini CLI. We are setting up the context for our chat.\n</session_context>';
const acknowledgement = 'Got it. Thanks for the additional context!';
const snapshot = (goal: string) => `<state_snapshot><overall_goal>${goal}</overall_goal></state_snapshot>`;

const readLog = (...lines: readonly unknown[]) =>
  geminiCliFormat.parse([header, ...lines].map((line) => JSON.stringify(line)).join('\n'));
const readSession = (...messages: readonly unknown[]) =>
  geminiCliFormat.parse(JSON.stringify({ ...header, messages }, undefined, 2));
const readCheckpoint = (...history: readonly unknown[]) =>
  geminiCliFormat.parse(JSON.stringify({ history, authType: 'oauth-personal' }, undefined, 2));

const conversation = [
  record(1, 'u1', 'user', [{ text: 'What is in a.txt?' }]),
  record(2, 'g1', 'gemini', 'I look.', {
    thoughts: [{ subject: 'Reading', description: 'The file will tell.', timestamp: timeOf(2) }],
    tokens,
    toolCalls: [
      call(
        'c1',
        'read_file',
        { file_path: 'a.txt' },
        { result: [response('c1', 'read_file', { output: 'A' })] },
      ),
    ],
  }),
  record(3, 'i1', 'info', 'Switched to another model.'),
  record(4, 'g2', 'gemini', [{ text: 'It says A.' }]),
];

describe('a session of Gemini CLI', () => {
  it.each([
    ['JSON lines', readLog(...conversation)],
    ['one object', readSession(...conversation)],
  ])('contains messages, calls, results, thoughts and usage in the form of %s', (_shape, imported) => {
    expect(messagesOf(imported)).toEqual([
      { id: 'm1', origin: 'person', createdAt: timeOf(1), role: 'user', content: 'What is in a.txt?' },
      {
        id: 'm2',
        origin: 'model',
        createdAt: timeOf(2),
        role: 'assistant',
        content: 'I look.',
        reasoning: 'Reading\nThe file will tell.',
        usage: { inputTokens: 1_200, outputTokens: 100, cachedInputTokens: 800 },
        tool_calls: [
          { id: 'c1', type: 'function', function: { name: 'read_file', arguments: '{"file_path":"a.txt"}' } },
        ],
      },
      { id: 'm3', origin: 'tool', createdAt: timeOf(9), role: 'tool', tool_call_id: 'c1', content: 'A' },
      { id: 'm4', origin: 'model', createdAt: timeOf(4), role: 'assistant', content: 'It says A.' },
    ]);
    expect(imported.problems).toEqual([]);
  });

  it('can be one object on a single line', () => {
    const text = JSON.stringify({ ...header, messages: conversation });
    expect(messagesOf(geminiCliFormat.parse(text))).toEqual(messagesOf(readSession(...conversation)));
  });

  it('marks the results of failed tools', () => {
    const failed = call(
      'c1',
      'replace',
      {},
      { status: 'error', result: [response('c1', 'replace', { error: 'no match' })] },
    );
    const [, result] = messagesOf(readLog(record(1, 'g1', 'gemini', '', { toolCalls: [failed] })));
    expect(result).toMatchObject({ content: 'no match', isError: true });
  });

  it('contains the displayed form of a result if the file has no other form', () => {
    const shown = call('c1', 'glob', {}, { resultDisplay: 'Found 2 files' });
    const [, result] = messagesOf(readLog(record(1, 'g1', 'gemini', '', { toolCalls: [shown] })));
    expect(result).toMatchObject({ role: 'tool', content: 'Found 2 files' });
  });

  it('leaves a call without a result unanswered', () => {
    const running = call('c1', 'glob', {}, { status: 'executing' });
    const imported = readLog(
      record(1, 'g1', 'gemini', '', { toolCalls: [running] }),
      record(2, 'u1', 'user', 'stop'),
    );
    expect(messagesOf(imported).map(({ role }) => role)).toEqual(['assistant', 'user']);
  });

  it('places a result from a separate turn once, directly after its call', () => {
    const calling = [{ text: 'Reading.' }, { functionCall: { id: 'f1', name: 'read_file', args: {} } }];
    const answered = record(3, 'g1_response', 'user', [response('f1', 'read_file', { output: 'A' })]);
    const imported = readLog(record(1, 'g1', 'gemini', calling), record(2, 'u1', 'user', 'hurry'), answered, {
      ...answered,
      id: 'again',
    });
    expect(messagesOf(imported).map(({ role, content }) => [role, content])).toEqual([
      ['assistant', 'Reading.'],
      ['tool', 'A'],
      ['user', 'hurry'],
    ]);
    expect(imported.problems).toEqual([]);
  });

  it('contains thoughts from the parts of a message if the message has no other thoughts', () => {
    const imported = readLog(record(1, 'g1', 'gemini', [{ text: 'Hm.', thought: true }, { text: 'A cat.' }]));
    expect(messagesOf(imported)).toMatchObject([{ content: 'A cat.', reasoning: 'Hm.' }]);
  });

  it('contains pictures, and the types of other files', () => {
    const imported = readLog(
      record(1, 'u1', 'user', [
        { inlineData: { mimeType: 'image/png', data: 'AAAA' } },
        { inlineData: { mimeType: 'application/pdf', data: 'BBBB' } },
        'what is that?',
      ]),
    );
    expect(messagesOf(imported)[0]?.content).toEqual([
      { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } },
      { type: 'text', text: '[application/pdf]' },
      { type: 'text', text: 'what is that?' },
    ]);
  });

  it("distinguishes the program's text from the user's", () => {
    const imported = readLog(record(1, 'u0', 'user', preamble), record(2, 'u1', 'user', 'hello'));
    expect(messagesOf(imported).map(({ origin }) => origin)).toEqual(['harness', 'person']);
  });
});

describe('the log of a session', () => {
  it('contains the last version of a message at its first position', () => {
    const imported = readLog(
      record(1, 'g1', 'gemini', 'draft'),
      record(2, 'u1', 'user', 'next'),
      record(1, 'g1', 'gemini', 'final'),
    );
    expect(messagesOf(imported).map(({ content }) => content)).toEqual(['final', 'next']);
  });

  it('restores the state before a message if the user went back', () => {
    const imported = readLog(
      record(1, 'u1', 'user', 'keep'),
      record(2, 'u2', 'user', 'regret'),
      record(3, 'g2', 'gemini', 'regret, too'),
      { $rewindTo: 'u2' },
      record(4, 'u3', 'user', 'again'),
    );
    expect(messagesOf(imported).map(({ content }) => content)).toEqual(['keep', 'again']);
  });

  it('begins with the initial history', () => {
    const imported = readLog(
      { $set: { messages: [record(0, 's0', 'user', preamble)], lastUpdated: timeOf(0) } },
      record(1, 'u1', 'user', 'hello'),
    );
    expect(messagesOf(imported).map(({ content }) => content)).toEqual([preamble, 'hello']);
  });

  const compressed = (goal: string, ...kept: readonly object[]) => ({
    $set: {
      messages: [
        record(5, 'x0', 'user', [{ text: preamble }]),
        record(5, `x1${goal}`, 'user', [{ text: snapshot(goal) }]),
        record(5, 'x2', 'gemini', [{ text: acknowledgement }]),
        ...kept,
      ],
    },
  });
  const said = [
    record(1, 'u1', 'user', 'one'),
    record(2, 'g1', 'gemini', 'two'),
    record(3, 'u2', 'user', 'three'),
    record(4, 'g2', 'gemini', 'four'),
  ];

  it('recognises a compaction by the remaining history, and keeps all messages', () => {
    const imported = readLog(...said, compressed('tidy'), record(6, 'u3', 'user', 'five'));
    expect(messagesOf(imported).map(({ content }) => content)).toEqual([
      'one',
      'two',
      'three',
      'four',
      'five',
    ]);
    expect(imported.compactions).toEqual([
      { agent: 'gemini-cli', beforeMessageIndex: 4, summary: snapshot('tidy'), createdAt: timeOf(5) },
    ]);
  });

  it('recognises messages that a compaction kept under new ids', () => {
    const kept = [
      record(3, 'new3', 'user', [{ text: 'three' }]),
      record(4, 'new4', 'gemini', [{ text: 'four' }]),
    ];
    const imported = readLog(...said, compressed('tidy', ...kept));
    expect(imported.compactions).toMatchObject([{ beforeMessageIndex: 4, keptFromIndex: 2 }]);
  });

  it('does not treat a rewritten history as a new compaction', () => {
    const imported = readLog(
      ...said,
      compressed('tidy'),
      record(6, 'u3', 'user', 'five'),
      compressed('tidy', record(6, 'u3', 'user', 'five')),
      compressed('tidier'),
    );
    expect(
      imported.compactions.map(({ summary, beforeMessageIndex }) => [beforeMessageIndex, summary]),
    ).toEqual([
      [4, snapshot('tidy')],
      [5, snapshot('tidier')],
    ]);
  });

  it('recognises a second compaction with the same summary by the new id of the summary', () => {
    const again = (message: object, index: number) => (index === 1 ? { ...message, id: 'again' } : message);
    const second = { $set: { messages: compressed('tidy').$set.messages.map(again) } };
    const resumed = second;
    const imported = readLog(...said, compressed('tidy'), record(6, 'u3', 'user', 'five'), second, resumed);
    expect(imported.compactions.map(({ beforeMessageIndex }) => beforeMessageIndex)).toEqual([4, 5]);
  });

  it('omits a compaction if the user returned to an earlier message', () => {
    const imported = readLog(...said, compressed('tidy'), { $rewindTo: 'g1' });
    expect(imported.compactions).toEqual([]);
  });

  it('places a compaction after results that belong to earlier messages', () => {
    const calling = record(1, 'g0', 'gemini', '', {
      toolCalls: [call('c1', 'glob', {}), call('c2', 'glob', {}, { result: 'two files' })],
    });
    const imported = readLog(calling, ...said, compressed('tidy'), record(6, 'u3', 'user', 'five'));
    expect(imported.compactions).toMatchObject([{ beforeMessageIndex: 6 }]);
  });
});

describe('a checkpoint of Gemini CLI', () => {
  const turn = (role: string, ...parts: readonly unknown[]) => ({ role, parts });

  it('contains the history in the format of the API, with or without call ids', () => {
    const imported = readCheckpoint(
      turn('user', { text: 'look' }),
      turn('model', { functionCall: { name: 'glob', args: { pattern: '*' } } }),
      turn('user', { functionResponse: { name: 'glob', response: { output: 'a.txt' } } }),
      turn('model', { text: 'One file.' }),
    );
    expect(messagesOf(imported)).toMatchObject([
      { role: 'user', content: 'look' },
      { role: 'assistant', content: null, tool_calls: [{ id: 'call_0001' }] },
      { role: 'tool', tool_call_id: 'call_0001', content: 'a.txt' },
      { role: 'assistant', content: 'One file.' },
    ]);
  });

  it('may consist only of the history, as in older versions', () => {
    const text = JSON.stringify([turn('user', { text: 'hi' })]);
    expect(geminiCliFormat.recognises(text)).toBe(true);
    expect(messagesOf(geminiCliFormat.parse(text))).toMatchObject([{ content: 'hi' }]);
  });

  it('contains a compaction if it begins with a summary of earlier messages', () => {
    const imported = readCheckpoint(
      turn('user', { text: preamble }),
      turn('model', { text: 'Got it. Thanks for the context!' }),
      turn('user', { text: snapshot('tidy') }),
      turn('model', { text: acknowledgement }),
      turn('user', { text: 'go on' }),
    );
    expect(messagesOf(imported).map(({ content }) => content)).toEqual([
      preamble,
      'Got it. Thanks for the context!',
      'go on',
    ]);
    expect(imported.compactions).toEqual([
      { agent: 'gemini-cli', beforeMessageIndex: 2, keptFromIndex: 0, summary: snapshot('tidy') },
    ]);
  });
});

describe('an unreadable part of a session of Gemini CLI', () => {
  it('is reported line by line in a log', () => {
    const { problems } = readLog(
      record(1, 'u1', 'user', 7),
      record(2, 'u2', 'riddle', 'x'),
      { unrelated: true },
      { $rewindTo: 'nowhere' },
      record(3, 'g1', 'gemini', 'x', { toolCalls: [null] }),
      record(4, 'u3', 'user', [{ videoMetadata: {} }]),
      record(5, 'u4', 'user', [response('c9', 'glob', { output: 'x' })]),
    );
    expect([...problems].sort()).toEqual([
      'Line 2 was skipped: the content of a message is a text or an array of parts.',
      'Line 3 was skipped: a message has a type, one of user, gemini, info, warning, error.',
      'Line 4 was skipped: a line has a message, or tells something of the session.',
      'Line 5 was skipped: there is no message to go back to.',
      'Line 6 was skipped: a call of a tool has a name.',
      'Line 7 was skipped: of its parts only texts, thoughts, files, calls and results can be read.',
      'Line 8 was skipped: a result has a call before it.',
    ]);
  });

  it('is reported with its line in one object', () => {
    const { problems } = readSession(...conversation.slice(0, 1), 'not a message');
    expect(problems).toEqual(['Line 17 was skipped: a message is an object.']);
  });

  it.each([
    [
      '{ "sessionId": "s1", "projectHash": "h1",\n  "messages": 3 }',
      /^Line 2: expected a Gemini CLI session/,
    ],
    [
      '{ "sessionId": "s1", "projectHash": "h1",\n "messages": [',
      /^Line 2: expected .* but this is not valid JSON/,
    ],
    ['nothing of that kind', /^Line 1: expected a Gemini CLI session/],
  ])('is refused if nothing can be read: %j', (text, message) => {
    expect(() => geminiCliFormat.parse(text)).toThrow(ImportError);
    expect(() => geminiCliFormat.parse(text)).toThrow(message);
  });
});

describe('a session with any lines', () => {
  const callId = fc.constantFrom('c1', 'c2', undefined);
  const parts = fc.array(
    fc.oneof(
      fc.record({ text: fc.string(), thought: fc.boolean() }),
      fc.record({ functionCall: fc.record({ id: callId, name: fc.constantFrom('glob', 'grep') }) }),
      fc.record({
        functionResponse: fc.record({
          id: callId,
          name: fc.constantFrom('glob', 'grep'),
          response: fc.jsonValue(),
        }),
      }),
      fc.jsonValue(),
    ),
    { maxLength: 4 },
  );
  const message = fc.record({
    id: fc.constantFrom('a', 'b', 'c', 'd'),
    type: fc.constantFrom('user', 'gemini', 'info'),
    content: fc.oneof(parts, fc.string(), fc.jsonValue()),
    toolCalls: fc.oneof(
      fc.jsonValue(),
      fc.array(fc.record({ id: callId, name: fc.string(), result: parts })),
    ),
    tokens: fc.jsonValue(),
    thoughts: fc.jsonValue(),
  });
  const line = fc.oneof(
    message,
    fc.record({ $rewindTo: fc.constantFrom('a', 'b', 'x') }),
    fc.record({ $set: fc.record({ messages: fc.array(message) }) }),
    fc.jsonValue(),
  );

  it('is read with every result after its call', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 8 }), (lines) => {
        const imported = readLog(...lines);
        const messages = messagesOf(imported);
        const results = messages.flatMap(({ role }, index) => (role === 'tool' ? [index] : []));
        const { callerOf } = pairCalls(messages);
        expect(results.filter((index) => !callerOf.has(index))).toEqual([]);
        for (const { beforeMessageIndex, keptFromIndex = 0 } of imported.compactions) {
          expect(keptFromIndex).toBeLessThanOrEqual(beforeMessageIndex);
          expect(beforeMessageIndex).toBeLessThanOrEqual(messages.length);
        }
      }),
    );
  });
});
