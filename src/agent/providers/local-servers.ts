import {
  type DiscoveredModel,
  type Discovery,
  entriesOf,
  findModel,
  nameIn,
  readModelList,
  required,
  smallnessNote,
  tokensIn,
} from './discovered-models.ts';
import { ifThere, type ModelServer } from './model-server.ts';
import { modelsSentences } from '../../language/english/models-english.ts';
import type { Sentence } from '../../language/sentence.ts';
import { isRecord } from '../../language/is-record.ts';

/** Asks Ollama. `/api/ps` reports the window in use; otherwise `num_ctx` applies, or the machine decides. */
export async function askOllama(server: ModelServer, model: string): Promise<Discovery> {
  const [tags, loaded, shown] = await Promise.all([
    server.own('/api/tags'),
    ifThere(server.own('/api/ps')),
    ifThere(server.own('/api/show', { model })),
  ]);
  const running = entriesOf(loaded) ?? [];
  const models = required(entriesOf(tags)).flatMap((entry): readonly DiscoveredModel[] => {
    const id = nameIn(entry['name']);
    return id === undefined ? [] : [{ id, window: windowOfRunning(running, id) }];
  });
  if (!isRecord(shown)) return { models };
  const trained = trainedWindow(shown['model_info']);
  // Models in Ollama's cloud run with their maximum window ("Context length").
  const isElsewhere = typeof shown['remote_host'] === 'string' && shown['remote_host'] !== '';
  const set = isElsewhere ? trained : (windowOfRunning(running, model) ?? numCtxIn(shown['parameters']));
  const window = set === undefined ? undefined : Math.min(set, trained ?? set);
  return { models, window, isUnsettled: window === undefined, note: noteOn(model, window, trained, shown) };
}

function noteOn(
  model: string,
  window: number | undefined,
  trained: number | undefined,
  { capabilities }: Readonly<Record<string, unknown>>,
): Sentence | undefined {
  const onWindow =
    window === undefined
      ? modelsSentences.say('ollamaUnloaded', { model })
      : smallnessNote('Ollama', model, window, trained, modelsSentences.say('ollamaAdvice'));
  const cannotCall = Array.isArray(capabilities) && !capabilities.includes('tools');
  const onTools = cannotCall ? modelsSentences.say('cannotCallTools', { model }) : undefined;
  if (onTools === undefined || onWindow === undefined) return onTools ?? onWindow;
  return modelsSentences.say('withMore', { first: onTools, second: onWindow });
}

function windowOfRunning(
  running: readonly Readonly<Record<string, unknown>>[],
  model: string,
): number | undefined {
  const entry = running.find(({ name, model: id }) => isSame(name, model) || isSame(id, model));
  return tokensIn(entry?.['context_length']);
}

/** True for equal names. A name without a tag has the tag `latest`. */
function isSame(one: unknown, other: string): boolean {
  return typeof one === 'string' && tagged(one) === tagged(other);
}

function tagged(name: string): string {
  return name.lastIndexOf(':') > name.lastIndexOf('/') ? name : `${name}:latest`;
}

/** Returns the maximum window. `model_info` prefixes keys with the architecture, as in `llama.context_length`. */
function trainedWindow(info: unknown): number | undefined {
  if (!isRecord(info)) return undefined;
  const entry = Object.entries(info).find(([name]) => /^[\w-]+\.context_length$/.test(name));
  return tokensIn(entry?.[1]);
}

/** Reads the number `num_ctx` from a string with one parameter in each line. */
function numCtxIn(parameters: unknown): number | undefined {
  const digits = typeof parameters === 'string' ? /^num_ctx\s+(\d+)\s*$/m.exec(parameters)?.[1] : undefined;
  return digits === undefined ? undefined : tokensIn(Number(digits));
}

interface StoredModel extends DiscoveredModel {
  readonly largest?: number | undefined;
}

/** Asks LM Studio. It may load a model with a window that is much smaller than the model's maximum. */
export async function askLmStudio(server: ModelServer, model: string): Promise<Discovery> {
  const models =
    // LM Studio answers an unknown address with a success status and an error in the body.
    readNewer(await ifThere(server.own('/api/v1/models'))) ??
    readOlder(await ifThere(server.own('/api/v0/models'))) ??
    required(readModelList(await server.api('/models')));
  const found: StoredModel | undefined = findModel(models, model);
  if (found === undefined) return { models };
  const { window, largest } = found;
  if (window === undefined) {
    const note = modelsSentences.say('lmStudioUnloaded', { model });
    return { models, isUnsettled: true, note };
  }
  const advice = modelsSentences.say('lmStudioAdvice');
  return { models, window, note: smallnessNote('LM Studio', model, window, largest, advice) };
}

/** Reads `/api/v1/models` (version 0.4 and later): models with their loaded instances, which may have other names. */
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
    // Any instance may answer to the model's name, so the smallest window applies.
    const windows = instances.flatMap(({ window }) => (window === undefined ? [] : [window]));
    const window = windows.length === 0 ? undefined : Math.min(...windows);
    const label = nameIn(entry['display_name']);
    return [{ id, label, window, largest }, ...instances.filter((instance) => instance.id !== id)];
  });
}

function readOlder(answer: unknown): readonly StoredModel[] | undefined {
  if (!isRecord(answer) || !Array.isArray(answer['data'])) return undefined;
  return entriesOf(answer)?.flatMap((entry): readonly StoredModel[] => {
    const id = nameIn(entry['id']);
    if (id === undefined || entry['type'] === 'embeddings') return [];
    const window = tokensIn(entry['loaded_context_length']);
    return [{ id, window, largest: tokensIn(entry['max_context_length']) }];
  });
}

/** Asks llama-server. `/props` has the window of a slot. The question must not make a router load a model. */
export async function askLlamaCpp(server: ModelServer, model: string): Promise<Discovery> {
  const [list, props] = await Promise.all([
    server.api('/models'),
    ifThere(server.own(`/props?model=${encodeURIComponent(model)}&autoload=false`)),
  ]);
  const models = required(readModelList(list));
  const { default_generation_settings: defaults, total_slots: slots } = isRecord(props) ? props : {};
  const perSlot = isRecord(defaults) ? tokensIn(defaults['n_ctx']) : undefined;
  const window = perSlot ?? findModel(models, model)?.window;
  if (window === undefined) return { models, isUnsettled: true };
  const isShared = typeof slots === 'number' && slots > 1;
  const note = isShared ? modelsSentences.say('llamaCppShared', { slots, window }) : undefined;
  return { models, window, note };
}
