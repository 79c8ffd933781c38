import { CompactionFailure } from '../../compaction/records/reason.ts';
import { type Message, textOf } from '../../compaction/messages/message.ts';
import type {
  CustomArchive,
  CustomHit,
  CustomPorts,
  EnginePorts,
} from '../../compaction/strategies/contract/custom-strategy.ts';
import { customSentences } from '../../language/english/custom-english.ts';
import type { Sentence } from '../../language/sentence.ts';
import { mostRequests } from '../../compaction/strategies/contract/ask-custom.ts';

/** Maximum number of searches in one plan, because each reads the whole conversation. */
const mostSearches = 200;

/** Returns all ports of a custom strategy. Calls that cost money or block the host are limited in number. */
export function completePorts({ meter, model, originals }: EnginePorts): CustomPorts {
  const archive = messageArchive(originals);
  const request = counter(mostRequests, customSentences.say('tooManyRequests', { most: mostRequests }));
  const search = counter(mostSearches, customSentences.say('tooManySearches', { most: mostSearches }));
  return {
    meter,
    model:
      model === undefined
        ? undefined
        : {
            id: model.id,
            window: model.window,
            summarise: async (ids, focus) => {
              request();
              return model.summarise(ids, focus);
            },
            prompt: async (prompt) => {
              request();
              return model.prompt(prompt);
            },
          },
    archive: {
      recall: (id) => archive.recall(id),
      search: async (query) => {
        search();
        return archive.search(query);
      },
    },
    clock: { now: () => Promise.resolve(Date.now()) },
  };
}

/** @returns a function that throws after too many calls */
function counter(most: number, problem: Sentence): () => void {
  let count = 0;
  return () => {
    if (++count > most) throw new CompactionFailure('custom-invalid', problem);
  };
}

/** Returns the sentence for a plan that exceeded its deadline. @param deadline milliseconds */
export function timeUp(deadline: number): Sentence {
  return customSentences.say('tookTooLong', { seconds: deadline / 1000 });
}

const mostHits = 20;
const longestQuery = 1_000;

/** @param messages original messages, oldest first */
function messageArchive(messages: readonly Message[]): CustomArchive {
  return {
    recall: (id) => {
      const message = messages.find((candidate) => candidate.id === id);
      return Promise.resolve(message === undefined ? undefined : textOf(message.content));
    },
    search: (query) => search(messages, query),
  };
}

/** Finds messages, sorted by the weight of their matching terms, then newest first. */
async function search(messages: readonly Message[], query: string): Promise<readonly CustomHit[]> {
  // Loaded on demand, because few strategies search and the query parser is large.
  const { questionTermsOf: termsOf } = await import('../offline/offline-terms.ts');
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
