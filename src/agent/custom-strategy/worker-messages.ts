import { customSentences } from '../../language/custom-english.ts';
import {
  englishFormat,
  fillIn,
  isStoredSentence,
  type Sentence,
  type StoredSentence,
} from '../../language/sentence.ts';
import { headOf } from '../../compaction/text/clip.ts';
import type { CustomInput } from '../../compaction/strategies/contract/custom-strategy.ts';
import type { CallReply } from '../pending-calls.ts';
import { isRecord } from '../../language/is-record.ts';

/** Messages between the process of a custom strategy and its host. All of them are plain data. */

/** Data that the process begins with. */
export interface WorkerStart {
  /** `file:` URL of the module. */
  readonly module: string;
  readonly exportName: string;
  readonly input: CustomInput;
  /** Undefined if there is no model. */
  readonly model?: { readonly id: string; readonly window: number | undefined } | undefined;
}

/** Requests that the strategy can make to its host. */
export const portNames = ['count', 'summarise', 'prompt', 'recall', 'search', 'now'] as const;
export type PortName = (typeof portNames)[number];

export interface PortCall {
  readonly kind: 'call';
  readonly id: number;
  readonly port: PortName;
  readonly parameters: readonly unknown[];
}

export type PortReply = CallReply;

const failureCodes = ['custom-missing', 'custom-failed', 'custom-invalid'] as const;

export interface WorkerFailure {
  readonly kind: 'failure';
  readonly code: (typeof failureCodes)[number];
  /** The words of the strategy. */
  readonly message: string;
  /** Set if the words are ours: a sentence about custom strategies. */
  readonly sentence?: Sentence | undefined;
}

export interface WorkerAnswer {
  readonly kind: 'answer';
  readonly answer?: unknown;
}

export type WorkerMessage = PortCall | WorkerAnswer | WorkerFailure;

/** Reads a message of a process; undefined if it is none that it may send. Only the shape of it is checked. */
export function readWorkerMessage(said: unknown): WorkerMessage | undefined {
  if (!isRecord(said)) return undefined;
  const { kind, id, port, parameters, code, message, sentence, answer } = said;
  switch (kind) {
    case 'call': {
      const name = portNames.find((known) => known === port);
      const isCall = typeof id === 'number' && name !== undefined && Array.isArray(parameters);
      return isCall ? { kind, id, port: name, parameters } : undefined;
    }
    case 'answer':
      return { kind, answer };
    case 'failure': {
      const known = failureCodes.find((one) => one === code);
      if (known === undefined || typeof message !== 'string') return undefined;
      return { kind, code: known, message, sentence: readSentence(sentence) };
    }
    default:
      return undefined;
  }
}

/** Characters of a value in a sentence that a process sent. */
const longestValue = 500;

/** Reads a sentence about custom strategies. Key and values are taken over; the English is made again. */
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
