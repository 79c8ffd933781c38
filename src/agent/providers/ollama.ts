import { isRecord } from '../provider-error.ts';
import { smallnessNote, type Discovery } from './discovered.ts';
import { entriesOf, nameIn, required, tokensIn, type DiscoveredModel } from './model-list.ts';
import { ifThere, type ModelServer } from './model-server.ts';

/**
 * Asks Ollama. The window a model could have (`/api/show`, `model_info`) says nothing about the one it runs with:
 * that is in `/api/ps` while the model is loaded, and before in its `num_ctx`, if it has one. Otherwise it depends
 * on the machine and on `OLLAMA_CONTEXT_LENGTH`, which nobody outside can see.
 */
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
  // Models of Ollama's cloud run with all they have ("Context length").
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
): string | undefined {
  const onWindow =
    window === undefined
      ? `Ollama decides on the window when it loads ${model}; it is read once that is done.`
      : smallnessNote(
          'Ollama',
          model,
          window,
          trained,
          'It cuts what is longer without a word; start it with OLLAMA_CONTEXT_LENGTH set for more.',
        );
  const cannotCall = Array.isArray(capabilities) && !capabilities.includes('tools');
  const onTools = cannotCall ? `${model} cannot call tools, so it cannot work as an agent.` : undefined;
  const notes = [onTools, onWindow].filter((note) => note !== undefined);
  return notes.length === 0 ? undefined : notes.join(' ');
}

function windowOfRunning(
  running: readonly Readonly<Record<string, unknown>>[],
  model: string,
): number | undefined {
  const entry = running.find(({ name, model: id }) => isSame(name, model) || isSame(id, model));
  return tokensIn(entry?.['context_length']);
}

/** A name without a tag means the tag `latest`. */
function isSame(one: unknown, other: string): boolean {
  return typeof one === 'string' && tagged(one) === tagged(other);
}

function tagged(name: string): string {
  return name.lastIndexOf(':') > name.lastIndexOf('/') ? name : `${name}:latest`;
}

/** `model_info` names its numbers after the architecture: `llama.context_length`. */
function trainedWindow(info: unknown): number | undefined {
  if (!isRecord(info)) return undefined;
  const entry = Object.entries(info).find(([name]) => /^[\w-]+\.context_length$/.test(name));
  return tokensIn(entry?.[1]);
}

/** `parameters` is a text with a parameter a line. */
function numCtxIn(parameters: unknown): number | undefined {
  const digits = typeof parameters === 'string' ? /^num_ctx\s+(\d+)\s*$/m.exec(parameters)?.[1] : undefined;
  return digits === undefined ? undefined : tokensIn(Number(digits));
}
