import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../project.ts';

/** A form of sentence that readers have to read twice. */
interface Shape {
  readonly name: string;
  readonly pattern: RegExp;
  /** Plain alternatives. */
  readonly better: string;
  /** Maximum number of places that still have this shape. It may only be lowered. */
  readonly ceiling: number;
}

/** Maximum number of words in a sentence. */
export const longestSentence = 25;

/** Maximum number of longer sentences that are left. It may only be lowered. */
export const longSentencesLeft = 56;

/** Shapes of sentences that sound translated. {@link longSentences} checks a further shape. */
export const shapes: readonly Shape[] = [
  {
    name: 'a doc comment without a subject',
    pattern:
      /^\/\*\* (?:Of|With|Without|In|For|By|From|Those|That|They|It|One|Ones|Such|Where|Whichever)\b/gmu,
    better: 'begin with the noun or with a verb in the third person',
    ceiling: 15,
  },
  { name: 'of which', pattern: /\b(?:of|with) (?:which|whom)\b/giu, better: 'two sentences', ceiling: 10 },
  {
    name: 'a headless what',
    pattern:
      /(?<!\w )\b(?:what|whatever) (?:is|was|it|they|has|had|can|came|comes|stands?|the|a)\b(?![^.]*\?)/giu,
    better: 'name the thing',
    ceiling: 34,
  },
  {
    name: 'things that speak',
    pattern: /\b(?:(?:is|are|was|were|be) (?:told|said)|tells? of|told of|says? (?:so|what|which))\b/giu,
    better: 'reports, is notified, contains, is known to',
    ceiling: 16,
  },
  {
    name: 'there is none',
    pattern: /\bthere (?:is|was|are|were) (?:none|nothing)\b/giu,
    better: 'or undefined',
    ceiling: 11,
  },
  {
    name: 'a colon for because',
    pattern: /[a-z`]: (?:it|they|that|those|there|this|no|nothing|otherwise|without)\b/gu,
    better: 'because, so, or a new sentence',
    ceiling: 22,
  },
  { name: 'a person', pattern: /\b(?:person|nobody|anybody)\b/giu, better: 'the user', ceiling: 12 },
  {
    name: 'adverbs for a noun',
    pattern: /\b(?:meanwhile|beside|by (?:itself|themselves)|of (?:its|their) own|goes on|go on)\b/giu,
    better: 'in the meantime, next to, automatically, continue',
    ceiling: 19,
  },
  {
    name: 'the same of',
    pattern: /\bthe same (?:of|for|as|one|ones|with)\b/giu,
    better: 'name the thing again',
    ceiling: 10,
  },
];

/** Path from the project's folder → text of its comments, English sentences, or document. */
export function proseOf(): ReadonlyMap<string, string> {
  const paths = globSync(['{src,webview,scripts,test}/**/*.ts', '*.md', 'docs/**/*.md'], {
    cwd: projectFolder,
  })
    .map((path) => path.replaceAll('\\', '/'))
    .filter((path) => !path.startsWith('test/fixtures/') && !path.endsWith('-chinese.ts'));
  return new Map(paths.map((path) => [path, proseIn(path, readFileSync(join(projectFolder, path), 'utf8'))]));
}

function proseIn(path: string, text: string): string {
  if (!path.endsWith('.ts') || /-english\.ts$/u.test(path)) return text;
  return text.replaceAll(/^(?!\s*(?:\/\/|\/?\*)).*$/gmu, '');
}

/** Places of a shape in the form `path:line`. */
export function placesOfShape(prose: ReadonlyMap<string, string>, shape: Shape): readonly string[] {
  return [...prose].flatMap(([path, text]) => {
    const indented = text.replaceAll(/^\s+(?=\/\*\*)/gmu, (space) =>
      '\n'.repeat(space.split('\n').length - 1),
    );
    return [...indented.matchAll(shape.pattern)].map(
      ({ index }) => `${path}:${indented.slice(0, index).split('\n').length}`,
    );
  });
}

/** Places of sentences with more than {@link longestSentence} words, in the form `path:line`. */
export function longSentences(prose: ReadonlyMap<string, string>): readonly string[] {
  return [...prose].flatMap(([path, text]) => {
    let line = 1;
    return text.split(/(?<=[.!?:;|])\s|\n\s*(?:\n|\*\/|\/\*\*|\* @|[-*] |\d\. |#)/u).flatMap((sentence) => {
      const place = `${path}:${line}`;
      line += sentence.split('\n').length - 1;
      const words = sentence.replaceAll(/`[^`]*`/gu, 'x').match(/[\p{L}][\p{L}'’-]*/gu) ?? [];
      return words.length > longestSentence ? [place] : [];
    });
  });
}
