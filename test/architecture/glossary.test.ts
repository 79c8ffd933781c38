import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';
import { projectFolder } from '../../scripts/project.ts';
import { textOf } from './literal-text.ts';

const glossary = 'docs/glossary.md';
const read = (path: string): string => readFileSync(join(projectFolder, path), 'utf8');
const filesOf = (...globs: readonly string[]): readonly string[] =>
  globSync(globs, { cwd: projectFolder }).map((path) => path.replaceAll('\\', '/'));

interface Entry {
  readonly word: string;
  readonly meaning: string;
  /** Words that must not be used for it. */
  readonly not: readonly string[];
}

const entries: readonly Entry[] = read(glossary)
  .split('\n')
  .filter((line) => line.startsWith('|'))
  .map((line) => line.split('|').map((cell) => cell.trim()))
  .map(([, word = '', meaning = '', not = '']) => ({ word, meaning, not: not.split(', ').filter(Boolean) }))
  .filter(({ word }) => word !== 'word' && !word.startsWith('-'));

/** Literals of a source file, without its names and comments. */
function literalsOf(path: string): string {
  const texts: string[] = [];
  const visit = (node: ts.Node): void => {
    const text = textOf(node);
    if (text !== undefined) texts.push(text);
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(path, read(path), ts.ScriptTarget.Latest));
  return texts.join('\n');
}

/** Names in code belong to an interface, which no page can change. */
const withoutCode = (markdown: string): string => markdown.replaceAll(/```[\s\S]*?```|`[^`\n]*`/gu, '');

const pages = filesOf('*.md', 'docs/*.md', 'media/walkthrough/*.md')
  .filter((path) => path !== glossary)
  .map((path) => ({ path, text: withoutCode(read(path)) }));
const sentences = [
  ...filesOf('{src/language,webview}/**/*-english.ts').map((path) => ({ path, text: literalsOf(path) })),
  {
    path: 'package.nls.json',
    text: Object.values(JSON.parse(read('package.nls.json')) as object).join('\n'),
  },
];

/** The places where a text contains a word, in the singular or plural, as `path: the line`. */
function placesOf(word: string, texts: typeof pages): readonly string[] {
  const pattern = new RegExp(`(?<!\\w)${word}s?(?!\\w)`, 'iu');
  return texts.flatMap(({ path, text }) =>
    text.split('\n').flatMap((line) => (pattern.test(line) ? [`${path}: ${line}`] : [])),
  );
}

describe('docs/glossary.md', () => {
  it('gives each word one meaning', () => {
    expect(entries.length).toBeGreaterThan(50);
    expect(new Set(entries.map(({ word }) => word)).size).toBe(entries.length);
    expect(entries.filter(({ meaning }) => !/^\p{Lu}.*\.$/u.test(meaning))).toEqual([]);
  });

  it('explains only words that pages or sentences use', () => {
    expect(entries.filter(({ word }) => placesOf(word, [...pages, ...sentences]).length === 0)).toEqual([]);
  });

  const synonyms = entries.flatMap(({ word, not }) => not.map((synonym) => ({ word, synonym })));

  it.each(synonyms)('keeps "$synonym" out of pages and sentences (say: $word)', ({ synonym }) => {
    expect(placesOf(synonym, [...pages, ...sentences])).toEqual([]);
  });
});
