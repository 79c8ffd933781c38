import type { Phrase } from '../../../compaction/records/record.ts';
import type { ApprovalRequest } from '../../approvals/approval-request.ts';
import {
  type ActingTool,
  failed,
  ok,
  type ProposedAction,
  shortened,
  type Tool,
  type ToolResult,
} from './tool.ts';
import { isRecord } from '../../../language/is-record.ts';
import { throwIfCancelled } from '../../../compaction/signals/cancellation.ts';
import { type ModelText, toModel } from '../../../language/sentence.ts';

type Property = Scalar | List | Group;

interface Scalar {
  readonly type: 'string' | 'integer' | 'boolean';
  readonly description?: string;
  readonly minimum?: number;
  readonly enum?: readonly string[];
}

interface List {
  readonly type: 'array';
  readonly description?: string;
  readonly items: Scalar | Group;
}

interface Group {
  readonly type: 'object';
  readonly description?: string;
  readonly properties: Properties;
  readonly required: readonly string[];
  readonly additionalProperties: false;
}

type Properties = Readonly<Record<string, Property>>;

type ValueOf<P> = P extends { readonly enum: readonly (infer Value)[] }
  ? Value
  : P extends { readonly type: 'string' }
    ? string
    : P extends { readonly type: 'integer' }
      ? number
      : P extends { readonly type: 'boolean' }
        ? boolean
        : P extends { readonly type: 'array'; readonly items: infer Item }
          ? readonly ValueOf<Item>[]
          : P extends {
                readonly properties: infer Inner extends Properties;
                readonly required: readonly (infer Name)[];
              }
            ? ValuesOf<Inner, Name & keyof Inner>
            : never;

type ValuesOf<P extends Properties, Required extends keyof P> = {
  readonly [Name in Required]: ValueOf<P[Name]>;
} & { readonly [Name in Exclude<keyof P, Required>]?: ValueOf<P[Name]> | undefined };

interface Description<P extends Properties, Required extends keyof P & string> {
  readonly name: string;
  /** Text that tells the model the purpose and the use of the tool. */
  readonly description: string;
  readonly properties: P;
  readonly required: readonly Required[];
  /** Describes a call in a few words. Gets only arguments of the right type. */
  describe(values: Partial<ValuesOf<P, Required>>): Phrase;
}

interface Definition<P extends Properties, Required extends keyof P & string> extends Description<
  P,
  Required
> {
  approvalOf?(values: ValuesOf<P, Required>): Promise<ApprovalRequest | undefined>;
  run(
    values: ValuesOf<P, Required>,
    signal: AbortSignal,
    isGranted: boolean,
  ): ToolResult | Promise<ToolResult>;
}

interface ActingDefinition<P extends Properties, Required extends keyof P & string> extends Description<
  P,
  Required
> {
  propose(
    values: ValuesOf<P, Required>,
    signal: AbortSignal,
  ): ToolResult | ProposedAction | Promise<ToolResult | ProposedAction>;
}

/** Creates a tool whose arguments are checked against its own schema before it runs. */
export function defineTool<const P extends Properties, const Required extends keyof P & string>(
  definition: Definition<P, Required>,
): Tool {
  return {
    ...described(definition),
    ...(definition.approvalOf === undefined
      ? {}
      : {
          async approvalOf(input, signal) {
            const asked = await withChecked(definition, input, signal, async (values) => ({
              request: await definition.approvalOf?.(values),
            }));
            // The call itself will report invalid arguments.
            return 'request' in asked ? asked.request : undefined;
          },
        }),
    run: (input, signal, isGranted = false) =>
      withChecked(definition, input, signal, (values) => definition.run(values, signal, isGranted)),
  };
}

interface Search {
  readonly name: string;
  readonly description: string;
  readonly words: string;
  readonly search: (query: string) => Promise<string>;
}

/** Creates a tool that searches by words. */
export function defineSearch({ name, description, words, search }: Search): Tool {
  return defineTool({
    name,
    description,
    properties: { query: { type: 'string', description: words } },
    required: ['query'],
    describe: ({ query = '' }) => query,
    run: async ({ query }) =>
      query.trim() === '' ? failed(toModel`The query is empty.`) : ok(await search(query)),
  });
}

