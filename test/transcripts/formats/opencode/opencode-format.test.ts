import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../../../src/compaction/transcript/transcript.ts';
import { importTranscript } from '../../../../src/transcripts/import-transcript.ts';
import { formatSamples, opencodeMessages } from '../../../support/format-samples.ts';

const read = (messages: readonly object[], info: object = {}) =>
  importTranscript(JSON.stringify({ info: { id: 'ses_1', ...info }, messages }));
const reply = (parts: readonly object[], more: object = {}) => ({
  info: { role: 'assistant', ...more },
  parts,
});
const prompt = (...parts: readonly object[]) => ({ info: { role: 'user' }, parts });

describe('sessions of opencode', () => {
  it('contain messages, calls with their results, pictures, models and reported usage', () => {
    const [asked, call, result, said] = messagesOf(importTranscript(formatSamples['opencode'] ?? ''));
    expect(asked).toMatchObject({
      origin: 'person',
      content: [{ text: 'read this' }, { type: 'image_url' }],
    });
    expect(call).toMatchObject({
      modelId: 'x',
      reasoning: 'which?',
      usage: { inputTokens: 9, outputTokens: 3, cachedInputTokens: 4 },
      tool_calls: [{ id: 'c1', function: { name: 'read', arguments: '{"path":"a.ts"}' } }],
    });
    expect(result).toMatchObject({ content: 'export const a = 1;', tool_call_id: 'c1' });
    expect(said).toMatchObject({ content: 'It exports a.' });
  });

  it('have a compaction at the position where its summary was requested', () => {
    expect(importTranscript(formatSamples['opencode'] ?? '').compactions).toMatchObject([
      { agent: 'opencode', beforeMessageIndex: 3, summary: 'notes', trigger: 'automatic', tokensBefore: 9 },
    ]);
  });

  it('keep the last messages that a compaction kept', () => {
    const [first, call, compaction, summary] = opencodeMessages;
    const kept = { ...compaction, parts: [{ type: 'compaction', auto: false, tail_start_id: 'msg_2' }] };
    expect(read([first, call, kept, summary]).compactions).toMatchObject([
      { beforeMessageIndex: 3, keptFromIndex: 1, trigger: 'manual' },
    ]);
  });

  it('have no compaction if its summary failed or is still being written', () => {
    const summary = (more: object) => reply([{ type: 'text', text: 'half' }], { summary: true, ...more });
    const unfinished = read([prompt({ type: 'text', text: 'a' }), summary({})]);
    const failed = read([
      prompt({ type: 'text', text: 'a' }),
      summary({ finish: 'error', error: { name: 'x' } }),
    ]);
    expect([unfinished.compactions, failed.compactions]).toEqual([[], []]);
  });

  it('have a message for each step of a reply', () => {
    const tool = {
      type: 'tool',
      callID: 'c1',
      tool: 'ls',
      state: { status: 'error', input: {}, error: 'no' },
    };
    const parts = [{ type: 'step-start' }, tool, { type: 'step-start' }, { type: 'text', text: 'Sorry.' }];
    expect(messagesOf(read([reply(parts)]))).toMatchObject([
      { tool_calls: [{ id: 'c1' }] },
      { content: 'no', isError: true },
      { content: 'Sorry.' },
    ]);
  });

  it("distinguish the program's text from typed text", () => {
    const own = { type: 'text', text: 'see a.txt' };
    const file = { type: 'file', mime: 'text/plain', filename: 'a.txt', url: 'file:///a.txt' };
    const added = { type: 'text', text: 'content of a.txt', synthetic: true };
    expect(
      messagesOf(read([prompt(own, file, added)])).map(({ origin, content }) => [origin, content]),
    ).toEqual([
      ['person', 'see a.txt'],
      ['harness', 'content of a.txt'],
    ]);
  });

  it('have undone messages and sub-agents as separate conversations', () => {
    const imported = read(opencodeMessages, { revert: { messageID: 'msg_2' } });
    expect(messagesOf(imported)).toHaveLength(1);
    expect(imported.others?.map(({ kind }) => kind)).toEqual(['branch']);
    const { others = [] } = importTranscript(formatSamples['opencode'] ?? '');
    expect(others.map(({ kind, id, opening }) => [kind, id, opening])).toEqual([
      ['sub-agent', 'ses_2', 'read this'],
    ]);
    expect(messagesOf(others[0]!.read())).toHaveLength(3);
  });
});
