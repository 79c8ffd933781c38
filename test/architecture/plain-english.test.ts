import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  longestSentence,
  longSentences,
  longSentencesLeft,
  placesOfShape,
  proseOf,
  shapes,
} from '../../scripts/house/sentence-shapes.ts';
import { projectFolder } from '../../scripts/project.ts';

/** Phrases that readers stumble over, each with plainer words. */
const stumbles: readonly (readonly [phrase: RegExp, better: string])[] = [
  [/\banew\b/iu, 'again'],
  [/\bsomebody\b(?! else)/iu, 'the user, or another program'],
  [/\bwhoever\b/iu, 'the one meant, by name'],
  [/\b(?:comes?|came) to (?:nothing|more than|less than)\b/iu, 'makes no change, is more than, is less than'],
  [/\b(?:still|stays?|kept) in view\b/iu, 'in context'],
  [/\bat hand\b/iu, 'available'],
  [/\bso many (?:tokens|characters|messages|lines|turns|pixels|milliseconds)\b/iu, 'the number of …'],
  [/\bnobody knows\b/iu, 'unknown'],
  [/\bbeside the calls\b/iu, 'in the background'],
  [/\bbehind (?:its|their|the) calls?\b/iu, 'after'],
  [/\bsets off a\b/iu, 'triggers'],
  [/\bwants a look\b/iu, 'needs attention'],
];

/** Openings of questions. A doc comment states the meaning or effect. */
const opening = /\/\*\*\s(?:\*\s)?(?:What|How|Where|Whether|Who|Why)\b/gu;

/** This file quotes them, and fixtures quote users. */
const excepted = new Set(['test/architecture/plain-english.test.ts', 'test/agent/offline/quotes.test.ts']);

const files = globSync(
  ['{src,webview,test,scripts}/**/*.ts', '*.md', 'docs/**/*.md', 'media/**/*.md', 'package.nls.json'],
  { cwd: projectFolder },
)
  .map((path) => path.replaceAll('\\', '/'))
  .filter((path) => !excepted.has(path));

/**
 * Text of a file; for a test only its comments, because titles and data may quote users. Keeps line numbers.
 */
function readText(path: string): string {
  const text = readFileSync(join(projectFolder, path), 'utf8');
  return path.startsWith('test/') ? text.replaceAll(/^(?!\s*(?:\/\/|\/?\*)).*$/gmu, '') : text;
}

/** Finds a pattern in all files. @returns `path:line: the match` */
function placesOf(pattern: RegExp): readonly string[] {
  const global = new RegExp(pattern.source, 'giu');
  return files.flatMap((path) => {
    const text = readText(path);
    return [...text.matchAll(global)].map(
      (match) => `${path}:${text.slice(0, match.index).split('\n').length}: ${match[0]}`,
    );
  });
}

describe('the English of sources and documents', () => {
  it.each(stumbles)('does not say %s (say: %s)', (phrase) => {
    expect(placesOf(phrase)).toEqual([]);
  });

  it('opens no doc comment of sources and scripts with What, How, Where, Whether, Who or Why', () => {
    expect(placesOf(opening).filter((place) => !place.startsWith('test/'))).toEqual([]);
  });
});

describe('sentences that need a second reading', () => {
  const prose = proseOf();

  function expectFewer(places: readonly string[], ceiling: number): void {
    expect(places.length, `too many; some of them: ${places.slice(0, 40).join(' ')}`).toBeLessThanOrEqual(
      ceiling,
    );
  }

  it.each(shapes)('stay within their ceiling: $name (better: $better)', (shape) => {
    expectFewer(placesOfShape(prose, shape), shape.ceiling);
  });

  it(`stay within their ceiling: more than ${longestSentence} words`, () => {
    expectFewer(longSentences(prose), longSentencesLeft);
  });
});
