import { AnswerError } from './model-server.ts';
import { modelsSentences } from '../../language/english/models-english.ts';
import type { Sentence } from '../../language/sentence.ts';
import { isRecord } from '../../language/is-record.ts';

/** A model that a server offers. */
export interface DiscoveredModel {
  readonly id: string;
  /** Name shown for the model, if it differs from the id. */
  readonly label?: string | undefined;
  /** Tokens of input and output together, as the server runs it. */
  readonly window?: number | undefined;
  readonly maxOutput?: number | undefined;
  /** True if the model takes images; false if it does not; undefined if that is unknown. */
  readonly takesImages?: boolean | undefined;
}

/** A server's answer about its models, and about the requested model. */
export interface Discovery extends Omit<DiscoveredModel, 'id'> {
  readonly models: readonly DiscoveredModel[];
  readonly note?: Sentence | undefined;
  /** True if the server chooses the window when it loads the model, so that it should be asked again later. */
  readonly isUnsettled?: boolean | undefined;
}

/** Minimum window for agents, as Ollama's documentation ("Context length") recommends. */
const roomyWindow = 64_000;

/** Returns a note that the window could be larger; undefined if it is large enough. */
export function smallnessNote(
  who: string,
  model: string,
  window: number,
  largest: number | undefined,
  advice: Sentence,
): Sentence | undefined {
  if (window >= roomyWindow || largest === undefined || largest <= window) return undefined;
  return modelsSentences.say('windowIsSmall', { server: who, model, window, largest, advice });
}

/** Maximum characters of a name in a list, because names are shown and sent back. */
const longestName = 300;
const mostModels = 2_000;
/** Largest window that a setting allows. */
const mostTokens = 100_000_000;

/** Names of OpenAI's models that cannot chat. */
const otherTrades =
  /embed|whisper|tts|dall-e|image|moderation|realtime|audio|transcribe|sora|rerank|^(?:babbage|davinci)-/i;

/** Returns the list. @throws {AnswerError} if it is undefined, because a server has no list of models */
export function required<List>(list: List | undefined): List {
  if (list === undefined) throw new AnswerError('no list of models');
  return list;
}

/** Returns the entries of a list in the format of any server; undefined if it is not a list of models. */
export function entriesOf(answer: unknown): readonly Readonly<Record<string, unknown>>[] | undefined {
  const list = isRecord(answer) ? (answer['data'] ?? answer['models']) : answer;
  return Array.isArray(list) ? list.slice(0, mostModels).filter(isRecord) : undefined;
}

/** Reads an OpenAI-compatible list of models, with the additional fields of all servers. */
export function readModelList(answer: unknown): readonly DiscoveredModel[] | undefined {
  return entriesOf(answer)?.flatMap((entry): readonly DiscoveredModel[] => {
    const id = nameIn(entry['id']);
    if (id === undefined || otherTrades.test(id)) return [];
    const topProvider = isRecord(entry['top_provider']) ? entry['top_provider'] : {};
    const meta = isRecord(entry['meta']) ? entry['meta'] : {};
    const window =
      tokensIn(entry['max_model_len']) ?? // vLLM and SGLang
      tokensIn(meta['n_ctx']) ?? // llama.cpp
      tokensIn(topProvider['context_length']) ?? // OpenRouter: of the provider that it prefers
      tokensIn(entry['context_length']) ?? // OpenRouter, Together, Moonshot
      tokensIn(entry['context_window']) ?? // Groq
      tokensIn(entry['max_context_length']); // Mistral
    const maxOutput =
      tokensIn(topProvider['max_completion_tokens']) ?? tokensIn(entry['max_completion_tokens']); // Groq
    const takesImages = imagesIn(entry);
    return [{ id, window, maxOutput, ...(takesImages === undefined ? {} : { takesImages }) }];
  });
}

/** True or false if the list states whether a model takes images, as OpenRouter and Mistral do; otherwise undefined. */
function imagesIn({ architecture, capabilities }: Readonly<Record<string, unknown>>): boolean | undefined {
  const inputs = isRecord(architecture) ? architecture['input_modalities'] : undefined;
  if (Array.isArray(inputs)) return inputs.includes('image');
  const vision = isRecord(capabilities) ? capabilities['vision'] : undefined;
  return typeof vision === 'boolean' ? vision : undefined;
}

/** Finds a model by id. OpenRouter's suffixes (`:nitro`, `:floor`) select a route, not another model. */
export function findModel(models: readonly DiscoveredModel[], id: string): DiscoveredModel | undefined {
  const withoutSuffix = id.replace(/:[^:/]+$/, '');
  return models.find((model) => model.id === id) ?? models.find((model) => model.id === withoutSuffix);
}

/** Returns a plausible number of tokens; undefined for any other value. */
export function tokensIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value <= mostTokens
    ? value
    : undefined;
}

/** Returns a name that fits on one line; undefined for any other value. */
export function nameIn(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > longestName || /\p{C}/u.test(value)) return undefined;
  return value.trim() === '' ? undefined : value;
}
