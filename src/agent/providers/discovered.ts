import type { DiscoveredModel } from './model-list.ts';

/** What a server says of its models, and of the one that was asked about. */
export interface Discovery {
  readonly models: readonly DiscoveredModel[];
  /** What people call the model, where that is not the name that was asked for. */
  readonly label?: string | undefined;
  /** Tokens of input and output together that this model can take there now. */
  readonly window?: number | undefined;
  /** Tokens that a reply may take at most. */
  readonly maxOutput?: number | undefined;
  /** What a person should know of it, a sentence or two. */
  readonly note?: string | undefined;
  /** The server decides on the window when it loads the model, so that it is worth asking again. */
  readonly isUnsettled?: boolean | undefined;
}

/** Agents fill less than this quickly; Ollama's documentation ("Context length") asks for as much. */
const roomyWindow = 64_000;

/** What to say of a window that is smaller than it could be; undefined where it is large enough. */
export function smallnessNote(
  who: string,
  model: string,
  window: number,
  largest: number | undefined,
  advice: string,
): string | undefined {
  if (window >= roomyWindow || largest === undefined || largest <= window) return undefined;
  return `${who} runs ${model} with ${grouped(window)} of ${grouped(largest)} tokens. ${advice}`;
}

export function grouped(count: number): string {
  return count.toLocaleString('en-US');
}
