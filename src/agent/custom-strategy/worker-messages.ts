import { customSentences } from '../../language/english/custom-english.ts';
import {
  englishFormat,
  fillIn,
  isStoredSentence,
  type Sentence,
  type StoredSentence,
} from '../../language/sentence.ts';
import { headOf } from '../../compaction/text/clip.ts';
import type {
  CustomHit,
  CustomInput,
  CustomPrompt,
} from '../../compaction/strategies/contract/custom-strategy.ts';
import type { ChannelMessage, SentError } from '../worker-channel.ts';
import { isRecord } from '../../language/is-record.ts';

/** The host's first message to the process of a custom strategy. */
export interface PlanOrder {
  /** The module as a `file:` URL. */
  readonly module: string;
  readonly exportName: string;
  readonly input: CustomInput;
  readonly model?: { readonly id: string; readonly window: number | undefined } | undefined;
}

/** Functions of the process that the host can call. */
export interface StrategyProcess {
  plan(order: PlanOrder): unknown;
}

/** Functions of the host that a strategy can call: its ports. */
export interface PortFunctions {
  count(texts: readonly string[]): Promise<readonly number[]>;
  summarise(messageIds: readonly string[], focus?: string): Promise<string>;
  prompt(prompt: CustomPrompt): Promise<string>;
  recall(id: string): Promise<string | undefined>;
  search(query: string): Promise<readonly CustomHit[]>;
  now(): Promise<number>;
}

const portNames: readonly unknown[] = [
  'count',
  'summarise',
  'prompt',
  'recall',
  'search',
  'now',
] satisfies readonly (keyof PortFunctions)[];

const failureCodes = ['custom-missing', 'custom-failed', 'custom-invalid'] as const;

/** Reads a message of a process. Checks its shape only. @returns undefined if a process may not send it */
export function readProcessMessage(said: unknown): ChannelMessage | undefined {
  if (!isRecord(said)) return undefined;
  const { id, call, parameters, value, error } = said;
  if (typeof id !== 'number') return undefined;
  if (call !== undefined) {
    const isPort = typeof call === 'string' && portNames.includes(call);
    return isPort && Array.isArray(parameters) ? { id, call, parameters } : undefined;
  }
  if (error === undefined) return { id, value };
  const read = readError(error);
  return read && { id, error: read };
}

function readError(said: unknown): SentError | undefined {
  if (!isRecord(said)) return undefined;
  const { message, code, sentence } = said;
  const known = failureCodes.find((one) => one === code);
  if (known === undefined || typeof message !== 'string') return undefined;
  return { message, code: known, sentence: readSentence(sentence) };
}

/** Maximum characters of a value in a sentence that a process sends. */
const longestValue = 500;

/** Reads a sentence about custom strategies. Takes its key and values, and rebuilds the English text. */
function readSentence(said: unknown): Sentence | undefined {
  if (!isStoredSentence(said)) return undefined;
  const templates: Readonly<Record<string, string>> = customSentences.english;
  const [area, name = ''] = said.key.split('.');
  const template =
    area === customSentences.area && Object.hasOwn(templates, name) ? templates[name] : undefined;
  if (template === undefined) return undefined;
  const values = Object.fromEntries(
    Object.entries(said.values).map(([key, value]) => [key, readValue(value)]),
  );
  return { key: `${area}.${name}`, values, english: fillIn(template, values, englishFormat) };
}

function readValue(value: StoredSentence['values'][string]): string | number | Sentence {
  if (typeof value === 'number') return value;
  if (typeof value === 'string') return headOf(value, longestValue);
  return readSentence(value) ?? '';
}
