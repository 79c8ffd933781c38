import { isRecord } from '../../language/is-record.ts';
import { type ModelText, toModel } from '../../language/sentence.ts';

/** Maximum number of levels of a schema that are checked. */
const deepest = 20;
const mostNamed = 20;

type Fields = Readonly<Record<string, unknown>>;

/** Finds the first problem of arguments with a schema. Patterns are not checked, because a check can take for ever. */
export function argumentProblem(schema: unknown, input: Fields): ModelText | undefined {
  return problemWith('', schema, input, deepest);
}

function problemWith(path: string, schema: unknown, value: unknown, levels: number): ModelText | undefined {
  if (!isRecord(schema) || levels === 0) return undefined;
  return (
    typeProblem(path, schema, value) ??
    choiceProblem(path, schema, value) ??
    (isRecord(value) ? problemInObject(path, schema, value, levels) : undefined) ??
    (Array.isArray(value) ? problemInList(path, schema, value, levels) : undefined)
  );
}

function typeProblem(path: string, { type }: Fields, value: unknown): ModelText | undefined {
  const types = (Array.isArray(type) ? type : [type]).filter((name) => typeof name === 'string');
  if (types.length === 0 || types.some((name) => isOfType(name, value))) return undefined;
  return toModel`${named(path)} must be of type ${types.join(' or ')}.`;
}

function isOfType(type: string, value: unknown): boolean {
  switch (type) {
    case 'object':
      return isRecord(value);
    case 'array':
      return Array.isArray(value);
    case 'integer':
      return Number.isInteger(value);
    case 'null':
      return value === null;
    case 'string':
    case 'number':
    case 'boolean':
      return typeof value === type;
    default:
      return true;
  }
}

function choiceProblem(path: string, schema: Fields, value: unknown): ModelText | undefined {
  const { enum: allowed } = schema;
  const choices = Object.hasOwn(schema, 'const') ? [schema['const']] : allowed;
  if (!Array.isArray(choices)) return undefined;
  const texts = choices.map((choice) => JSON.stringify(choice));
  if (texts.includes(JSON.stringify(value))) return undefined;
  return toModel`${named(path)} must be one of ${texts.slice(0, mostNamed).join(', ')}.`;
}

function problemInObject(path: string, schema: Fields, value: Fields, levels: number): ModelText | undefined {
  const { required, additionalProperties } = schema;
  const properties = isRecord(schema['properties']) ? schema['properties'] : {};
  const names = Array.isArray(required) ? required.filter((name) => typeof name === 'string') : [];
  const missing = names.find((name) => !Object.hasOwn(value, name));
  if (missing !== undefined) return toModel`The argument "${joined(path, missing)}" is missing.`;
  for (const [name, inner] of Object.entries(value)) {
    const own = Object.hasOwn(properties, name);
    if (!own && additionalProperties === false && !isRecord(schema['patternProperties'])) {
      return toModel`There is no argument "${joined(path, name)}". There are: ${Object.keys(properties).join(', ')}.`;
    }
    const problem = own ? problemWith(joined(path, name), properties[name], inner, levels - 1) : undefined;
    if (problem !== undefined) return problem;
  }
  return undefined;
}

function problemInList(
  path: string,
  { items }: Fields,
  value: readonly unknown[],
  levels: number,
): ModelText | undefined {
  return value
    .map((item, index) => problemWith(`${path}[${index}]`, items, item, levels - 1))
    .find((problem) => problem !== undefined);
}

function joined(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function named(path: string): string {
  return path === '' ? 'The arguments' : `"${path}"`;
}
