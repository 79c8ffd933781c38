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

  it.each<readonly [string, string]>([
    ['nothing', ''],
    ['half a line', '{"message":{"usage":{"input_'],
    ['numbers that are none', lines({ message: { usage: { input_tokens: '7', output_tokens: null } } })],
  ])('is undefined of %s', (_what, tail) => {
    expect(lastUsage('claude-code', tail)).toBeUndefined();
  });
});
