import { findNodeAtLocation, getNodeValue, type Node, parseTree, type ParseError } from 'jsonc-parser';
import { bridgeSentences } from '../../language/english/bridge-english.ts';
import { isRecord } from '../../language/is-record.ts';
import { SentenceError } from '../../language/sentence.ts';
import { withChild, withoutChild } from './json-edits.ts';

/** Error for a configuration that cannot be changed, with the reason. */
export class ConfigError extends SentenceError {
  override readonly name = 'ConfigError';
}

/** Our entry in a JSON configuration, which may contain comments. */
export type JsonEntry =
  | {
      readonly kind: 'field';
      readonly path: readonly string[];
      readonly value: unknown;
      /** True for a value of ours, from any version. The user may have another value with the same name. */
      readonly isOurs: (value: unknown) => boolean;
    }
  | {
      readonly kind: 'item';
      /** Path of the array. */
      readonly path: readonly string[];
      readonly value: unknown;
      /** Returns paths to our parts of an item, from any version; an empty path if the whole item is ours. */
      readonly ownParts: (item: unknown) => readonly (readonly (string | number)[])[];
    };

/**
 * Adds entries and keeps everything else, including comments and indentation. Replaces our existing entries, and a
 * foreign field under our name.
 * @throws {ConfigError} if the text cannot be read, or a value on an entry's path has another type
 */
export function withEntries(text: string, entries: readonly JsonEntry[]): string {
  const root = treeOf(checked(text));
  if (entries.every((entry) => isAsWritten(root, entry))) return text;
  const freed = entries.map((entry) => (entry.kind === 'field' ? { ...entry, isOurs: () => true } : entry));
  return entries.reduce(add, checked(withoutEntries(text, freed)));
}

/**
 * Removes our entries, and objects and arrays that become empty.
 * @throws {ConfigError} if the text cannot be read
 */
export function withoutEntries(text: string, entries: readonly JsonEntry[]): string {
  return text.trim() === '' ? text : entries.reduce(remove, checked(text));
}

/**
 * True if the text has at least one of the entries.
 * @throws {ConfigError} if the text cannot be read
 */
export function hasEntries(text: string, entries: readonly JsonEntry[]): boolean {
  const root = treeOf(checked(text));
  return entries.some((entry) => {
    const node = nodeAt(root, entry.path);
    if (node === undefined) return false;
    return entry.kind === 'field' ? entry.isOurs(getNodeValue(node)) : ownItems(node, entry).length > 0;
  });
}

/**
 * Returns the user's own fields under our names as JSON, or undefined.
 * @throws {ConfigError} if the text cannot be read
 */
export function foreignField(text: string, entries: readonly JsonEntry[]): string | undefined {
  const root = treeOf(checked(text));
  const found = fieldsOf(entries).flatMap(({ path, isOurs }) => {
    const node = nodeAt(root, path);
    const value: unknown = node && getNodeValue(node);
    return node === undefined || isOurs(value) ? [] : [[path.join('.'), value]];
  });
  return found.length === 0 ? undefined : JSON.stringify(Object.fromEntries(found));
}

/**
 * Restores the fields returned by `foreignField`.
 * @throws {ConfigError} if the text cannot be changed
 */
export function withForeignField(text: string, entries: readonly JsonEntry[], foreign: string): string {
  const values = new Map(Object.entries(fieldsIn(foreign)));
  return fieldsOf(entries)
    .filter(({ path }) => values.has(path.join('.')))
    .reduce((left, entry) => add(left, { ...entry, value: values.get(entry.path.join('.')) }), checked(text));
}

/** Returns the fields of a JSON object; an empty object for any other text, such as a foreign receipt. */
function fieldsIn(text: string): object {
  try {
    const value: unknown = JSON.parse(text);
    return isRecord(value) ? value : {};
  } catch {
    return {};
  }
}

function fieldsOf(entries: readonly JsonEntry[]) {
  return entries.filter((entry) => entry.kind === 'field');
}

function isAsWritten(root: Node, entry: JsonEntry): boolean {
  const node = nodeAt(root, entry.path);
  if (node === undefined) return false;
  const own =
    entry.kind === 'field'
      ? [node]
      : ownItems(node, entry).map(([index, ...part]) =>
          part.length > 0 ? undefined : node.children?.[index],
        );
  const [only] = own;
  return (
    own.length === 1 &&
    only !== undefined &&
    JSON.stringify(getNodeValue(only)) === JSON.stringify(entry.value)
  );
}

