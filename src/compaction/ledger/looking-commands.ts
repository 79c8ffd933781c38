import { innerWords, possibleSteps, type ShellStep } from './shell-steps.ts';

/**
 * Command lines that only read: each program, with its arguments, is known to change nothing and check
 * nothing. Every other command line counts as an action.
 */

/** Programs that only print, with any options. */
const printing: ReadonlySet<string> = new Set(
  `[ [[ : awk basename bat break cal cat cd column comm continue cut date df diff dig dirname dirs du echo egrep env
  exit export expr eza false fd fgrep file getent grep head hexdump id jq less local locate ls lsof man
  more nl od pgrep ping popd printenv printf ps pushd pwd read readlink realpath return rg seq set sha256sum
  shasum shift sleep stat strings tac tail test top tr tree true tty type ulimit uname unset uptime w wc find_file
  search_dir search_file goto scroll_down scroll_up where whereis which who whoami xxd yq zcat zgrep source . command
  hash alias declare typeset locals open code`.split(/\s+/u),
);

/** Arguments with which a printing program changes something. */
const doing: Readonly<Record<string, RegExp>> = {
  awk: /\bsystem\s*\(|\bprintf?\b[^|]*>\s*"|^-i$|inplace/u,
  code: /^--(?:un)?install/u,
  date: /^(?:-s|--set)/u,
  env: /^(?!-|\w+=)/u,
  fd: /^(?:-[xX]|--exec)/u,
  rg: /^--pre(?:=|$)/u,
  yq: /^(?:-i|--inplace)/u,
  tree: /^-o$/u,
};

/** Options of `find` before a command, which ends at `;` or `+`. */
const runsForEach = /^-(?:exec|ok)(?:dir)?$/u;

function commandForEach(words: readonly string[]): readonly string[] {
  const end = words.findIndex((word) => word === ';' || word === '+');
  return end < 0 ? words : words.slice(0, end);
}

/** Programs that only read if their arguments pass a test. */
const looking: Readonly<Record<string, (words: readonly string[]) => boolean>> = {
  find: (words) =>
    !words.some((word) => /^-(?:delete|fprint|fprint0|fprintf|fls)$/u.test(word)) &&
    words.every((word, at) => !runsForEach.test(word) || looksAt(commandForEach(words.slice(at + 1)))),
  sed: (words) => !words.some((word) => /^(?:-[a-zA-Z]*i|--in-place)/u.test(word)),
  sort: (words) => !words.some((word) => /^(?:-[a-zA-Z]*o|--output)/u.test(word)),
  uniq: (words) => words.filter((word) => !word.startsWith('-')).length < 2,
  xargs: (words) => looksAt(words.slice(firstOperand(words, /^-[IinLPdEs]$/u))),
  git: (words) => looksInGit(words),
  gh: ([noun, verb = '']) => noun === 'search' || /^(?:view|list|diff|checks|status|watch)$/u.test(verb),
  docker: ([verb = '']) => /^(?:ps|logs|images|inspect|version|info|stats)$/u.test(verb),
  ...Object.fromEntries(
    ['sh', 'bash', 'zsh'].map((name) => [
      name,
      ([option = '', script = '']) => /^-l?c$/u.test(option) && onlyLooks(script),
    ]),
  ),
};

/** Subcommands of git that only read, with any options. */
const gitLooks =
  /^(?:status|diff|log|show|shortlog|describe|rev-parse|rev-list|ls-files|ls-tree|ls-remote|blame|grep|cat-file|merge-base|name-rev|for-each-ref|show-ref|cherry|check-ignore|diff-tree|range-diff|version|help)$/u;

function looksInGit(words: readonly string[]): boolean {
  const at = firstOperand(words, /^(?:-C|-c|--git-dir|--work-tree)$/u);
  const [verb = '', ...rest] = words.slice(at);
  if (gitLooks.test(verb)) return !rest.some((word) => /^--output/u.test(word));
  if (/^(?:|branch|tag|remote|reflog)$/u.test(verb))
    return rest.every((word) => /^-(?:[alrv]|-list$)/u.test(word));
  return /^(?:stash|worktree|remote|submodule)$/u.test(verb) && /^(?:list|show|status)$/u.test(rest[0] ?? '');
}

/** Returns the index of the first word that is neither an option nor the value of an option. */
function firstOperand(words: readonly string[], valued: RegExp): number {
  const at = words.findIndex((word, index) => !word.startsWith('-') && !valued.test(words[index - 1] ?? ''));
  return at < 0 ? words.length : at;
}

/** Options that ask a program about itself. */
const aboutItself = /^(?:--version|--help|-V)$/u;
const nowhere = /^(?:\/dev\/(?:null|stdout|stderr|tty)|&?[\d-])$/u;

/** True if a program with its arguments only reads. Ignores redirections. */
export function looksAt(words: readonly string[]): boolean {
  if (words.length === 0 || (words[0] === 'command' && /^-[vV]$/u.test(words[1] ?? ''))) return true;
  const [program = '', ...rest] = innerWords(words);
  if (rest.length > 0 && rest.every((word) => aboutItself.test(word) || word === 'version')) return true;
  const own = Object.hasOwn(looking, program) ? looking[program] : undefined;
  if (own !== undefined) return own(rest);
  if (!printing.has(program)) return false;
  const isDoing = Object.hasOwn(doing, program) ? doing[program] : undefined;
  return isDoing === undefined || !rest.some((word) => isDoing.test(word));
}

/** True if a step and the commands in its `$(…)` only read. */
function stepLooks({ words, redirections }: ShellStep): boolean {
  return (
    redirections.every(({ path, sign }) => sign === '<' || nowhere.test(path)) &&
    looksAt(words) &&
    words.every((word) => innerCommands(word).every(onlyLooks))
  );
}

/** Finds the commands in `$(…)` of a word. */
function innerCommands(word: string): readonly string[] {
  const found: string[] = [];
  for (let start = word.indexOf('$('); start >= 0; start = word.indexOf('$(', start + 2)) {
    let depth = 0;
    let end = start + 1;
    for (; end < word.length; end++) {
      if (word[end] === '(') depth++;
      else if (word[end] === ')' && --depth === 0) break;
    }
    if (word[start + 2] !== '(') found.push(word.slice(start + 2, end));
    start = end;
  }
  return found;
}

/** True if a command line only reads. */
export function onlyLooks(command: string): boolean {
  // Commands in backticks are not examined. In single quotes, backticks are text.
  if (command.replace(/'[^']*'/gu, '').includes('`')) return false;
  return possibleSteps(command)?.every(stepLooks) ?? false;
}
