import { headOf } from '../../compaction/clip.ts';
import { failed, type Tool, type ToolResult } from './tool.ts';

/** One argument of a tool. */
export interface Property {
  readonly type: 'string' | 'integer' | 'boolean';
  readonly description: string;
  /** For numbers. */
  readonly minimum?: number;
}

type Properties = Readonly<Record<string, Property>>;

type ValueOf<P extends Property> = P['type'] extends 'string'
  ? string
  : P['type'] extends 'integer'
    ? number
    : boolean;

/** Arguments after they were checked. */
export type ValuesOf<P extends Properties, Required extends keyof P> = {
  readonly [Name in Required]: ValueOf<P[Name]>;
} & { readonly [Name in Exclude<keyof P, Required>]?: ValueOf<P[Name]> | undefined };

interface Definition<P extends Properties, Required extends keyof P & string> {
  readonly name: string;
  /** For the model: what it does and when to use it. */
  readonly description: string;
  readonly properties: P;
  readonly required: readonly Required[];
  /** The call in a few words. Gets only those arguments that have the right type. */
  describe(values: Partial<ValuesOf<P, Required>>): string;
  run(values: ValuesOf<P, Required>, signal: AbortSignal): ToolResult | Promise<ToolResult>;
}

/** Longest text of a call that a person is shown. */
const longestLabel = 120;

/** Makes a tool whose arguments are checked against its own schema before it runs. */
export function defineTool<const P extends Properties, const Required extends keyof P & string>(
  definition: Definition<P, Required>,
): Tool {
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
      const usable = Object.entries(input).filter(([key, value]) => {
        const property = properties[key];
        return property !== undefined && problemWith(key, property, value) === undefined;
      });
      const label = definition.describe(Object.fromEntries(usable) as Partial<ValuesOf<P, Required>>);
      const line = label.replace(/\s+/g, ' ').trim();
      return line.length <= longestLabel ? line : `${headOf(line, longestLabel - 1)}…`;
    },
    async run(input, signal) {
      throwIfAborted(signal);
      // Models that fill in every argument send null for those they have no use for.
      const given = Object.entries(input).filter(([, value]) => value != null);
      const problem = findProblem(name, properties, required, given);
      if (problem !== undefined) return failed(problem);
      return definition.run(Object.fromEntries(given) as ValuesOf<P, Required>, signal);
    },
  };
}

/** @throws {DOMException} `AbortError`, whatever reason the signal was aborted with */
export function throwIfAborted(signal: AbortSignal): void {
  if (signal.aborted) throw new DOMException('The tool was stopped.', 'AbortError');
}

function findProblem(
  tool: string,
  properties: Properties,
  required: readonly string[],
  given: readonly (readonly [string, unknown])[],
): string | undefined {
  for (const [key, value] of given) {
    const property = properties[key];
    if (property === undefined) {
      return `${tool} has no argument "${key}". It takes: ${Object.keys(properties).join(', ')}.`;
    }
    const problem = problemWith(key, property, value);
    if (problem !== undefined) return problem;
  }
  const missing = required.find((key) => !given.some(([name]) => name === key));
  return missing === undefined ? undefined : `The argument "${missing}" is missing.`;
}

function problemWith(key: string, property: Property, value: unknown): string | undefined {
  switch (property.type) {
    case 'string':
      return typeof value === 'string' ? undefined : `"${key}" must be a text.`;
    case 'boolean':
      return typeof value === 'boolean' ? undefined : `"${key}" must be true or false.`;
    case 'integer': {
      if (!Number.isSafeInteger(value)) return `"${key}" must be a whole number.`;
      const { minimum } = property;
      const isTooSmall = minimum !== undefined && (value as number) < minimum;
      return isTooSmall ? `"${key}" must be at least ${minimum}.` : undefined;
    }
  }
}