function add(text: string, entry: JsonEntry): string {
  const root = treeOf(text);
  const { path } = entry;
  // The array of an item is created if missing, like the objects around it.
  const last = entry.kind === 'item' ? path.length : path.length - 1;
  let parent = root;
  for (let depth = 0; depth <= last; depth++) {
    const node = nodeAt(root, path.slice(0, depth));
    if (node === undefined) return withChild(text, parent, path[depth - 1], within(path.slice(depth), entry));
    const expected = depth === path.length ? 'array' : 'object';
    if (node.type !== expected) throw new ConfigError(objectionTo(path.slice(0, depth), expected));
    parent = node;
  }
  return withChild(text, parent, path[last], entry.value);
}

/** Returns the value of an entry, wrapped in the objects of its path. */
function within(path: readonly string[], { kind, value }: JsonEntry): unknown {
  const own: unknown = kind === 'item' ? [value] : value;
  return path.reduceRight((inner, name) => ({ [name]: inner }), own);
}

function objectionTo(path: readonly string[], expected: 'array' | 'object') {
  const said = { path: path.join('.') };
  return expected === 'array'
    ? bridgeSentences.say('notAnArray', said)
    : bridgeSentences.say('notAnObject', said);
}

function remove(text: string, entry: JsonEntry): string {
  const { kind, path } = entry;
  let left = text;
  if (kind === 'field') {
    const node = nodeAt(treeOf(left), path);
    if (node === undefined || !entry.isOurs(getNodeValue(node))) return left;
    left = withoutPath(left, path);
  } else {
    const array = nodeAt(treeOf(left), path);
    const items = array === undefined ? [] : ownItems(array, entry);
    if (items.length === 0) return left;
    for (const item of items.toReversed()) left = withoutPath(left, [...path, ...item]);
    if (isEmpty(left, path)) left = withoutPath(left, path);
  }
  for (let depth = path.length - 1; depth > 0 && isEmpty(left, path.slice(0, depth)); depth--) {
    left = withoutPath(left, path.slice(0, depth));
  }
  return left;
}

function withoutPath(text: string, path: readonly (string | number)[]): string {
  const root = treeOf(text);
  const node = nodeAt(root, path);
  const parent = nodeAt(root, path.slice(0, -1));
  // The child of an object is a field, and the node is its value.
  const child = parent?.type === 'object' ? node?.parent : node;
  const index = child === undefined ? -1 : (parent?.children?.indexOf(child) ?? -1);
  return parent === undefined ? text : withoutChild(text, parent, index);
}

/** Returns paths to our parts, each beginning with the index of its array item. */
function ownItems(
  array: Node,
  { ownParts }: Extract<JsonEntry, { kind: 'item' }>,
): readonly (readonly [number, ...(string | number)[]])[] {
  return (array.type === 'array' ? (array.children ?? []) : []).flatMap((item, index) =>
    ownParts(getNodeValue(item)).map((part) => [index, ...part] as const),
  );
}

function isEmpty(text: string, path: readonly string[]): boolean {
  return (nodeAt(treeOf(text), path)?.children ?? ['something']).length === 0;
}

/** @returns the text; an empty object for an empty file */
function checked(text: string): string {
  if (text.trim() === '') return '{}\n';
  treeOf(text);
  return text;
}

/** @throws {ConfigError} if a name on the path is repeated, because parsers disagree on which value applies */
function nodeAt(root: Node, path: readonly (string | number)[]): Node | undefined {
  let node: Node | undefined = root;
  for (const [depth, name] of path.entries()) {
    const named: number = node?.type === 'object' ? fieldsNamed(node, name) : 1;
    if (named > 1)
      throw new ConfigError(bridgeSentences.say('standsTwice', { path: path.slice(0, depth + 1).join('.') }));
    node = node && findNodeAtLocation(node, [name]);
  }
  return node;
}

function fieldsNamed({ children = [] }: Node, name: string | number): number {
  return children.filter((field) => field.children?.[0]?.value === name).length;
}

/** The last parsed text and its tree, kept while memory allows, because each step of a change needs the tree. */
let latest: { readonly text: string; readonly root: WeakRef<Node> } | undefined;

function treeOf(text: string): Node {
  const known = latest?.text === text ? latest.root.deref() : undefined;
  if (known !== undefined) return known;
  const errors: ParseError[] = [];
  const root = parsed(text, errors);
  const [error] = errors;
  if (error !== undefined) {
    const line = String(text.slice(0, error.offset).split('\n').length);
    throw new ConfigError(bridgeSentences.say('invalidJson', { line }));
  }
  if (root?.type !== 'object') {
    throw new ConfigError(bridgeSentences.say('notAnObject', { path: '/' }));
  }
  latest = { text, root: new WeakRef(root) };
  return root;
}

/** @throws {ConfigError} if the text is nested deeper than the parser supports */
function parsed(text: string, errors: ParseError[]): Node | undefined {
  try {
    return parseTree(text, errors, { allowTrailingComma: true });
  } catch (error) {
    throw new ConfigError(bridgeSentences.say('configUnreadable'), { cause: error });
  }
}
