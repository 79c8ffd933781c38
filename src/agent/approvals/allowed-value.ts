import { isOrdinaryFile, isSecretPath } from '../edits/sensitive-path.ts';
import type { CommandPlace } from './command-place.ts';
import type { TypedValue } from './option-grammar.ts';

/** True if a value fits its kind and names nothing forbidden. */
export function isAllowedValue({ kind, value }: TypedValue, place: CommandPlace | undefined): boolean {
  switch (kind) {
    case 'text':
      return true;
    case 'number':
      return /^[+-]?\d{1,9}$/.test(value);
    case 'word':
      return /^[\w.,:+%@-]*$/.test(value);
    case 'format':
      return isPlainFormat(value);
    case 'separator':
      return /^.{0,3}$/u.test(value);
    case 'ref':
      return /^[\w@][\w./@{}~^+-]*$/.test(value);
    case 'columns':
      return /^\{ ?print(?: ?(?:\$(?:\d{1,3}|NF)|NR|NF)(?:, ?(?:\$(?:\d{1,3}|NF)|NR|NF))*)? ?;? ?\}$/.test(
        value,
      );
    case 'lines':
      return lines.test(value);
    case 'script':
      return value.split(/; ?/).every((part) => lines.test(part)) || isSubstitution(value);
    case 'range':
      return /^\d*(?:,\+?\d*)?$/.test(value);
    case 'glob':
      return isSearchableGlob(value);
    case 'revision':
      return [value, value.slice(value.indexOf(':') + 1)].every(
        (part) => !isSecretPath(part) && (place?.mayRead(part) ?? true),
      );
    case 'name':
      return place?.holds(value) ?? true;
    case 'path':
      return !isSecretPath(value) && (place?.mayRead(value) ?? true);
    case 'file':
      return !isSecretPath(value) && (place?.mayReadFile(value) ?? true);
    case 'tree':
      return !isSecretPath(value) && (place?.maySearch(value, false) ?? true);
    case 'whole':
      return !isSecretPath(value) && (place?.maySearch(value, true) ?? true);
  }
}

/** Sed commands that print or delete lines by number. */
const lines = /^(?:\d+|\$)(?:,(?:\d+|\+\d+|\$))?[pdq]$/;

/** True for a sed substitution with only three separators: it cannot run another command or write a file. */
function isSubstitution(script: string): boolean {
  const [, separator = '', rest = ''] = /^s([/|,#@])(.+)$/.exec(script) ?? [];
  const parts = rest.split(separator);
  return parts.length === 3 && /^[gipI\d]*$/.test(parts[2]!);
}

/** Names of git's built-in formats. Git's configuration can define any other name. */
const formatNames = new Set('oneline short medium full fuller reference email raw mboxrd'.split(' '));
/** Placeholders for a commit, but not for its signature, because git runs a program to check a signature. */
const placeholder =
  /%(?:[+ -]?(?:[HTPhtpDdSefbBNsn]|[ac][nNelLdDrtsiIhm]|g[dDnNeEs])|%|n|m|x[\da-fA-F]{2}|C(?:\([\w ,]+\)|red|green|blue|reset)|<\(\d+(?:,\w+)?\)|>\(\d+(?:,\w+)?\))/g;

function isPlainFormat(value: string): boolean {
  if (!/^t?format:|%/.test(value)) return formatNames.has(value);
  return !value.replace(placeholder, '').includes('%');
}

/** True for a glob that excludes files, or that matches only source texts or documents, hidden or not. */
function isSearchableGlob(glob: string): boolean {
  if (glob.startsWith('!')) return true;
  const [, extensions] = /^(?:[\w*-]+\/)*[\w*-]*\.(\w+|\{\w+(?:,\w+)*\})$/.exec(glob) ?? [];
  const each = extensions?.replace(/[{}]/g, '').split(',') ?? [];
  return each.length > 0 && each.every((extension) => isOrdinaryFile(`src/x.${extension}`));
}
