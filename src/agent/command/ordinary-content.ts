import { lstatSync, readFileSync } from 'node:fs';
import type { WorkspaceChange } from './workspace-changes.ts';

/** Bytes of a text that is looked at; of a longer one nobody says what is in it. */
const longest = 20_000_000;

/** A reference of Git: of a known kind, and without a part that a program could take for an option. */
export const gitReference = String.raw`refs\/(?:heads|tags|remotes|notes|stash|bisect|original|pull|merge-requests|changes|prefetch|rewritten)(?:\/(?!-)[^\/\s]+)*`;
const gitId = '[0-9a-f]{40,64}';

interface Kind {
  /** Of the path, in small letters. */
  readonly name: RegExp;
  readonly isOrdinary: (text: string) => boolean;
}

/** Kinds of files of which only the text says whether a program follows it by itself. */
const kinds: readonly Kind[] = [
  {
    // Editors hand the name of the branch to Git.
    name: /(?:^|\/)\.git\/(?:modules\/[^/]+\/)*head$/,
    isOrdinary: (text) => new RegExp(`^(?:ref: ${gitReference}|${gitId})\\s*$`).test(text),
  },
  {
    name: /(?:^|\/)\.git\/(?:modules\/[^/]+\/)*packed-refs$/,
    isOrdinary: everyLine(new RegExp(`^(?:#.*|\\^${gitId}|${gitId} ${gitReference})?$`)),
  },
  {
    // What makefiles include: names of files that depend on others, and no variables, recipes and directives.
    name: /\.d$/,
    isOrdinary: (text) =>
      everyLine(/^(?:#[^\\]*|[^\s:=$%|;\\]+:(?: +[^\s:=$%|;\\]+)* *)?$/)(text.replace(/\\\r?\n/g, ' ')),
  },
  {
    // Style sheets can name programs, which the extension for Tailwind loads.
    name: /\.(?:css|less|sass|scss)$/,
    isOrdinary: (text) => !/@(?:plugin|config)\b/i.test(text),
  },
];

/** True if nothing in a file that a command wrote makes a program run another by itself. */
export function isOrdinaryContent({ path: at, written }: WorkspaceChange): boolean {
  const small = at.toLowerCase();
  const kind = kinds.find(({ name }) => name.test(small));
  if (kind === undefined) return true;
  if ((lstatSync(written, { throwIfNoEntry: false })?.size ?? Infinity) > longest) return false;
  return kind.isOrdinary(readFileSync(written, 'utf8'));
}

function everyLine(allowed: RegExp): (text: string) => boolean {
  return (text) => text.split('\n').every((line) => allowed.test(line));
}
