import type { CustomArchive, CustomHit } from '../../compaction/strategies/contract/custom-strategy.ts';
import { textOf, type Message } from '../../compaction/message.ts';

/** Most messages that a search returns. */
const mostHits = 20;
/** Characters of a query that are looked for. */
const longestQuery = 1_000;

/** @param messages in their original form, oldest first */
export function messageArchive(messages: readonly Message[]): CustomArchive {
  return {
    recall: (id) => {
      const message = messages.find((candidate) => candidate.id === id);
      return Promise.resolve(message === undefined ? undefined : textOf(message.content));
    },
    search: (query) => search(messages, query),
  };
}

/** Messages by the weight of the terms they hold; of two that hold as much, the newer one first. */
async function search(messages: readonly Message[], query: string): Promise<readonly CustomHit[]> {
  // Few strategies search, and what takes a query apart is large.
  const { termsOf } = await import('../offline/terms.ts');
  const { files, terms } = termsOf(query.slice(0, longestQuery));
  const wanted = [
    ...files.map((file) => ({ weight: 6, forms: [file.toLowerCase()] })),
    ...terms.map(({ weight, forms }) => ({ weight, forms })),
  ];
  return messages
    .map((message) => {
      const text = textOf(message.content);
      const folded = text.toLowerCase();
      const held = wanted.filter(({ forms }) => forms.some((form) => folded.includes(form)));
      return { id: message.id, text, score: held.reduce((sum, { weight }) => sum + weight, 0) };
    })
    .filter(({ score }) => score > 0)
    .reverse()
    .sort((one, other) => other.score - one.score)
    .slice(0, mostHits)
    .map(({ id, text }) => ({ id, text }));
}
