import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../../../src/compaction/transcript/transcript.ts';
import { importTranscript } from '../../../../src/transcripts/import-transcript.ts';
import { formatSamples } from '../../../support/format-samples.ts';

/** Chats in the form in which VS Code keeps them, made by hand. */
const chat = (requests: readonly object[], more: object = {}) => ({
  version: 3,
  responderUsername: 'GitHub Copilot',
  requests,
  ...more,
});
const read = (...requests: readonly object[]) => importTranscript(JSON.stringify(chat(requests)));
const request = (text: string, more: object = {}) => ({ message: { text }, ...more });
const rounds = (toolCallRounds: readonly object[], more: object = {}) => ({
  result: { metadata: { toolCallRounds, ...more } },
});

describe('chats of Copilot Chat', () => {
  it('contain requests and replies, with model, thoughts, results and usage', () => {
    const imported = importTranscript(formatSamples['copilot-chat'] ?? '');
    const [prompt, call, result, reply] = messagesOf(imported);
    expect(prompt).toMatchObject({ role: 'user', origin: 'person', content: 'read this' });
    expect(call).toMatchObject({ modelId: 'x', reasoning: 'which?', tool_calls: [{ id: 'c1' }] });
    expect(result).toMatchObject({ tool_call_id: 'c1', content: 'export const a = 1;' });
    expect(reply).toMatchObject({ content: 'It exports a.', usage: { inputTokens: 9, outputTokens: 3 } });
  });

  it('have a compaction after the last round that the summary replaces', () => {
    expect(importTranscript(formatSamples['copilot-chat'] ?? '').compactions).toMatchObject([
      { agent: 'copilot-chat', beforeMessageIndex: 3, summary: 'notes' },
    ]);
  });

  it('have a summary once, even if both its round and a later request contain it', () => {
    const first = request('a', rounds([{ id: 'o1', response: 'one', summary: 'notes' }]));
    const summaries = [{ toolCallRoundId: 'o1', text: 'notes' }];
    const second = request('b', rounds([{ id: 'o2', response: 'two' }], { summaries }));
    expect(read(first, second).compactions).toMatchObject([{ beforeMessageIndex: 2, summary: 'notes' }]);
  });

  it('have the trigger of a compaction and the size before the compaction if the file states these', () => {
    const first = request('a', rounds([{ id: 'o1', response: 'one', summary: 'notes' }]));
    const made = { source: 'background', outcome: 'success', contextLengthBefore: 90_000 };
    const summaries = [
      { toolCallRoundId: 'o1', text: 'notes', ...made },
      { toolCallRoundId: 'o1', text: 'it went wrong', ...made, outcome: 'error' },
    ];
    const second = request('b', rounds([{ id: 'o2', response: 'two' }], { summaries }));
    expect(read(first, second).compactions).toEqual([
      {
        agent: 'copilot-chat',
        beforeMessageIndex: 2,
        summary: 'notes',
        trigger: 'automatic',
        tokensBefore: 90_000,
      },
    ]);
  });

  it('have a compaction if the user requested it by a command', () => {
    const first = request(
      'a',
      rounds([{ id: 'o1', response: 'one' }], { promptTokens: 500, outputTokens: 5 }),
    );
    const asked = request('/compact', {
      slashCommand: { name: 'compact' },
      response: [{ value: 'Compacted conversation.' }],
      result: { metadata: { summary: { toolCallRoundId: 'o1', text: 'notes' } } },
      promptTokens: 700,
    });
    const imported = read(first, asked);
    expect(imported.compactions).toMatchObject([
      { beforeMessageIndex: 2, summary: 'notes', trigger: 'manual' },
    ]);
    expect(messagesOf(imported).map(({ usage }) => usage?.inputTokens)).toEqual([
      undefined,
      500,
      undefined,
      undefined,
    ]);
  });

  it('have the tokens that VS Code noted for a call, and the window of the selected model', () => {
    const selectedModel = { metadata: { maxInputTokens: 111_000, maxOutputTokens: 16_000 } };
    const requests = [request('a', { promptTokens: 500, ...rounds([{ id: 'o1', response: 'one' }]) })];
    const imported = importTranscript(JSON.stringify(chat(requests, { inputState: { selectedModel } })));
    expect(messagesOf(imported)[1]?.usage).toEqual({ inputTokens: 500, outputTokens: 0 });
    expect(imported.window).toBe(127_000);
  });

  it('contain the displayed reply while a request is running', () => {
    const response = [
      { value: 'I ' },
      { kind: 'inlineReference' },
      { value: 'look.' },
      {
        kind: 'toolInvocationSerialized',
        toolCallId: 'c1',
        toolId: 'run_in_terminal',
        isComplete: true,
        toolSpecificData: { kind: 'terminal', commandLine: { original: 'ls' } },
        pastTenseMessage: { value: 'Ran `ls`' },
      },
      { value: 'Two files.' },
    ];
    expect(messagesOf(read(request('list', { response })))).toMatchObject([
      { content: 'list' },
      {
        content: 'I look.',
        tool_calls: [{ function: { name: 'run_in_terminal', arguments: '{"command":"ls"}' } }],
      },
      { content: 'Ran `ls`' },
      { content: 'Two files.' },
    ]);
  });

  it('leave out requests that the user withdrew', () => {
    const taken = request('wrong', { shouldBeRemovedOnSend: { requestId: 'q' } });
    expect(messagesOf(read(request('right'), taken)).map(({ content }) => content)).toEqual(['right']);
  });

  it('have the texts of results stored as trees of elements, and placeholders for pictures', () => {
    const tree = {
      node: { type: 1, children: [{ text: 'first' }, { text: 'second', lineBreakBefore: true }] },
    };
    const content = [{ value: tree }, { mimeType: 'image/png', data: 'AA==' }];
    const toolCalls = [{ id: 'c1', name: 'look', arguments: '{}' }];
    const result = rounds([{ id: 'o1', response: '', toolCalls }], { toolCallResults: { c1: { content } } });
    expect(messagesOf(read(request('a', result))).at(-1)?.content).toBe('first\nsecond\n[image]');
  });
});

