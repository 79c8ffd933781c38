import { numberFormat, percentText } from './percent.ts';
import type { Language } from './shown-language.ts';
import { isRecord } from './is-record.ts';

/** A value in a sentence: a name, a number, another sentence, or a list of sentences. */
export type SentenceValue = string | number | Sentence | readonly Sentence[];

export type SentenceValues = Readonly<Record<string, SentenceValue>>;

/** A sentence as a record stores it: its key and values. */
export interface StoredSentence {
  /** Area and name, such as `engine.summaryIsEmpty`. */
  readonly key: string;
  readonly values: SentenceValues;
}

/** A sentence for users, with its English text for the command line, logs and files. */
export interface Sentence extends StoredSentence {
  readonly english: string;
}

/** An error whose message is for users. */
export class SentenceError extends Error {
  override readonly name: string = 'SentenceError';
  readonly sentence: Sentence;

  constructor(sentence: Sentence, options?: ErrorOptions) {
    super(sentence.english, options);
    this.sentence = sentence;
  }
}

declare const forModel: unique symbol;

/** Text for models only, such as an error in the arguments of a call. It stays in English. */
export type ModelText = string & { readonly [forModel]: true };

/** Marks text as written for models instead of users: ``toModel`Step ${number} has no text.` ``. */
export function toModel(parts: TemplateStringsArray, ...values: readonly (string | number)[]): ModelText {
  return parts.reduce((text, part, index) => `${text}${values[index - 1] ?? ''}${part}`) as ModelText;
}

/** The names between braces in a template. */
export type PlaceholderNames<Template extends string> =
  Template extends `${string}{${infer Hole}}${infer Rest}`
    ? (Hole extends `${infer Name}:${string}` ? Name : Hole) | PlaceholderNames<Rest>
    : never;

/** The placeholders that contain a colon, as in `{count:file|files}`. Their values must be numbers. */
type NumberNames<Template extends string> = Template extends `${string}{${infer Hole}}${infer Rest}`
  ? (Hole extends `${infer Name}:${string}` ? Name : never) | NumberNames<Rest>
  : never;

export type ValuesOf<Template extends string> = {
  readonly [Name in PlaceholderNames<Template>]: Name extends NumberNames<Template> ? number : SentenceValue;
};

/** English templates by key. */
export type SentenceTable = Readonly<Record<string, string>>;

type Arguments<Template extends string> = [PlaceholderNames<Template>] extends [never]
  ? []
  : [values: ValuesOf<Template>];

export interface Catalogue<Table extends SentenceTable, Area extends string = string> {
  /** First part of the keys of the sentences. */
  readonly area: Area;
  readonly english: Table;
  say<Key extends keyof Table & string>(key: Key, ...values: Arguments<Table[Key]>): Sentence;
}

/**
 * Declares the sentences of an area by their English templates. A template may contain:
 * - `{name}`: a value. Numbers are written with the language's separators; pass codes and ids as strings.
 * - `{name:one|other}`: the first word if the number is one, else the second.
 * - `{name:percent}`: a share between 0 and 1.
 */
export function catalogue<const Area extends string, const Table extends SentenceTable>(
  area: Area,
  english: Table,
): Catalogue<Table, Area> {
  return {
    area,
    english,
    say(key, ...[values = {}]) {
      return { key: `${area}.${key}`, values, english: fillIn(english[key] ?? key, values, englishFormat) };
    },
  };
}

/** Formats for values in a language. */
export interface Format {
  readonly language: Language;
  /** Separator between the sentences of a list. */
  readonly separator: string;
  /** Maximum decimals of a number; three by default. */
  readonly decimals?: number;
  readonly sentence: (sentence: Sentence) => string;
}

export const englishFormat: Format = {
  language: 'en',
  separator: ', ',
  sentence: ({ english }) => english,
};

const placeholder = /\{(\w+)(?::([^{}]*))?\}/gu;

/** A template filled with values. A placeholder without a value is kept. */
export function fillIn(template: string, values: SentenceValues, format: Format): string {
  return template.replace(placeholder, (whole, name: string, form: string | undefined) => {
    const value = Object.hasOwn(values, name) ? values[name] : undefined;
    if (value === undefined) return whole;
    if (typeof value === 'number') return numberText(value, form, format);
    if (typeof value === 'string') return value;
    return isList(value) ? value.map(format.sentence).join(format.separator) : format.sentence(value);
  });
}

const isList = (value: Sentence | readonly Sentence[]): value is readonly Sentence[] => Array.isArray(value);

function numberText(value: number, form: string | undefined, format: Format): string {
  if (form === undefined) {
    return numberFormat(format.language, { maximumFractionDigits: format.decimals }).format(value);
  }
  if (form === 'percent') return percentText(value, format.language);
  const [one = '', other = one] = form.split('|');
  return value === 1 ? one : other;
}

/** Limits on a sentence from a file, which may be untrusted. */
const longestKey = 200;
const longestValue = 10_000;
const mostValues = 30;
const deepest = 4;

/** Checks a sentence read from a file. Accepts unknown keys, for which the stored text is shown. */
export function isStoredSentence(value: unknown, depth = 0): value is StoredSentence {
  if (!isRecord(value) || depth > deepest) return false;
  const { key, values } = value;
  if (typeof key !== 'string' || key.length > longestKey || !isRecord(values)) return false;
  const entries = Object.values(values);
  return entries.length <= mostValues && entries.every((entry) => isSentenceValue(entry, depth));
}

function isSentenceValue(value: unknown, depth: number): boolean {
  if (typeof value === 'string') return value.length <= longestValue;
  if (typeof value === 'number') return Number.isFinite(value);
  if (Array.isArray(value)) {
    return value.length <= mostValues && value.every((entry) => isNestedSentence(entry, depth));
  }
  return isNestedSentence(value, depth);
}

function isNestedSentence(value: unknown, depth: number): boolean {
  return (
    isStoredSentence(value, depth + 1) &&
    'english' in value &&
    typeof value.english === 'string' &&
    value.english.length <= longestValue
  );
}
