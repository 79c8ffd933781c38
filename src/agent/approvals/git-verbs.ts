import { type Grammar, grammarOf } from './option-grammar.ts';

const of = {
  commit: `-m:text -q -v -s -n -a -F:path --message=text --file=path --quiet --verbose --all --allow-empty --amend
    --author=text --date=text --fixup=ref --no-edit --no-verify --reset-author --signoff --squash=ref`,
  going: '--abort --continue --skip --no-edit -n --no-commit -m:number',
  remote:
    '-p -t -q -v -f -a --all --force --no-tags --prune --quiet --tags --verbose --depth=number --unshallow',
};

/** Git commands that may be allowed word for word. None of their options shows text or names a program. */
const verbs: Readonly<Record<string, Grammar>> = {
  branch: grammarOf(
    `-a -r -v -q -d -D -f -m -M -l -u:ref --all --contains=ref --delete --force --list --merged --move --no-merged
    --remotes --set-upstream-to=ref --show-current --sort=word --unset-upstream --verbose`,
    'ref*',
  ),
  'cherry-pick': grammarOf(`${of.going} -x`, 'ref*'),
  commit: grammarOf(of.commit, 'path*'),
  fetch: grammarOf(`${of.remote} --dry-run`, 'ref*'),
  init: grammarOf('-q -b:ref --initial-branch=ref --quiet', 'name*'),
  'ls-remote': grammarOf('-q -t --exit-code --heads --quiet --refs --tags', 'ref*'),
  merge: grammarOf(
    `-q -m:text -X:word --abort --continue --ff --ff-only --no-commit --no-edit --no-ff --no-stat --quiet --squash
    --stat`,
    'ref*',
  ),
  mv: grammarOf('-f -k -n -v --force --verbose', 'path path*'),
  pull: grammarOf(`${of.remote} -r --autostash --ff-only --no-edit --no-rebase --rebase[=word]`, 'ref*'),
  revert: grammarOf(of.going, 'ref*'),
  rm: grammarOf('-r -f -q -n --cached --force --quiet', 'path*'),
  stash: grammarOf('-k -q -u -a --all --include-untracked --keep-index --quiet'),
  'stash apply': grammarOf('-q --index --quiet', 'ref*'),
  'stash drop': grammarOf('-q --quiet', 'ref*'),
  'stash pop': grammarOf('-q --index --quiet', 'ref*'),
  'stash push': grammarOf(
    '-k -q -S -u -a -m:text --all --include-untracked --keep-index --message=text --quiet --staged',
    'path*',
  ),
  switch: grammarOf(
    '-c:ref -C:ref -d -q -t --create=ref --detach --guess --no-guess --quiet --track',
    'ref*',
  ),
  tag: grammarOf(
    `-a -d -f -l -n -m:text --annotate --contains=ref --delete --force --list --merged --message=text --points-at=ref
    --sort=word`,
    'text*',
  ),
  version: grammarOf(''),
};

/** Finds the grammar of a git command that may be allowed word for word, and the words after its name. */
export function gitVerb([verb = '', ...rest]: readonly string[]):
  { readonly grammar: Grammar; readonly rest: readonly string[] } | undefined {
  const inner = `${verb} ${rest[0] ?? ''}`;
  if (Object.hasOwn(verbs, inner)) return { grammar: verbs[inner]!, rest: rest.slice(1) };
  return Object.hasOwn(verbs, verb) ? { grammar: verbs[verb]!, rest } : undefined;
}