describe('the log of a Copilot chat', () => {
  const requestOf = fc.string().map((text) => request(text, rounds([{ id: 'o', response: `re: ${text}` }])));

  it('yields the chat after all changes', () => {
    fc.assert(
      fc.property(fc.array(requestOf), fc.array(requestOf), fc.nat(5), (first, second, kept) => {
        const changes = [
          { kind: 0, v: chat(first) },
          { kind: 2, k: ['requests'], v: second, i: kept },
          { kind: 1, k: ['customTitle'], v: 'named' },
          { kind: 3, k: ['customTitle'] },
        ];
        const log = changes.map((change) => `${JSON.stringify(change)}\n`).join('');
        const whole = JSON.stringify(chat([...first.slice(0, kept), ...second]));
        expect(importTranscript(log).entries).toEqual(importTranscript(whole).entries);
      }),
      { numRuns: 100 },
    );
  });

  it.each([
    ['of an unknown kind', { kind: 9, k: ['requests'] }],
    ['at a path that does not exist', { kind: 1, k: ['requests', 7, 'message'], v: {} }],
    ['of a property that every object inherits', { kind: 1, k: ['__proto__', 'polluted'], v: true }],
  ])('reports a change %s, and reads the rest', (_which, change) => {
    const log = [
      { kind: 0, v: chat([request('a')]) },
      change,
      { kind: 2, k: ['requests'], v: [request('b')] },
    ]
      .map((line) => JSON.stringify(line))
      .join('\n');
    const imported = importTranscript(log);
    expect(imported.problems).toEqual([
      'Line 2 was skipped: a change is set, added or removed at a path that there is.',
    ]);
    expect(messagesOf(imported).map(({ content }) => content)).toEqual(['a', 'b']);
    expect(Object.prototype).not.toHaveProperty('polluted');
  });
});
