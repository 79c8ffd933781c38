import { lstatSync, readFileSync } from 'node:fs';
import type { WorkspaceChange } from './workspace-changes.ts';

/** Maximum bytes of an examined text. A longer text is not ordinary. */
const longest = 20_000_000;

/** A Git reference of a known kind. No part of it could be read as an option by a program. */
export const gitReference = String.raw`refs\/(?:heads|tags|remotes|notes|stash|bisect|original|pull|merge-requests|changes|prefetch|rewritten)(?:\/(?!-)[^\/\s]+)*`;
const gitId = '[0-9a-f]{40,64}';

interface Kind {
  /** Pattern of the path in lower case. */
  readonly name: RegExp;
  readonly isOrdinary: (text: string) => boolean;
}

/** Kinds of files whose text decides whether a program follows it automatically. */
const kinds: readonly Kind[] = [
  {
    // Editors pass the branch name to Git.
    name: /(?:^|\/)\.git\/(?:modules\/[^/]+\/)*head$/,
    isOrdinary: (text) => new RegExp(`^(?:ref: ${gitReference}|${gitId})\\s*$`).test(text),
  },
  {
    name: /(?:^|\/)\.git\/(?:modules\/[^/]+\/)*packed-refs$/,
    isOrdinary: everyLine(new RegExp(`^(?:#.*|\\^${gitId}|${gitId} ${gitReference})?$`)),
  },
  {
    // Files that makefiles include. They may list only dependencies, without variables, recipes or directives.
    name: /\.d$/,
    isOrdinary: (text) =>
      everyLine(/^(?:#[^\\]*|[^\s:=$%|;\\]+:(?: +[^\s:=$%|;\\]+)* *)?$/)(text.replace(/\\\r?\n/g, ' ')),
  },
  {
    // Style sheets can name programs that the Tailwind extension loads.
    name: /\.(?:css|less|sass|scss)$/,
    isOrdinary: (text) => !/@(?:plugin|config)\b/i.test(text),
  },
];

/** True if the content of a written file causes no program to run another program automatically. */
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
