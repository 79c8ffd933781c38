import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../../../src/compaction/transcript/transcript.ts';
import { readTranscript as importTranscript } from '../../../../src/library/foreign-transcripts.ts';
import { formatSamples } from '../../../support/format-samples.ts';

/** Lines in the form of Copilot's exporter to a file, made by hand. */
const request = (text: string, attributes: object = {}) => {
  const input = JSON.stringify([{ role: 'user', parts: [{ type: 'text', content: text }] }]);
  return `${JSON.stringify({ attributes: { 'gen_ai.request.model': 'x', 'gen_ai.input.messages': input, ...attributes } })}\n`;
};
const inChat = (id: string) => ({ 'copilot_chat.chat_session_id': id });

describe('telemetry of Copilot Chat', () => {
  it('contains the newest request, with tools, window, reply and reported usage', () => {
    const imported = importTranscript(formatSamples['copilot-otel'] ?? '');
    expect(messagesOf(imported)).toMatchObject([
      { role: 'system', content: 'rules' },
      { role: 'user', origin: 'person', content: 'read this' },
      {
        tool_calls: [{ id: 'c1', function: { name: 'read_file', arguments: '{"path":"a.ts"}' } }],
        reasoning: 'which?',
      },
      { role: 'tool', tool_call_id: 'c1', content: 'export const a = 1;' },
      {
        content: 'It exports a.',
        modelId: 'x',
        usage: { inputTokens: 9, outputTokens: 3, cachedInputTokens: 4 },
      },
    ]);
    expect(imported.tools).toMatchObject([{ function: { name: 'read_file' } }]);
    expect(imported.window).toBe(100);
  });

  it('contains the chat of the last request, and other chats as separate conversations', () => {
    const ofSubAgent = { ...inChat('c'), 'copilot_chat.parent_chat_session_id': 'b' };
    const text = request('old', inChat('a')) + request('new', inChat('b')) + request('helper', ofSubAgent);
    const imported = importTranscript(text);
    expect(messagesOf(imported).map(({ content }) => content)).toEqual(['new']);
    expect(imported.others?.map(({ kind, id, opening }) => [kind, id, opening])).toEqual([
      ['sub-agent', 'c', 'helper'],
      ['branch', 'a', 'old'],
    ]);
  });

  it('does not treat the request for a title as the chat', () => {
    const tools = { 'gen_ai.tool.definitions': '[{"name":"read_file"}]' };
    const text = request('asked', { ...inChat('a'), ...tools }) + request('a title for this', inChat('a'));
    expect(messagesOf(importTranscript(text)).map(({ content }) => content)).toEqual(['asked']);
  });

  it('names the setting to turn on if it contains no messages', () => {
    const line = JSON.stringify({
      attributes: { 'gen_ai.request.model': 'x', 'gen_ai.usage.input_tokens': 9 },
    });
    expect(() => importTranscript(line)).toThrow('github.copilot.chat.otel.captureContent');
  });
});
