import { partsOf, stemOf, type Term } from './terms.ts';

/** A tool call that the model is about to make. */
export interface PlannedCall {
  readonly tool: string;
  readonly input: Readonly<Record<string, unknown>>;
}

const searchedTerms = 3;
const signposts =
  'class|interface|type|enum|function|def|fn|func|struct|trait|impl|module|namespace|const|let|var|val';

/**
 * The first look: where each term is defined or has a heading, where terms meet, and terms that are telling enough
 * to be searched for by themselves.
 */
export function firstSearches(files: readonly string[], terms: readonly Term[]): readonly PlannedCall[] {
  const names = terms.filter((term) => !isPair(term)).slice(0, searchedTerms);
  const pairs = terms.filter(isPair).map(patternOf);
  const calls: PlannedCall[] = files.slice(0, 2).map(findFile);
  const name = names.find((term) => term.kind !== 'quoted' && /^[\w-]{4,}$/.test(term.text));
  if (name !== undefined) calls.push({ tool: 'find_files', input: { glob: nameGlob(name) } });

  const patterns = names.map(patternOf);
  const together = patterns.flatMap((one, index) =>
    patterns.flatMap((other, position) => (index === position ? [] : [`(?:${one}).*(?:${other})`])),
  );
  if (together.length > 0) calls.push(search([...pairs, ...together].join('|'), 60));
  for (const [index, term] of names.entries()) {
    const pattern = patterns[index] ?? '';
    calls.push(search(`^#+ .*(?:${pattern})|\\b(?:${signposts})\\b[^=(]*(?:${pattern})`, 40));
    if (names.length === 1 || term.weight > 2) calls.push(search(pattern, 60));
  }
  return calls;
}

/** The second look, after the first found nothing: every term by itself, and the parts of names and phrases. */
export function fallbackSearches(terms: readonly Term[]): readonly PlannedCall[] {
  const parts = terms.flatMap(({ text }) => [...partsOf(text).map(stemOf), ...charactersOf(text)]);
  const patterns = [...new Set([...terms.map(patternOf), ...parts.map(escape)])].slice(0, 6);
  return [
    ...patterns.map((pattern) => search(pattern, 40)),
    { tool: 'list_directory', input: { path: '.' } },
  ];
}

/** Looks for a file by the name or the part of a path that was given. */
export function findFile(name: string): PlannedCall {
  const plain = name.replace(/^(?:\.?\/)+/, '').replace(/\/$/, '/**');
  return { tool: 'find_files', input: { glob: plain.startsWith('**/') ? plain : `**/${plain}` } };
}

function search(pattern: string, most: number): PlannedCall {
  // All patterns are made of lower case, so that the search ignores case.
  return { tool: 'search_text', input: { pattern, max_results: most } };
}

function patternOf(term: Term): string {
  if (term.kind === 'word' && /[- ]/.test(term.text)) {
    const parts = term.text.split(/[- ]/).map((part) => escape(stemOf(part.toLowerCase())));
    return parts.join('\\w*[-_ ]?');
  }
  const text = term.kind === 'word' ? (term.forms.at(-1) ?? term.text) : term.text;
  return escape(text.toLowerCase());
}

/** Two words of a question that may be one name. */
function isPair(term: Term): boolean {
  return term.kind === 'word' && term.text.includes(' ');
}

function nameGlob(term: Term): string {
  const forms = term.forms.filter((form) => !form.includes(' '));
  const capital = term.text.charAt(0).toUpperCase() + term.text.slice(1);
  const spellings = [...new Set([...forms, term.text, capital])];
  return spellings.length === 1 ? `**/*${spellings[0] ?? ''}*` : `**/*{${spellings.join(',')}}*`;
}

/** Chinese does not divide words; pairs of characters find what its compounds are made of. */
function charactersOf(text: string): readonly string[] {
  if (!/^\p{Script=Han}{3,}$/u.test(text)) return [];
  const characters = Array.from(text);
  return characters.slice(1).map((character, index) => `${characters[index] ?? ''}${character}`);
}

function escape(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|#&~-]/g, '\\$&');
}
