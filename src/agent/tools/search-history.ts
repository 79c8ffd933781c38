import type { HistoryMatches } from '../../compaction/retrieval/history-search.ts';
import { quoted } from '../../compaction/quoting/quoted.ts';
import { defineSearch } from './support/define-tool.ts';
import type { Tool } from './support/tool.ts';
import { toModel } from '../../language/sentence.ts';

/** Searches messages of this conversation that compactions have removed or shortened. */
export type SearchHistory = (query: string) => Promise<HistoryMatches>;

export function createSearchHistory(search: SearchHistory): Tool {
  return defineSearch({
    name: 'search_history',
    description:
      'Searches the earlier messages and tool results of this conversation that are no longer in context, because they were hidden, shortened, dropped or summarised. Returns the passages that match best, each with the id under which recall returns all of it. Use it when something was said, read or run before and you do not know its id.',
    words: toModel`Words to look for: names, paths, identifiers, error messages. Any language.`,
    async search(query) {
      const { absent, passages } = await search(query);
      if (absent === 0)
        return toModel`Nothing was taken out of the context: you have all of this conversation.`;
      const gone = absent === 1 ? '1 message is' : `${absent} messages are`;
      if (passages.length === 0) {
        return toModel`${gone} no longer in context, or not in full; none matches "${query.trim()}". Try other words, or names and paths instead of a description.`;
      }
      return [
        toModel`${gone} no longer in context, or not in full. The passages that match best, best first, quoted:`,
        ...passages.map(
          ({ messageId, author, text }) =>
            `[${author} message ${messageId}; recall("${messageId}") returns all of it]\n${quoted(text)}`,
        ),
      ].join('\n\n');
    },
  });
}