/** Creates an acting tool whose arguments are checked before it proposes its action. */
export function defineActingTool<const P extends Properties, const Required extends keyof P & string>(
  definition: ActingDefinition<P, Required>,
): ActingTool {
  return {
    ...described(definition),
    propose: (input, signal) =>
      withChecked(definition, input, signal, (values) => definition.propose(values, signal)),
  };
}

function described<P extends Properties, Required extends keyof P & string>(
  definition: Description<P, Required>,
): Pick<Tool, 'name' | 'schema' | 'describe'> {
  const { name, description, properties, required } = definition;
  return {
    name,
    schema: {
      type: 'function',
      function: {
        name,
        description,
        parameters: { type: 'object', properties, required, additionalProperties: false },
      },
    },
    describe(input) {
      const usable = Object.entries(withoutNulls(input)).filter(([key, value]) => {
        const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
        return property !== undefined && problemWith(key, property, value) === undefined;
      });
      const label = definition.describe(Object.fromEntries(usable) as Partial<ValuesOf<P, Required>>);
      return shortened(label);
    },
  };
}

async function withChecked<P extends Properties, Required extends keyof P & string, R>(
  { name, properties, required }: Description<P, Required>,
  input: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
  then: (values: ValuesOf<P, Required>) => R | Promise<R>,
): Promise<R | ToolResult> {
  throwIfCancelled(signal);
  const given = withoutNulls(input);
  const problem = problemIn(name, properties, required, given);
  if (problem !== undefined) return failed(problem);
  return then(given as ValuesOf<P, Required>);
}

/** Removes nulls, which some models send for unused arguments. */
function withoutNulls(value: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, inner]) => (inner == null ? [] : [[key, cleaned(inner)]])),
  );
}

function cleaned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleaned);
  return isRecord(value) ? withoutNulls(value) : value;
}

/** @param whose name of the tool, or of the argument that contains the properties */
function problemIn(
  whose: string,
  properties: Properties,
  required: readonly string[],
  given: Readonly<Record<string, unknown>>,
  prefix = '',
): ModelText | undefined {
  for (const [key, value] of Object.entries(given)) {
    const property = Object.hasOwn(properties, key) ? properties[key] : undefined;
    if (property === undefined) {
      return toModel`${whose} has no argument "${key}". It takes: ${Object.keys(properties).join(', ')}.`;
    }
    const problem = problemWith(`${prefix}${key}`, property, value);
    if (problem !== undefined) return problem;
  }
  const missing = required.find((key) => !Object.hasOwn(given, key));
  return missing === undefined ? undefined : toModel`The argument "${prefix}${missing}" is missing.`;
}

function problemWith(path: string, property: Property, value: unknown): ModelText | undefined {
  switch (property.type) {
    case 'string': {
      const { enum: allowed } = property;
      if (typeof value !== 'string') return toModel`"${path}" must be a text.`;
      const fits = allowed === undefined || allowed.includes(value);
      return fits ? undefined : toModel`"${path}" must be one of ${allowed.join(', ')}.`;
    }
    case 'boolean':
      return typeof value === 'boolean' ? undefined : toModel`"${path}" must be true or false.`;
    case 'integer': {
      if (!Number.isSafeInteger(value)) return toModel`"${path}" must be a whole number.`;
      const { minimum } = property;
      const isTooSmall = minimum !== undefined && (value as number) < minimum;
      return isTooSmall ? toModel`"${path}" must be at least ${minimum}.` : undefined;
    }
    case 'array': {
      if (!Array.isArray(value)) return toModel`"${path}" must be a list.`;
      return value
        .map((item, index) => problemWith(`${path}[${index}]`, property.items, item))
        .find((problem) => problem !== undefined);
    }
    case 'object': {
      if (!isRecord(value)) return toModel`"${path}" must be an object.`;
      return problemIn(`"${path}"`, property.properties, property.required, value, `${path}.`);
    }
  }
}
