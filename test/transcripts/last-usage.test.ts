import { describe, expect, it } from 'vitest';
import { lastUsage } from '../../src/transcripts/last-usage.ts';

const lines = (...events: readonly object[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('');
const reply = (input: number, output: number, more: object = {}) => ({
  type: 'assistant',
  message: {
    model: 'claude-sonnet-4-5',
    usage: {
      input_tokens: 5,
      cache_read_input_tokens: input - 5,
      cache_creation_input_tokens: 0,
      output_tokens: output,
    },
  },
  ...more,
});

describe('the last reported usage of a session', () => {
  it('is that of the newest reply, with what came from the cache', () => {
    const tail = `d":"half a line"}\n${lines(reply(1_000, 10), reply(2_000, 20), { type: 'user' })}`;
    expect(lastUsage('claude-code', tail)).toEqual({ tokens: 2_020, model: 'claude-sonnet-4-5' });
  });

  it('is unknown after a compaction until the next reply', () => {
    const compacted = lines(reply(1_000, 10), { type: 'system', subtype: 'compact_boundary' });
    expect(lastUsage('claude-code', compacted)).toBeUndefined();
    expect(lastUsage('claude-code', compacted + lines(reply(300, 5)))?.tokens).toBe(305);
  });

  it('is not that of a sub-agent in the same file', () => {
    const tail = lines(reply(1_000, 10), reply(9_000, 10, { isSidechain: true }));
    expect(lastUsage('claude-code', tail)?.tokens).toBe(1_010);
  });

  it('comes with the window where Codex states it', () => {
    const info = {
      last_token_usage: { input_tokens: 700, cached_input_tokens: 600, output_tokens: 30 },
      model_context_window: 258_400,
    };
    const tail = lines({ type: 'event_msg', payload: { type: 'token_count', info } });
    expect(lastUsage('codex', tail)).toEqual({ tokens: 730, window: 258_400 });
  });

  describe('of Copilot CLI', () => {
    const event = (type: string, data: object) => ({ type, data });

    it('is that of the newest request, or the tokens in context with the window', () => {
      const request = event('assistant.usage', { inputTokens: 900, outputTokens: 50, model: 'gpt-5' });
      const info = event('session.usage_info', { currentTokens: 1_200, tokenLimit: 128_000 });
      expect(lastUsage('copilot-cli', lines(info, request))).toEqual({ tokens: 950, model: 'gpt-5' });
      expect(lastUsage('copilot-cli', lines(request, info))).toEqual({ tokens: 1_200, window: 128_000 });
    });

    it('is not that of a sub-agent, and unknown after a compaction', () => {
      const request = event('assistant.usage', { inputTokens: 900, outputTokens: 50 });
      const other = event('assistant.usage', { inputTokens: 5, outputTokens: 5, parentToolCallId: 'c1' });
      expect(lastUsage('copilot-cli', lines(request, other))?.tokens).toBe(950);
      const compacted = event('session.compaction_complete', { success: true });
      expect(lastUsage('copilot-cli', lines(request, compacted))).toBeUndefined();
    });
  });

  describe('of Cline', () => {
    const task = (...messages: readonly object[]) =>
      JSON.stringify([{ role: 'user', content: [] }, ...messages]);
    const replied = {
      role: 'assistant',
      content: [{ type: 'text', text: '{"metrics":{"tokens":{"prompt":1,"completion":1}}}' }],
      modelInfo: { modelId: 'claude-sonnet-4-5' },
      metrics: { tokens: { prompt: 700, completion: 30, cached: 600 }, cost: 0.1 },
    };

    it('is that of the newest reply, in a document that begins anywhere', () => {
      const text = task({ ...replied, metrics: { tokens: { prompt: 9, completion: 9 } } }, replied);
      expect(lastUsage('cline', text.slice(20))).toEqual({ tokens: 730, model: 'claude-sonnet-4-5' });
    });

    it('is unknown after a summary', () => {
      const text = task(replied, { role: 'user', content: [], isSummary: true });
      expect(lastUsage('cline', text)).toBeUndefined();
    });
  });

  it('is unknown after Gemini CLI has replaced its messages', () => {
    const said = { id: 'g1', type: 'gemini', tokens: { input: 900, output: 9 }, model: 'gemini-2.5-pro' };
    expect(lastUsage('gemini-cli', lines(said))?.tokens).toBe(909);
    expect(lastUsage('gemini-cli', lines(said, { $set: { messages: [] } }))).toBeUndefined();
  });

  it('is not taken away by the compaction of a sub-agent in the same file', () => {
    const compacted = { type: 'user', isCompactSummary: true, isSidechain: true };
    expect(lastUsage('claude-code', lines(reply(1_000, 10), compacted))?.tokens).toBe(1_010);
  });

  it.each<readonly [string, string]>([
    ['nothing', ''],
    ['half a line', '{"message":{"usage":{"input_'],
    ['numbers that are none', lines({ message: { usage: { input_tokens: '7', output_tokens: null } } })],
  ])('is undefined of %s', (_what, tail) => {
    expect(lastUsage('claude-code', tail)).toBeUndefined();
  });
});
