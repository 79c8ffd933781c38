import type { Sentence } from '../../../language/sentence.ts';
import { strategySentences } from '../../../language/english/strategies-english.ts';
import { isRecord } from '../../../language/is-record.ts';

/** Schema of a strategy's options: simple enough for VS Code settings, help texts and checks. */
export type OptionSpec =
  IntegerSpec | NumberSpec | BooleanSpec | TextSpec | ChoiceSpec | TextListSpec | GroupSpec | ListSpec;

interface Described {
  readonly description: string;
}

interface IntegerSpec extends Described {
  readonly type: 'integer';
  readonly default: number | 'auto';
  readonly minimum: number;
  readonly maximum: number;
  /** True if the value `auto` lets the strategy choose the number. */
  readonly auto?: true;
  /** True if the number sets how much of the newest content stays. For a part of the view, the minimum applies. */
  readonly keepsNewest?: true;
}

interface NumberSpec extends Described {
  readonly type: 'number';
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
}

interface BooleanSpec extends Described {
  readonly type: 'boolean';
  readonly default: boolean;
}

interface TextSpec extends Described {
  readonly type: 'string';
  readonly default: string;
}

interface ChoiceSpec extends Described {
  readonly type: 'choice';
  readonly default: string;
  readonly choices: readonly string[];
}

interface TextListSpec extends Described {
  readonly type: 'texts';
  readonly default: readonly string[];
  readonly choices?: readonly string[];
}

interface GroupSpec extends Described {
  readonly type: 'group';
  readonly fields: OptionSchema;
}

/** A list of groups. Fields that an entry lacks have their defaults. */
export interface ListSpec extends Described {
  readonly type: 'list';
  readonly default: readonly Readonly<Record<string, unknown>>[];
  readonly fields: OptionSchema;
}

export type OptionSchema = Readonly<Record<string, OptionSpec>>;

export type OptionsOf<Schema extends OptionSchema> = {
  readonly [Name in keyof Schema]: ValueOf<Schema[Name]>;
};

type ValueOf<Spec extends OptionSpec> = Spec extends { readonly type: 'integer'; readonly auto: true }
  ? number | 'auto'
  : Spec extends { readonly type: 'integer' | 'number' }
    ? number
    : Spec extends { readonly type: 'boolean' }
      ? boolean
      : Spec extends { readonly type: 'choice'; readonly choices: readonly (infer Choice)[] }
        ? Choice
        : Spec extends { readonly type: 'texts'; readonly choices: readonly (infer Choice)[] }
          ? readonly Choice[]
          : Spec extends { readonly type: 'texts' }
            ? readonly string[]
            : Spec extends { readonly type: 'group'; readonly fields: infer Fields extends OptionSchema }
              ? OptionsOf<Fields>
              : Spec extends { readonly type: 'list'; readonly fields: infer Fields extends OptionSchema }
                ? readonly OptionsOf<Fields>[]
                : string;

interface OptionProblem {
  readonly path: string;
  readonly sentence: Sentence;
}

/** Fills in defaults, also in place of invalid options, so that the result can always be used. */
export function resolveOptions<const Schema extends OptionSchema>(
  schema: Schema,
  given: Readonly<Record<string, unknown>>,
): { readonly options: OptionsOf<Schema>; readonly problems: readonly OptionProblem[] } {
  const problems: OptionProblem[] = [];
  const options = resolveFields(schema, given, '', problems);
  return { options: options as OptionsOf<Schema>, problems };
}

/** Adapts options to a part that the user chose, because the newest messages of a part are not recent. */
export function optionsForPart(
  schema: OptionSchema,
  options: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const entries = Object.entries(schema).flatMap(([name, spec]) =>
    spec.type === 'integer' && spec.keepsNewest === true ? [[name, spec.minimum] as const] : [],
  );
  return { ...options, ...Object.fromEntries(entries) };
}

export function defaultOf(spec: OptionSpec): unknown {
  switch (spec.type) {
    case 'group':
      return resolveFields(spec.fields, {}, '', []);
    case 'list':
      return spec.default.map((entry) => resolveFields(spec.fields, entry, '', []));
    default:
      return spec.default;
  }
}

function resolveFields(
  schema: OptionSchema,
  given: Readonly<Record<string, unknown>>,
  prefix: string,
  problems: OptionProblem[],
): Readonly<Record<string, unknown>> {
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(schema, name)) continue;
    const known = Object.keys(schema);
    const path = prefix + name;
    const sentence =
      known.length === 0
        ? strategySentences.say('noOptions', { path })
        : strategySentences.say('unknownOption', { path, options: known.join(', ') });
    problems.push({ path, sentence });
  }
  const options: Record<string, unknown> = {};
  for (const [name, spec] of Object.entries(schema)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    options[name] =
      value === undefined ? defaultOf(spec) : resolveValue(spec, value, prefix + name, problems);
  }
  return options;
}

function resolveValue(spec: OptionSpec, value: unknown, path: string, problems: OptionProblem[]): unknown {
  const expected = expectation(spec, value);
  if (expected !== undefined) {
    problems.push({
      path,
      sentence: strategySentences.say('mustBe', { path, expected, found: JSON.stringify(value) }),
    });
    return defaultOf(spec);
  }
  if (spec.type !== 'group' && spec.type !== 'list') return value;
  const found: OptionProblem[] = [];
  const resolved =
    spec.type === 'group'
      ? resolveFields(spec.fields, value as Record<string, unknown>, `${path}.`, found)
      : (value as readonly Record<string, unknown>[]).map((entry, index) =>
          resolveFields(spec.fields, entry, `${path}[${index}].`, found),
        );
  problems.push(...found);
  return found.length === 0 ? resolved : defaultOf(spec);
}

/** Returns the expected form of an invalid value; undefined for a valid one. Does not check nested values. */
function expectation(spec: OptionSpec, value: unknown): Sentence | undefined {
  switch (spec.type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : strategySentences.say('trueOrFalse');
    case 'string':
      return typeof value === 'string' ? undefined : strategySentences.say('aString');
    case 'choice':
      return spec.choices.includes(value as string)
        ? undefined
        : strategySentences.say('oneOf', { choices: spec.choices.join(', ') });
    case 'texts': {
      const { choices } = spec;
      const isList =
        Array.isArray(value) &&
        value.every((entry) => typeof entry === 'string' && (choices?.includes(entry) ?? true));
      return isList
        ? undefined
        : choices === undefined
          ? strategySentences.say('listOfStrings')
          : strategySentences.say('listOf', { choices: choices.join(', ') });
    }
    case 'group':
      return isRecord(value)
        ? undefined
        : strategySentences.say('objectWith', { fields: Object.keys(spec.fields).join(', ') });
    case 'list':
      return Array.isArray(value) && value.every(isRecord)
        ? undefined
        : strategySentences.say('listOfObjects', { fields: Object.keys(spec.fields).join(', ') });
    case 'number':
    case 'integer': {
      const isInteger = spec.type === 'integer';
      if (isInteger && spec.auto === true && value === 'auto') return undefined;
      const isNumber = isInteger ? Number.isInteger(value) : Number.isFinite(value);
      if (isNumber && Number(value) >= spec.minimum && Number(value) <= spec.maximum) return undefined;
      const bounds = { least: spec.minimum, most: spec.maximum };
      const range = strategySentences.say(isInteger ? 'wholeNumberBetween' : 'numberBetween', bounds);
      return isInteger && spec.auto === true ? strategySentences.say('orAuto', { range }) : range;
    }
  }
}
