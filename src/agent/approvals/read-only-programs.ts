import { type Grammar, grammarOf, parseWords } from './option-grammar.ts';

/** The arguments that a rule for a program covers, without the program and its subcommand. */
export interface ProgramUse {
  readonly grammar: Grammar;
  /** True if the program changes only git's own records. */
  readonly records?: true;
  /** Present if the program may show text of tracked files. */
  readonly content?: GitContent;
}

/** The arguments that decide whether a git command shows text, and the files it shows. */
interface GitContent {
  /** Arguments that keep the command from showing text. */
  readonly quiet?: Grammar;
  /** True if the command shows text unless an option limits it to names or numbers. */
  readonly needsSummary?: true;
  /** True if an operand can be the content of a file and not only a commit. */
  readonly showsObjects?: true;
  /** True if the command prints such content even with the arguments of `quiet`. */
  readonly printsObjects?: true;
  /** True if the command, without a revision, shows only tracked files as they are now. */
  readonly showsTracked?: true;
}

/** Options of diffs that never add the text of files to the output. */
const ofSummaries = `-s -w -b -R -z -M[number] -C[number] -i -a -B --no-patch --stat[=word] --compact-summary --shortstat
  --numstat --dirstat --summary --name-only --name-status --raw --color=word --no-color --minimal --patience --histogram
  --diff-algorithm=word --ignore-all-space --ignore-space-change --ignore-blank-lines --ignore-space-at-eol
  --find-renames[=number] --no-renames --diff-filter=word --relative --no-ext-diff --no-textconv --no-prefix
  --abbrev[=number] --full-index --text --exit-code`;
/** Options that show text, or reveal whether files contain a text. */
const ofTexts = `-p -u -U:number -S:text -G:text -W -c -m --cc --patch --unified=number --word-diff[=word] --color-words
  --function-context --submodule[=word] --pickaxe-regex --pickaxe-all`;
const ofDiffs = `${ofSummaries} ${ofTexts}`;
const ofLogs = `-5 -n:number -g -E -F -i --max-count=number --skip=number --oneline --graph --decorate[=word]
  --no-decorate --all --branches --tags --remotes --follow --reverse --merges --no-merges --first-parent --since=text
  --until=text --after=text --before=text --author=text --committer=text --grep=text --invert-grep --all-match
  --regexp-ignore-case --extended-regexp --fixed-strings --format=format --pretty[=format] --date=text --abbrev-commit
  --no-abbrev-commit --topo-order --date-order --author-date-order --left-right --cherry-pick --boundary --simplify-merges
  --full-history --no-notes --relative-date --no-walk --walk-reflogs --reflog --not`;
const ofStatus = `-s -b -z -u[word] --short --branch --long --show-stash --ahead-behind --no-ahead-behind --renames
  --no-renames --porcelain[=word] --untracked-files[=word] --ignored[=word] --ignore-submodules[=word]`;

const git: Readonly<Record<string, Grammar>> = {
  status: grammarOf(`${ofStatus} -v --verbose`, 'path*'),
  log: grammarOf(`${ofDiffs} ${ofLogs}`, 'revision*'),
  show: grammarOf(`${ofDiffs} ${ofLogs}`, 'revision*'),
  diff: grammarOf(`${ofDiffs} --staged --cached --check --quiet --merge-base`, 'revision*'),
  shortlog: grammarOf(
    `-s -n -e --summary --numbered --email --since=text --until=text --no-merges --all`,
    'revision*',
  ),
  describe: grammarOf(`--tags --all --long --always --exact-match --dirty --abbrev=number`, 'revision*'),
  'rev-parse': grammarOf(
    `--abbrev-ref --short[=number] --verify --quiet -q --symbolic-full-name --show-toplevel --show-prefix --git-dir
    --is-inside-work-tree --is-bare-repository --all`,
    'revision*',
  ),
  'rev-list': grammarOf(`${ofLogs} --count --left-only --right-only`, 'revision*'),
  'ls-files': grammarOf(
    `-c -d -m -o -s -u -z --cached --deleted --modified --others --stage --unmerged --exclude-standard --full-name
    --error-unmatch --directory`,
    'path*',
  ),
  'ls-tree': grammarOf(`-r -d -t -l -z --name-only --full-name --long`, 'revision path*'),
  blame: grammarOf(`-L:range -w -M -C -e -l -s -t -f -n --date=text --since=text --porcelain`, 'revision*'),
  branch: grammarOf(`-a -r -v -q --all --remotes --verbose --show-current --no-color --no-column`),
  grep: grammarOf(
    `-n -i -I -v -w -x -c -l -L -h -H -o -E -F -P -G -q -p -W -A:number -B:number -C:number --line-number --ignore-case
    --word-regexp --count --files-with-matches --name-only --heading --break --fixed-strings --extended-regexp --cached`,
    'text revision*',
  ),
};

const quietDiff = grammarOf(`${ofSummaries} ${ofLogs} --staged --cached --quiet --merge-base`, 'revision*');
const contents: Readonly<Record<string, GitContent>> = {
  status: { quiet: grammarOf(ofStatus, 'path*') },
  log: { quiet: grammarOf(`${ofSummaries} ${ofLogs}`, 'revision*') },
  show: { quiet: quietDiff, needsSummary: true, showsObjects: true, printsObjects: true },
  diff: { quiet: quietDiff, needsSummary: true, showsObjects: true, showsTracked: true },
  blame: {},
  grep: { showsObjects: true, showsTracked: true },
};

const ofCommits = `-m:text -q -v -s --message=text --quiet --verbose --allow-empty --signoff`;
// Paths are not allowed: `git commit` with a path commits all its changes, staged or not.
const commit = grammarOf(ofCommits);
const commitAll = grammarOf(`${ofCommits} -a --all`, 'path*');
const add = grammarOf(`-A -u -v -n --all --update --verbose --dry-run`, 'whole*');

