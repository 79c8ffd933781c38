import { AnswerError } from './model-server.ts';
import { modelsSentences } from '../../language/english/models-english.ts';
import type { Sentence } from '../../language/sentence.ts';
import { isRecord } from '../../language/is-record.ts';

/** A server's answer about its models, and about the requested one. */
export interface Discovery {
  readonly models: readonly DiscoveredModel[];
  /** Name that people use for the model, if that is not the name that was asked for. */
  readonly label?: string | undefined;
  /** Tokens of input and output together that this model can take there now. */
  readonly window?: number | undefined;
  /** Tokens that a reply may take at most. */
  readonly maxOutput?: number | undefined;
  /** True if it takes images, false if it takes none. */
  readonly takesImages?: boolean | undefined;
  /** Note for a person about it, a sentence or two. */
  readonly note?: Sentence | undefined;
  /** The server decides on the window when it loads the model, so that it is worth asking again. */
  readonly isUnsettled?: boolean | undefined;
}

/** Agents fill less than this quickly; Ollama's documentation ("Context length") asks for as much. */
const roomyWindow = 64_000;

/** Note on a window that is smaller than it could be; undefined if it is large enough. */
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

/** A model that a server has. */
export interface DiscoveredModel {
  readonly id: string;
  /** Name that people use for it, if that is not its id. */
  readonly label?: string | undefined;
  /** Tokens of input and output together, as the server runs it. */
  readonly window?: number | undefined;
  /** Tokens that a reply may take at most. */
  readonly maxOutput?: number | undefined;
  /** True if it takes images, false if it takes none. */
  readonly takesImages?: boolean | undefined;
}

/** Longest name in an entry of a list, in characters: names are shown to people and sent back. */
const longestName = 300;
const mostModels = 2_000;
/** As large as a window can be set by hand. */
const mostTokens = 100_000_000;

/** OpenAI lists everything it has; these cannot hold a chat. */
const otherTrades =
  /embed|whisper|tts|dall-e|image|moderation|realtime|audio|transcribe|sora|rerank|^(?:babbage|davinci)-/i;

/** @throws {AnswerError} if a server has no list of models to show */
export function required<List>(list: List | undefined): List {
  if (list === undefined) throw new AnswerError('no list of models');
  return list;
}

/** The entries of a list, whichever way the server wraps it; undefined if it is not a list of models. */
export function entriesOf(answer: unknown): readonly Readonly<Record<string, unknown>>[] | undefined {
  const list = isRecord(answer) ? (answer['data'] ?? answer['models']) : answer;
  return Array.isArray(list) ? list.slice(0, mostModels).filter(isRecord) : undefined;
}

/**
 * Reads an OpenAI-compatible list of models. OpenAI's own tells names only; the fields that others add do not
 * contradict each other, so all are looked for.
 */
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

/** OpenRouter lists the kinds of input, Mistral has a flag. */
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

/** A count of tokens that can be one. */
export function tokensIn(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isSafeInteger(value) && value > 0 && value <= mostTokens
    ? value
    : undefined;
}

/** A name that can be shown in one line. */
export function nameIn(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > longestName || /\p{C}/u.test(value)) return undefined;
  return value.trim() === '' ? undefined : value;
}
