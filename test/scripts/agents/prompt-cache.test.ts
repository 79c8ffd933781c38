import { describe, expect, it } from 'vitest';
import { PromptCache } from '../../../scripts/agents/prompt-cache.ts';

/** Text of a message whose JSON has more characters than a provider's minimum. */
const long = (letter: string) => letter.repeat(2_000);

function cache(): PromptCache {
  return new PromptCache((text) => text.length);
}

describe('the prompt cache of a run', () => {
  const ask = (...texts: string[]) => ({
    messages: texts.map((content) => ({ role: 'user', content })),
  });

  it('reads the longest beginning that an earlier request has', () => {
    const provider = cache();
    const first = provider.take('chat completions', ask(long('a'), long('b')));
    const second = provider.take('chat completions', ask(long('a'), long('b'), long('c')));
    const third = provider.take('chat completions', ask(long('a'), long('c')));
    expect([first.read, second.read, third.read]).toEqual([0, first.tokens, first.tokens / 2]);
  });

  it('does not cache short prompts', () => {
    const provider = cache();
    provider.take('chat completions', ask('a'));
    expect(provider.take('chat completions', ask('a', 'b')).read).toBe(0);
  });

  it('reads and writes up to the marks in messages', () => {
    const mark = { cache_control: { type: 'ephemeral' } };
    const blocks = (...content: object[]) => ({ messages: [{ role: 'user', content }] });
    const text = (letter: string) => ({ type: 'text', text: long(letter) });
    const provider = cache();
    const first = provider.take('messages', blocks({ ...text('a'), ...mark }, text('b')));
    const second = provider.take('messages', blocks(text('a'), text('b'), { ...text('c'), ...mark }));
    const third = provider.take('messages', blocks(text('a'), text('b'), { ...text('d'), ...mark }));
    expect([first.read, first.written]).toEqual([0, first.tokens / 2]);
    expect([second.read, second.written]).toEqual([first.written, second.tokens - first.written]);
    expect(third.read).toBe(first.written);
  });
});
