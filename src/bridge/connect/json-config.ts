import {
  applyEdits,
  findNodeAtLocation,
  type JSONPath,
  modify,
  type Node,
  parseTree,
  type ParseError,
  getNodeValue,
} from 'jsonc-parser';
import { bridgeSentences } from '../../language/bridge-english.ts';
import { ConfigError } from './config-error.ts';

/** An entry of ours in a configuration of JSON, with or without comments. */
export type JsonEntry =
  | { readonly kind: 'field'; readonly path: readonly string[]; readonly value: unknown }
  | {
      readonly kind: 'item';
      /** Of the array. */
      readonly path: readonly string[];
      readonly value: unknown;
      /** True for an item of the array that is ours, also one of an earlier version. */
      readonly isOurs: (item: unknown) => boolean;
    };

/**
 * Adds entries, and leaves everything else as it is, comments and indentation included. Entries of ours that are there
 * already are replaced.
 *
 * @throws {ConfigError} if the text cannot be read, or holds something else in a place of ours
 */
export function withEntries(text: string, entries: readonly JsonEntry[]): string {
  const root = treeOf(checked(text));
  if (entries.every((entry) => isAsWritten(root, entry))) return text;
  return entries.reduce(add, checked(withoutEntries(text, entries)));
}

/**
 * Removes entries of ours, and what held nothing else.
 *
 * @throws {ConfigError} if the text cannot be read
 */
export function withoutEntries(text: string, entries: readonly JsonEntry[]): string {
  return entries.reduce(remove, checked(text));
}

/** @throws {ConfigError} if the text cannot be read */
export function hasEntries(text: string, entries: readonly JsonEntry[]): boolean {
  const root = treeOf(checked(text));
  return entries.every((entry) => {
    const node = findNodeAtLocation(root, [...entry.path]);
    return node !== undefined && (entry.kind === 'field' || ownItems(node, entry).length > 0);
  });
}

function isAsWritten(root: Node, entry: JsonEntry): boolean {
  const node = findNodeAtLocation(root, [...entry.path]);
  if (node === undefined) return false;
  const own = entry.kind === 'field' ? [node] : ownItems(node, entry).map((index) => node.children?.[index]);
  const [only] = own;
  return (
    own.length === 1 &&
    only !== undefined &&
    JSON.stringify(getNodeValue(only)) === JSON.stringify(entry.value)
  );
}

function add(text: string, entry: JsonEntry): string {
  const root = treeOf(text);
  for (let depth = 1; depth <= entry.path.length; depth++) {
    const path = entry.path.slice(0, depth);
    const node = findNodeAtLocation(root, [...path]);
    const isLast = depth === entry.path.length;
    const expected = isLast && entry.kind === 'item' ? 'array' : 'object';
    if (node !== undefined && !(isLast && entry.kind === 'field') && node.type !== expected) {
      const said = { path: path.join('.') };
      throw new ConfigError(
        expected === 'array'
          ? bridgeSentences.say('notAnArray', said)
          : bridgeSentences.say('notAnObject', said),
      );
    }
  }
  if (entry.kind === 'field') return edited(text, [...entry.path], entry.value);
  return findNodeAtLocation(root, [...entry.path]) === undefined
    ? edited(text, [...entry.path], [entry.value])
    : edited(text, [...entry.path, -1], entry.value, true);
}

function remove(text: string, entry: JsonEntry): string {
  let left = text;
  if (entry.kind === 'field') {
    if (findNodeAtLocation(treeOf(left), [...entry.path]) === undefined) return left;
    left = edited(left, [...entry.path], undefined);
  } else {
    const array = findNodeAtLocation(treeOf(left), [...entry.path]);
    const items = array === undefined ? [] : ownItems(array, entry);
    if (items.length === 0) return left;
    for (const index of items.toReversed()) left = edited(left, [...entry.path, index], undefined);
    if (isEmpty(left, entry.path)) left = edited(left, [...entry.path], undefined);
  }
  for (let depth = entry.path.length - 1; depth > 0 && isEmpty(left, entry.path.slice(0, depth)); depth--) {
    left = edited(left, entry.path.slice(0, depth), undefined);
  }
  return left;
}

function ownItems(array: Node, { isOurs }: Extract<JsonEntry, { kind: 'item' }>): readonly number[] {
  return (array.type === 'array' ? (array.children ?? []) : []).flatMap((item, index) =>
    isOurs(getNodeValue(item)) ? [index] : [],
  );
}

function isEmpty(text: string, path: readonly string[]): boolean {
  return (findNodeAtLocation(treeOf(text), [...path])?.children ?? ['something']).length === 0;
}

function edited(text: string, path: JSONPath, value: unknown, isArrayInsertion = false): string {
  const formattingOptions = { ...indentationOf(text), eol: text.includes('\r\n') ? '\r\n' : '\n' };
  return applyEdits(text, modify(text, path, value, { formattingOptions, isArrayInsertion }));
}

/** As the file has it: a tab, or as many spaces as its first indented line. */
function indentationOf(text: string) {
  const [, indent = '  '] = /\n([ \t]+)\S/u.exec(text) ?? [];
  return { insertSpaces: !indent.startsWith('\t'), tabSize: indent.startsWith('\t') ? 1 : indent.length };
}

/** @returns the text itself; of an empty file an empty object */
function checked(text: string): string {
  if (text.trim() === '') return '{}\n';
  treeOf(text);
  return text;
}

function treeOf(text: string): Node {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  const [error] = errors;
  if (error !== undefined) {
    const line = String(text.slice(0, error.offset).split('\n').length);
    throw new ConfigError(bridgeSentences.say('invalidJson', { line }));
  }
  if (root?.type !== 'object') {
    throw new ConfigError(bridgeSentences.say('notAnObject', { path: '/' }));
  }
  return root;
}
