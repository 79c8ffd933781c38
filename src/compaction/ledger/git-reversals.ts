import type { GitStep } from './git-steps.ts';

/** The commit that is so many commits before the last one, or the beginning of its hash. */
export type CommitName = number | string;

/** An effect of a call of git on work that is committed or not. Empty `paths`: the whole repository. */
export type GitReversal =
  | { readonly what: 'added' | 'restored' | 'cleaned' | 'stashed'; readonly paths: readonly string[] }
  | { readonly what: 'reset'; readonly to: CommitName | undefined; readonly keepsFiles: boolean }
  | { readonly what: 'reverted'; readonly commits: readonly CommitName[] }
  | { readonly what: 'committed'; readonly isAmended: boolean }
  | { readonly what: 'unstashed' }
  /** The last commit may be any one now. */
  | { readonly what: 'moved' };

/** @returns undefined for a call that takes nothing back, or of which that is not certain */
export function reversalOf({ subcommand, args }: GitStep): GitReversal | undefined {
  const end = args.indexOf('--');
  const options = (end < 0 ? args : args.slice(0, end)).filter((arg) => arg.startsWith('-'));
  const given = (end < 0 ? args : args.slice(0, end)).filter((arg) => !arg.startsWith('-'));
  const paths = end < 0 ? [] : args.slice(end + 1);
  const has = (...names: readonly string[]) => options.some((option) => names.includes(option));
  switch (subcommand) {
    case 'add':
      return { what: 'added', paths: plain([...given, ...paths]) };
    case 'commit':
      return has('--dry-run') ? undefined : { what: 'committed', isAmended: has('--amend') };
    case 'restore':
      if (has('--staged', '-S') && !has('--worktree', '-W')) return undefined;
      return options.some((option) => /^(?:-s|--source|-p|--patch)/u.test(option))
        ? undefined
        : { what: 'restored', paths: plain([...given, ...paths]) };
    case 'checkout': {
      if (has('-p', '--patch')) return undefined;
      const isOfPaths = end >= 0 && given.every((name) => name === 'HEAD');
      if (isOfPaths && paths.length > 0) return { what: 'restored', paths: plain(paths) };
      if (end >= 0) return undefined;
      return given.length === 1 && given[0] === '.'
        ? { what: 'restored', paths: [] }
        : has('-b') && given.length === 1
          ? undefined
          : { what: 'moved' };
    }
    case 'switch':
      return has('-c', '--create') && given.length === 1 ? undefined : { what: 'moved' };
    case 'reset':
      if (end >= 0 || has('-p', '--patch', '--merge', '--keep') || given.length > 1) return undefined;
      return { what: 'reset', to: nameOf(given[0]), keepsFiles: !has('--hard') };
    case 'revert': {
      const commits = given.flatMap((name) => nameOf(name) ?? []);
      const isPlain = options.every((option) => /^(?:--no-edit|-n|--no-commit|-s|--signoff)$/u.test(option));
      return isPlain && commits.length === given.length && commits.length > 0
        ? { what: 'reverted', commits }
        : { what: 'moved' };
    }
    case 'stash':
      return stashOf(args);
    case 'clean':
      return options.some((option) => /^-[a-z]*f|^--force$/u.test(option)) &&
        !options.some((option) => /^-[a-z]*[nie]|^--(?:dry-run|exclude)/u.test(option))
        ? { what: 'cleaned', paths: plain([...given, ...paths]) }
        : undefined;
    case 'merge':
    case 'pull':
    case 'rebase':
    case 'cherry-pick':
    case 'am':
      return { what: 'moved' };
    default:
      return undefined;
  }
}

function stashOf([verb = 'push', ...rest]: readonly string[]): GitReversal | undefined {
  if (verb === 'pop' || verb === 'apply') return { what: 'unstashed' };
  const words = verb.startsWith('-') ? [verb, ...rest] : rest;
  if (!(verb.startsWith('-') || verb === 'push' || verb === 'save')) return undefined;
  const isPart = words.some((word) => /^(?:-p|--patch|-k|--keep-index|-S|--staged)$/u.test(word));
  const end = words.indexOf('--');
  return isPart ? undefined : { what: 'stashed', paths: end < 0 ? [] : plain(words.slice(end + 1)) };
}

/** No paths for all of them. */
function plain(paths: readonly string[]): readonly string[] {
  return paths.some((path) => /^(?:\.|:\/)$/u.test(path)) ? [] : paths;
}

/** @returns undefined for a name whose place is not known: of a branch, of an upstream */
function nameOf(name: string | undefined): CommitName | undefined {
  if (name === undefined) return 0;
  const [, mark = '', count] = /^(?:HEAD|@)((?:\^*|~))(\d*)$/u.exec(name) ?? [];
  if (/^(?:HEAD|@)(?:\^*|~\d*)$/u.test(name))
    return mark === '~' ? Number(count === '' ? 1 : count) : mark.length;
  return /^[0-9a-f]{7,40}$/u.test(name) ? name : undefined;
}