const others: Readonly<Record<string, Grammar>> = {
  cat: grammarOf('-n -b -A -E -T -e -s -t -v --number --show-all', 'file*'),
  diff: grammarOf('-u -U:number -q -w -b -B -i -y --unified=number --brief --color=word', 'file file'),
  du: grammarOf('-s -h -a -c -k -m -d:number --max-depth=number --human-readable --summarize', 'name*'),
  file: grammarOf('-b -i --brief --mime-type', 'file*'),
  find: grammarOf(
    `-name:text -iname:text -path:text -ipath:text -type:word -maxdepth:number -mindepth:number -size:word -mtime:number
    -mmin:number -not -empty -print -print0 -o -or -a -and -prune`,
    'name*',
    true,
  ),
  grep: grammarOf(
    `-n -i -v -w -x -c -l -L -o -h -H -s -q -r -E -F -G -P -a -I -A:number -B:number -C:number -m:number --line-number
    --ignore-case --invert-match --word-regexp --count --only-matching --color=word --max-count=number --recursive
    --files-with-matches --extended-regexp --fixed-strings --include=text --exclude=text --exclude-dir=text`,
    'text whole*',
  ),
  head: grammarOf('-5 -n:number -c:number -q -v --lines=number --bytes=number', 'file*'),
  ls: grammarOf(
    `-a -A -l -h -1 -t -r -R -S -X -F -p -d -i -s -n -g -m -x -C -U -v -Q -N --all --almost-all --recursive --reverse
    --human-readable --size --sort=word --color=word --group-directories-first --classify --inode --time-style=word`,
    'name*',
  ),
  md5sum: grammarOf('-b', 'file*'),
  nl: grammarOf('-b:word -w:number -n:word -s:separator -v:number', 'file*'),
  pwd: grammarOf('-P -L'),
  readlink: grammarOf('-f', 'name*'),
  realpath: grammarOf('', 'name*'),
  rg: grammarOf(
    `-n -N -i -s -S -w -x -v -c -l -o -F -P -U -H -I -q -A:number -B:number -C:number -m:number -g:glob -t:word -T:word
    --line-number --no-line-number --ignore-case --case-sensitive --smart-case --word-regexp --line-regexp --invert-match
    --count --count-matches --files-with-matches --files-without-match --only-matching --fixed-strings --pcre2
    --multiline --multiline-dotall --with-filename --no-filename --no-heading --heading --quiet --after-context=number
    --before-context=number --context=number --max-count=number --max-depth=number --max-columns=number --glob=glob
    --type=word --type-not=word --sort=word --json --stats --trim --vimgrep --color=word --no-messages --column --null -0`,
    'text tree*',
  ),
  'rg --files': grammarOf('-g:text -t:word -T:word --glob=text --type=word --sort=word --hidden', 'name*'),
  sed: grammarOf('-n -E -r --quiet --silent', 'lines file*'),
  sha256sum: grammarOf('-b', 'file*'),
  sort: grammarOf('-r -n -u -f -h -b -V --reverse --unique --numeric-sort', 'file*'),
  stat: grammarOf('-L', 'name*'),
  tail: grammarOf('-5 -n:number -c:number -q -v --lines=number --bytes=number', 'file*'),
  tree: grammarOf('-L:number -a -d -f -h -s -I:text -P:text --dirsfirst --noreport --gitignore', 'name*'),
  uniq: grammarOf('-c -d -u -i', 'file'),
  wc: grammarOf('-l -w -c -m -L --lines --words --bytes --chars', 'file*'),
};

/** Programs whose rules cover more than one command line, keyed by the words that the approval card shows. */
const uses: ReadonlyMap<string, ProgramUse> = new Map<string, ProgramUse>([
  ...Object.entries(git).map(([name, grammar]): [string, ProgramUse] => {
    const content = contents[name];
    return [`git ${name}`, content === undefined ? { grammar } : { grammar, content }];
  }),
  ['git add', { grammar: add, records: true }],
  ['git commit', { grammar: commit, records: true }],
  ['git commit -a', { grammar: commitAll, records: true }],
  ...Object.entries(others).map(([name, grammar]): [string, ProgramUse] => [name, { grammar }]),
]);

/** Options that precede the subcommand of git and change only the look of its output. */
export const plainGitOptions: ReadonlySet<string> = new Set(['--no-pager', '--no-optional-locks', '-P']);

/** A use of a program, and the words after its name. */
export interface FoundUse extends ProgramUse {
  readonly name: string;
  readonly rest: readonly string[];
}

/** Finds the program use that may cover a command. */
export function useOf([program = '', ...words]: readonly string[]): FoundUse | undefined {
  const verbAt = program === 'git' ? words.findIndex((word) => !plainGitOptions.has(word)) : 0;
  const verb = words[verbAt];
  const withVerb = verb === undefined ? undefined : uses.get(`${program} ${verb}`);
  if (withVerb !== undefined) {
    const name = `${program} ${verb}`;
    const rest = words.slice(verbAt + 1);
    // Staged changes were reviewed. Committing all other changes as well needs its own rule.
    const isAll = name === 'git commit' && parseWords(commit, rest) === undefined;
    return isAll
      ? { grammar: commitAll, records: true, name: 'git commit -a', rest }
      : { ...withVerb, name, rest };
  }
  const use = uses.get(program);
  return use === undefined ? undefined : { ...use, name: program, rest: words };
}

/** Returns the program use with this name, or undefined. */
export function useNamed(name: string): ProgramUse | undefined {
  return uses.get(name);
}
