import { isRecord } from '../provider-error.ts';
import { smallnessNote, type Discovery } from './discovered.ts';
import {
  entriesOf,
  findModel,
  nameIn,
  readModelList,
  required,
  tokensIn,
  type DiscoveredModel,
} from './model-list.ts';
import { ifThere, type ModelServer } from './model-server.ts';

/** A model with the window that it could have. */
interface StoredModel extends DiscoveredModel {
  readonly largest?: number | undefined;
}

/** Asks LM Studio. A model is loaded with a window of its own, which may be a small part of what it could have. */
export async function askLmStudio(server: ModelServer, model: string): Promise<Discovery> {
  const models =
    // To an address that it has not LM Studio answers with a success and an error in it.
    readNewer(await ifThere(server.own('/api/v1/models'))) ??
    readOlder(await ifThere(server.own('/api/v0/models'))) ??
    required(readModelList(await server.api('/models')));
  const found: StoredModel | undefined = findModel(models, model);
  if (found === undefined) return { models };
  const { window, largest } = found;
  if (window === undefined) {
    const note = `LM Studio decides on the window when it loads ${model}; it is read once that is done.`;
    return { models, isUnsettled: true, note };
  }
  const advice = 'Load it with a larger context length for longer work.';
  return { models, window, note: smallnessNote('LM Studio', model, window, largest, advice) };
}

/** `/api/v1/models`, since version 0.4: a model with its loaded instances, which may have names of their own. */
function readNewer(answer: unknown): readonly StoredModel[] | undefined {
  if (!isRecord(answer) || !Array.isArray(answer['models'])) return undefined;
  return entriesOf(answer)?.flatMap((entry): readonly StoredModel[] => {
    const id = nameIn(entry['key']);
    if (id === undefined || entry['type'] !== 'llm') return [];
    const largest = tokensIn(entry['max_context_length']);
    const loaded: unknown = entry['loaded_instances'];
    const instances = (Array.isArray(loaded) ? loaded : [])
      .filter(isRecord)
      .flatMap(({ id: name, config }): readonly StoredModel[] => {
        const instance = nameIn(name);
        const window = isRecord(config) ? tokensIn(config['context_length']) : undefined;
        return instance === undefined ? [] : [{ id: instance, window, largest }];
      });
    // The name of the model stands for whichever instance answers, so for the smallest.
    const windows = instances.flatMap(({ window }) => (window === undefined ? [] : [window]));
    const window = windows.length === 0 ? undefined : Math.min(...windows);
    const label = nameIn(entry['display_name']);
    return [{ id, label, window, largest }, ...instances.filter((instance) => instance.id !== id)];
  });
}

/** `/api/v0/models`. */
function readOlder(answer: unknown): readonly StoredModel[] | undefined {
  if (!isRecord(answer) || !Array.isArray(answer['data'])) return undefined;
  return entriesOf(answer)?.flatMap((entry): readonly StoredModel[] => {
    const id = nameIn(entry['id']);
    if (id === undefined || entry['type'] === 'embeddings') return [];
    const window = tokensIn(entry['loaded_context_length']);
    return [{ id, window, largest: tokensIn(entry['max_context_length']) }];
  });
}
