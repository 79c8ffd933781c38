import { CompactionFailure } from '../../compaction/failure.ts';
import type { EnginePorts, CustomPorts } from '../../compaction/strategies/contract/custom-strategy.ts';
import { mostRequests } from '../../compaction/strategies/custom.ts';
import { messageArchive } from './message-archive.ts';

/** Searches that one plan may make: each reads the whole conversation. */
const mostSearches = 200;

/** All ports of a custom strategy. What costs money or holds up the host is counted. */
export function completePorts({ meter, model, originals }: EnginePorts): CustomPorts {
  const archive = messageArchive(originals);
  const request = counter(
    mostRequests,
    `One plan may ask for ${mostRequests} summaries and prompts together.`,
  );
  const search = counter(mostSearches, `One plan may search ${mostSearches} times.`);
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

/** @returns counts, and throws once there were too many */
function counter(most: number, message: string): () => void {
  let count = 0;
  return () => {
    if (++count > most) throw new CompactionFailure('custom-invalid', message);
  };
}
