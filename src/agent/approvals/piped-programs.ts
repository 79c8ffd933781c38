import { isAllowedValue } from './allowed-value.ts';
import type { SimpleCommand } from './command-words.ts';
import { type Grammar, grammarOf, parseWords } from './option-grammar.ts';

/** Programs allowed after a pipe, with their harmless options. They read the previous output and write no file. */
const piped: Readonly<Record<string, Grammar>> = {
  awk: grammarOf('-F:separator', 'columns'),
  cat: grammarOf('-n -b -A -E -T -e -s -t -v --number --show-all'),
  column: grammarOf('-t -s:separator'),
  cut: grammarOf(
    `-d:separator -f:word -c:word -b:word -s --delimiter=separator --fields=word --characters=word --complement
    --only-delimited`,
  ),
  fold: grammarOf('-w:number -s'),
  grep: grammarOf(
    `-5 -n -i -v -w -x -c -o -h -H -q -s -a -z -E -F -G -P -A:number -B:number -C:number -m:number --line-number
    --ignore-case --invert-match --word-regexp --count --only-matching --quiet --extended-regexp --fixed-strings
    --perl-regexp --color=word --max-count=number --after-context=number --before-context=number --context=number
    --line-buffered`,
    'text',
  ),
  head: grammarOf('-5 -n:number -c:number -q --lines=number --bytes=number'),
  md5sum: grammarOf(''),
  nl: grammarOf('-b:word -w:number -n:word -s:separator -v:number'),
  rev: grammarOf(''),
  sed: grammarOf('-n -E -r -u --quiet --silent --regexp-extended', 'script'),
  sha256sum: grammarOf(''),
  sort: grammarOf(
    `-r -n -u -f -h -b -V -M -g -s -d -i -c -z -k:word -t:separator --reverse --unique --numeric-sort
    --human-numeric-sort --version-sort --key=word --field-separator=separator --stable`,
  ),
  tac: grammarOf(''),
  tail: grammarOf('-5 -n:number -c:number -q --lines=number --bytes=number'),
  tr: grammarOf('-d -s -c -C -t', 'text text*'),
  uniq: grammarOf('-c -d -u -i -f:number -s:number -w:number --count --repeated --unique'),
  wc: grammarOf('-l -w -c -m -L --lines --words --bytes --chars'),
};

/** True if a command can only show a text or parts of the previous command's output. It needs no rule. */
export function isHarmless({ words, after }: SimpleCommand): boolean {
  const [program = '', ...rest] = words;
  if (program === 'echo' || ((program === 'true' || program === 'false') && rest.length === 0)) return true;
  if (program === 'printf') return printsOnly(rest);
  if (after !== '|' && after !== '|&') return false;
  const grammar = Object.hasOwn(piped, program) ? piped[program] : undefined;
  return (
    grammar !== undefined &&
    parseWords(grammar, rest)?.every((value) => isAllowedValue(value, undefined)) === true
  );
}

/** True if `printf` sets no shell variable. Some formats and one option would set one. */
function printsOnly([format = '', ...rest]: readonly string[]): boolean {
  return /^(?!-)(?:[^%]|%[%sd])*$/.test(format) && !rest.some((word) => word.startsWith('-'));
}
