import { describe, expect, it } from 'vitest';
import { createSearchHistory } from '../../../src/agent/tools/search-history.ts';
import type { HistoryMatches } from '../../../src/compaction/retrieval/history-search.ts';

const signal = new AbortController().signal;
const toolFor = (matches: HistoryMatches) => createSearchHistory(() => Promise.resolve(matches));

describe('search_history', () => {
  it('returns passages with ids, roles and how to recall the whole message', async () => {
    const tool = toolFor({
      absent: 5,
      passages: [
        { messageId: 'm4', role: 'tool', author: 'tool', text: 'the lock is a folder' },
        { messageId: 'm2', role: 'user', author: 'user', text: '锁为什么不释放？' },
      ],
    });
    expect(await tool.run({ query: 'lock' }, signal)).toEqual({
      isError: false,
      content: `5 messages are no longer in context, or not in full. The passages that match best, best first, quoted:

[tool message m4; recall("m4") returns all of it]
> the lock is a folder

[user message m2; recall("m2") returns all of it]
> 锁为什么不释放？`,
    });
  });

  it('reports that nothing was removed from the context', async () => {
    const { content, isError } = await toolFor({ absent: 0, passages: [] }).run({ query: 'lock' }, signal);
    expect(isError).toBe(false);
    expect(content).toContain('Nothing was taken out of the context');
  });

  it('reports that nothing matches', async () => {
    const { content } = await toolFor({ absent: 1, passages: [] }).run({ query: ' lock ' }, signal);
    expect(content).toContain('1 message is no longer in context, or not in full; none matches "lock"');
  });

  it.each([
    ['a missing query', {}, 'The argument "query" is missing.'],
    ['a blank query', { query: ' ' }, 'The query is empty.'],
  ])('answers %s with an explanation', async (_name, input, content) => {
    expect(await toolFor({ absent: 1, passages: [] }).run(input, signal)).toEqual({ content, isError: true });
  });

  it('shows the user the search text', () => {
    expect(toolFor({ absent: 0, passages: [] }).describe({ query: 'rename EBUSY' })).toBe('rename EBUSY');
  });
});
