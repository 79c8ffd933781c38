import type { Message } from '../compaction/messages/message.ts';
import { type CallString, foldSpace, stringsOf } from './view-text.ts';
import { withoutPlace } from '../compaction/text/clip.ts';

/** Files, commands and identifiers in arguments of calls, found by code that the ledger does not share. */
export interface Artifacts {
  /** Paths as written, without a leading `./`. */
  readonly files: ReadonlySet<string>;
  /** Command lines, white space folded, without an enclosing `bash -lc`. */
  readonly commands: ReadonlySet<string>;
  readonly identifiers: ReadonlySet<string>;
}

export const artifactKinds = ['files', 'commands', 'identifiers'] as const;
export type ArtifactKind = (typeof artifactKinds)[number];

const fileNames = new Set(
  `path paths file files filename filepath absolutepath notebookpath targetfile uri`.split(/\s+/),
);
const commandNames = new Set(['command', 'commands', 'cmd']);
const searchNames = new Set(['pattern', 'query', 'regex', 'search', 'searchterm', 'symbol', 'keyword']);
/** Key under which some session formats store the displayed form of a call instead of its arguments. */
const displayName = 'display';
const patchHeader = /^\*\*\* (?:Add|Update|Delete) File: (.+)$/gmu;

/** Characters that can be part of a path, between the quotes and operators of a command line. */
const token = /[^\s'"`|&;<>()=,]+/gu;
const extension =
  /\.(?:[cm]?[jt]sx?|json[lc5]?|mdx?|py|ipynb|go|mod|sum|rs|java|kt|swift|c|h|cc|cpp|hpp|cs|rb|php|pony|lua|sh|bash|ya?ml|toml|lock|ini|cfg|conf|env|txt|log|csv|html?|s?css|svg|xml|sql|proto|patch|diff)$/iu;
const pathShape = /^[~\w@.+/-]+$/u;
/** The `b` of a `\b` in a regular expression does not belong to the name after it. */
const escapeSequence = /\\[a-zA-Z]/gu;
const word = /[A-Za-z_$][\w$]{2,}/gu;
const shell = /^(?:\S*\/)?(?:ba|z|da)?sh\s+-\w*c\s+(?!\s)(['"]?)([\s\S]*)\1$/u;
const longestIdentifier = 80;

export function artifactsOf(messages: readonly Message[]): Artifacts {
  const files = new Set<string>();
  const commands = new Set<string>();
  const identifiers = new Set<string>();
  for (const call of messages.flatMap((message) => message.tool_calls ?? [])) {
    const strings = stringsOf(call);
    const named = strings.filter(({ path }) => fileNames.has(nameOf(path)));
    for (const { text } of named) if (isFile(text)) files.add(bare(text));
    for (const { path, text } of strings) {
      for (const [, header = ''] of text.matchAll(patchHeader)) files.add(bare(header.trim()));
      if (nameOf(path) === displayName) for (const file of filesIn(text)) files.add(file);
      if (searchNames.has(nameOf(path))) for (const name of searched(text)) identifiers.add(name);
      if (isRecordId(path, text)) identifiers.add(text);
    }
    // An editor's `command` is the name of an operation on a file, not a command line.
    if (named.length > 0) continue;
    for (const command of commandsOf(strings)) {
      commands.add(command);
      const found = filesIn(command);
      for (const file of found) files.add(file);
      const names = found.reduce((left, file) => left.replaceAll(file, ' '), command);
      for (const name of codeNames(names)) identifiers.add(name);
    }
  }
  return { files, commands, identifiers };
}

function commandsOf(strings: readonly CallString[]): readonly string[] {
  const texts = strings.filter(({ path }) => commandNames.has(nameOf(path)));
  const isWords = texts.length > 1 && texts.every(({ path }) => nameOf(path) !== 'commands');
  const lines = isWords ? [texts.map(({ text }) => text).join(' ')] : texts.map(({ text }) => text);
  return lines.map((line) => foldSpace(unwrapped(line.trim()))).filter((line) => line !== '');
}

function unwrapped(line: string): string {
  return shell.exec(line)?.[2] ?? line;
}

/** Returns the innermost name in one spelling for `filePath`, `file_path` and `file-path`. */
function nameOf(path: readonly string[]): string {
  return (path.at(-1) ?? '').replaceAll(/[_-]/gu, '').toLowerCase();
}

function isFile(text: string): boolean {
  return text.length > 2 && text.length < 400 && !/[\s*?{}]/u.test(text.trim()) && /[\w)]$/u.test(text);
}

function bare(path: string): string {
  return path.trim().replace(/^(?:\.\/)+/u, '');
}

/**
 * Finds words of a command line that look like file paths: with a known extension, and nothing that a shell expands.
 */
function filesIn(text: string): readonly string[] {
  return (text.match(token) ?? [])
    .map((piece) => bare(withoutPlace(piece)))
    .filter((piece) => pathShape.test(piece) && extension.test(piece) && !piece.startsWith('-'))
    .filter((piece) => !piece.startsWith('.') || piece.includes('/'));
}

/** Returns the names that a search looks for: a single plain word, or the names in an expression. */
function searched(text: string): readonly string[] {
  return /^[\w$]{3,80}$/u.test(text) ? [text] : codeNames(text);
}

/** Finds words spelled like names in code: `snake_case`, `camelCase`, `PascalCase` with two words or more. */
function codeNames(text: string): readonly string[] {
  return (text.replaceAll(escapeSequence, ' ').match(word) ?? []).filter(
    (name) =>
      name.length <= longestIdentifier && (/[a-zA-Z\d]_[a-zA-Z\d]/u.test(name) || /[a-z\d][A-Z]/u.test(name)),
  );
}

function isRecordId(path: readonly string[], text: string): boolean {
  return /(?:^id|_ids?|Ids?)$/u.test(path.at(-1) ?? '') && /^[\w.:-]{3,80}$/u.test(text);
}
