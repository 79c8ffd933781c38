/**
 * The schema of a strategy's options: small enough to be turned into VS Code settings, help texts and checks.
 */
export type OptionSpec =
  | IntegerSpec
  | { readonly type: 'boolean'; readonly default: boolean; readonly description: string }
  | { readonly type: 'string'; readonly default: string; readonly description: string };

export interface IntegerSpec {
  readonly type: 'integer';
  readonly default: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly description: string;
}

export type OptionSchema = Readonly<Record<string, OptionSpec>>;

/** The values that a schema describes. */
export type OptionsOf<Schema extends OptionSchema> = {
  readonly [Name in keyof Schema]: ValueOf<Schema[Name]>;
};

type ValueOf<Spec extends OptionSpec> = Spec['type'] extends 'integer'
  ? number
  : Spec['type'] extends 'boolean'
    ? boolean
    : string;

/** An option that is not in the schema, or whose value the schema does not allow. */
export interface OptionProblem {
  readonly path: string;
  readonly message: string;
}

/** Fills in defaults. A value with a problem is replaced by the default, so the result can always be used. */
export function resolveOptions<Schema extends OptionSchema>(
  schema: Schema,
  given: Readonly<Record<string, unknown>>,
): { readonly options: OptionsOf<Schema>; readonly problems: readonly OptionProblem[] } {
  const problems: OptionProblem[] = [];
  for (const name of Object.keys(given)) {
    if (Object.hasOwn(schema, name)) continue;
    const known = Object.keys(schema);
    const list = known.length === 0 ? 'there are none' : `there are ${known.join(', ')}`;
    problems.push({ path: name, message: `${name} is not an option; ${list}.` });
  }
  const options: Record<string, unknown> = {};
  for (const [name, spec] of Object.entries(schema)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    const expected = value === undefined ? undefined : expectation(spec, value);
    if (expected !== undefined) {
      problems.push({ path: name, message: `${name} must be ${expected}, not ${JSON.stringify(value)}.` });
    }
    options[name] = value === undefined || expected !== undefined ? spec.default : value;
  }
  return { options: options as OptionsOf<Schema>, problems };
}

/** What the value should have been, where it is not. */
function expectation(spec: OptionSpec, value: unknown): string | undefined {
  switch (spec.type) {
    case 'boolean':
      return typeof value === 'boolean' ? undefined : 'true or false';
    case 'string':
      return typeof value === 'string' ? undefined : 'a text';
    case 'integer': {
      const isInRange =
        Number.isInteger(value) && Number(value) >= spec.minimum && Number(value) <= spec.maximum;
      return isInRange ? undefined : `a whole number from ${spec.minimum} to ${spec.maximum}`;
    }
  }
}
