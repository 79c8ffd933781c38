import * as fc from 'fast-check';
import { findNodeAtLocation, getNodeValue, type Node, type ParseError, parseTree } from 'jsonc-parser';
import { describe, expect, it } from 'vitest';
import { withChild, withoutChild } from '../../../src/bridge/connect/json-edits.ts';

const treeOf = (text: string): Node => {
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { allowTrailingComma: true });
  expect(errors, text).toEqual([]);
  return root!;
};
const added = (text: string, path: readonly string[], name: string | undefined, value: unknown) =>
  withChild(text, findNodeAtLocation(treeOf(text), [...path])!, name, value);

describe('withChild', () => {
  it.each([
    ['an object on several lines', '{\n  "a": 1\n}\n', '{\n  "a": 1,\n  "b": [\n    2\n  ]\n}\n'],
    ['an object with a comma at the end', '{\n  "a": 1,\n}\n', '{\n  "a": 1,\n  "b": [\n    2\n  ]\n}\n'],
    [
      'an object with comments',
      '{\n  "a": 1 // one\n  /* end */\n}\n',
      '{\n  "a": 1, // one\n  /* end */\n  "b": [\n    2\n  ]\n}\n',
    ],
    ['an object indented by tabs', '{\n\t"a": 1\n}', '{\n\t"a": 1,\n\t"b": [\n\t\t2\n\t]\n}'],
    [
      'an object with Windows line ends',
      '{\r\n  "a": 1\r\n}',
      '{\r\n  "a": 1,\r\n  "b": [\r\n    2\r\n  ]\r\n}',
    ],
    ['an object on one line', '{"a":{"c":1}}', '{"a":{"c":1}, "b": [2]}'],
    ['an empty object', '{}', '{\n  "b": [\n    2\n  ]\n}'],
    ['an empty object on several lines', '{\n}', '{\n  "b": [\n    2\n  ]\n}'],
    ['an object that contains only a comment', '{\n  // none\n}', '{\n  // none\n  "b": [\n    2\n  ]\n}'],
    [
      'an object with mixed line breaks',
      '{ "a": 1,\n  "c": [3, 4] }',
      '{ "a": 1,\n  "c": [3, 4],\n  "b": [\n    2\n  ] }',
    ],
  ])('adds to %s', (_what, text, expected) => {
    expect(added(text, [], 'b', [2])).toBe(expected);
  });

  it('adds to an array', () => {
    expect(added('{\n  "a": [\n    1 // one\n  ]\n}', ['a'], undefined, 2)).toBe(
      '{\n  "a": [\n    1, // one\n    2\n  ]\n}',
    );
  });
});

describe('withoutChild', () => {
  it.each([
    ['the first child', 0, '{\n  "b": 2, // two\n  "c": 3\n}'],
    ['a child between others', 1, '{\n  "a": 1, // two\n  "c": 3\n}'],
    ['the last child', 2, '{\n  "a": 1,\n  "b": 2 // two\n}'],
  ])('removes %s', (_what, index, expected) => {
    const text = '{\n  "a": 1,\n  "b": 2, // two\n  "c": 3\n}';
    expect(withoutChild(text, treeOf(text), index)).toBe(expected);
  });

  it.each([
    ['{\n  "a": 1\n}', '{}'],
    ['{ "a": 1, }', '{}'],
    ['{\n  // none\n  "a": 1\n}', '{\n  // none\n}'],
    ['{\n  // none\n  "a": 1 }', '{\n  // none\n }'],
  ])('removes the only child of %j', (text, expected) => {
    expect(withoutChild(text, treeOf(text), 0)).toBe(expected);
  });
});

/** A way to write a value down. */
interface Style {
  readonly indent: string;
  readonly eol: string;
  /** Comment after every child, at the end of its line. */
  readonly comment: string;
  readonly isClosedByComma: boolean;
}

function written(value: unknown, style: Style, outer = ''): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const { indent, eol, comment, isClosedByComma } = style;
  const inner = outer + indent;
  const children = Array.isArray(value)
    ? value.map((item: unknown) => written(item, style, inner))
    : Object.entries(value).map(([name, one]) => `${JSON.stringify(name)}: ${written(one, style, inner)}`);
  const lines = children.map((child, index) => {
    const isParted = index < children.length - 1 || isClosedByComma;
    return `${inner}${child}${isParted ? ',' : ''}${comment}${eol}`;
  });
  const [open, close] = Array.isArray(value) ? ['[', ']'] : ['{', '}'];
  return children.length === 0 ? open + close : `${open}${eol}${lines.join('')}${outer}${close}`;
}

const styles = fc.record({
  indent: fc.constantFrom('', ' ', '  ', '   ', '\t'),
  eol: fc.constantFrom('\n', '\r\n'),
  comment: fc.constantFrom('', ' // {"x": 1}, ]', ' /* , } */'),
  isClosedByComma: fc.boolean(),
});
const names = fc.constantFrom('a', 'b', 'c', '名', 'e"e', '//');
const json = (maxDepth: number) => fc.json({ maxDepth }).map((text): unknown => JSON.parse(text));
const objects = fc.dictionary(names, fc.oneof(json(2), fc.dictionary(names, json(1))));
const values = fc.oneof(fc.string(), fc.array(fc.string()), fc.dictionary(names, fc.string()));

describe('any JSON text', () => {
  it('is restored with its comments once an added child is removed', () => {
    fc.assert(
      fc.property(objects, styles, values, (object, style, value) => {
        const text = written(object, style);
        const changed = added(text, [], 'new', value);
        expect(getNodeValue(treeOf(changed))).toEqual({ ...object, new: value });
        const left = withoutChild(changed, treeOf(changed), Object.keys(object).length);
        // A comma at the end counts as one of ours.
        if (!style.isClosedByComma) expect(left).toBe(text);
        expect(getNodeValue(treeOf(left))).toEqual(object);
      }),
    );
  });

  it('keeps all other children when one is removed', () => {
    fc.assert(
      fc.property(objects, styles, fc.nat(), (object, style, chosen) => {
        const fields = Object.entries(object);
        fc.pre(fields.length > 0);
        const index = chosen % fields.length;
        const text = written(object, style);
        const left = withoutChild(text, treeOf(text), index);
        expect(getNodeValue(treeOf(left))).toEqual(Object.fromEntries(fields.toSpliced(index, 1)));
      }),
    );
  });
});
