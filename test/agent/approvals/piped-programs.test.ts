import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { simpleCommandsOf } from '../../../src/agent/approvals/command-words.ts';
import { isHarmless } from '../../../src/agent/approvals/piped-programs.ts';
import { soak } from '../../support/soak.ts';
import { TemporaryWorkspace } from '../tools/temporary-workspace.ts';
import { words } from '../words.ts';

const canary = 'CANARY-4711';
const files = await TemporaryWorkspace.create({ '.env': canary, x: canary, 'n/x': canary });
const before = readdirSync(files.path).toSorted();
afterAll(() => files[Symbol.asyncDispose]());

const programs =
  'awk cat column cut fold grep head md5sum nl printf rev sed sha256sum sort tac tail tr uniq wc'.split(' ');
/** Words that programs could read as files, options with a file, and scripts that open or run something. */
const given = [
  ...words(`.env x n . - -- -o -ox -f -f.env -r -R -F -e -n -i -s -d -k -t -w -c -b -A -E -z -u -5 -50
    -n5 1 5 +1 1,5 1,5p p s/a/b/ r.env 10q;e a CANARY %s %n %b -v PATH --files0-from=.env
    --output=x --recursive --file=.env --compress-program=./x --help --version -- ' , :
    --lines=5 --key=1 --follow -D --debug --posix`),
  ...[
    'w x',
    's/a/b/w x',
    's/a/cat .env/e',
    's|a|b|w x',
    's/[/]w n/y/',
    '1e cat .env',
    '1,5p;w x',
    '{print $1}',
    '{print > "x"}',
    '{system("cat .env")}',
    '{print $1}{getline < ".env"; print}',
  ],
];

describe.skipIf(!existsSync('/bin/bash'))('a program after a pipe that needs no rule', () => {
  it('reads no file, writes no file and starts no program in bash', () => {
    const line = fc
      .tuple(fc.constantFrom(...programs), fc.array(fc.constantFrom(...given), { maxLength: 4 }))
      .map(([program, rest]) =>
        [program, ...rest.map((word) => `'${word.replaceAll("'", `'"'"'`)}'`)].join(' '),
      );
    let harmless = 0;
    fc.assert(
      fc.property(line, (piped) => {
        const command = `echo a b c | ${piped}`;
        const parts = simpleCommandsOf(command, 'posix');
        fc.pre(parts !== undefined && isHarmless(parts[1]!));
        harmless++;
        const { stdout, stderr } = spawnSync('/bin/bash', ['-c', command], {
          cwd: files.path,
          encoding: 'utf8',
          timeout: 20_000,
        });
        expect(`${stdout}${stderr}`).not.toContain(canary);
        const after = readdirSync(files.path).toSorted();
        for (const name of after) if (!before.includes(name)) rmSync(path.join(files.path, name));
        expect(after).toEqual(before);
      }),
      { numRuns: soak(100, 600), maxSkipsPerRun: 1_000 },
    );
    expect(harmless).toBeGreaterThan(50);
  });

  it('is a known program with known arguments', () => {
    const isOne = (line: string) => simpleCommandsOf(line, 'posix')!.slice(1).every(isHarmless);
    expect(isOne("npm test | sort -k 2,2 -t : | uniq -c | awk -F: '{print $1, $NF}'")).toBe(true);
    expect(isOne('npm test | unknown')).toBe(false);
    expect(isOne('npm test | constructor')).toBe(false);
    expect(isOne('npm test && head')).toBe(false);
  });
});

describe('isHarmless', () => {
  const isHarmlessLine = (line: string) => isHarmless(simpleCommandsOf(line, 'posix')!.at(-1)!);

  it.each([
    "awk -F: '{print $1}'",
    'cat -n',
    'column -t -s ,',
    'cut -d , -f 1-3 --complement',
    'fold -s -w 80',
    'grep -v -A 3 --color=always x',
    'grep -5 x',
    'head -20',
    'head --bytes=10',
    'md5sum',
    'nl -b a',
    'rev',
    'sed -n 1,5p',
    'sha256sum',
    'sort -rn -k 2',
    'tac',
    'tail -n 5',
    'tr -d x',
    'tr a-z A-Z',
    'uniq -c -f 1',
    'wc --lines',
  ])('accepts %s after a pipe, and only there', (line) => {
    expect(isHarmlessLine(`npm test | ${line}`)).toBe(true);
    expect(isHarmlessLine(`npm test |& ${line}`)).toBe(true);
    for (const operator of ['&&', '||', ';'])
      expect(isHarmlessLine(`npm test ${operator} ${line}`)).toBe(false);
  });

  it.each([
    'awk -f x',
    'cat a',
    'column a',
    'cut --output-delimiter=x -f 1 a',
    'fold a',
    'grep x a',
    'grep',
    'head a',
    'md5sum a',
    'nl a',
    'rev a',
    "sed 's/a/b/;w x'",
    'sha256sum a',
    'sort a',
    'tac a',
    'tail -f',
    'tr a b c/../d -x',
    'uniq a',
    'wc a',
  ])('does not accept %s after a pipe', (line) => {
    expect(isHarmlessLine(`npm test | ${line}`)).toBe(false);
  });

  it.each(['echo anything -n --x', 'echo', 'true', 'false', "printf '%s %d%%' a", 'printf', 'printf done'])(
    'accepts %s anywhere',
    (line) => {
      for (const operator of ['|', '&&', ';'])
        expect(isHarmlessLine(`npm test ${operator} ${line}`)).toBe(true);
      expect(isHarmlessLine(line)).toBe(true);
    },
  );

  it.each([
    'true x',
    'false x',
    'printf -v PATH x',
    'printf %b x',
    'printf %n x',
    "printf 'a%s%' x",
    'printf a -v PATH',
    'printf --help',
    'npm test',
  ])('does not accept %s', (line) => {
    expect(isHarmlessLine(line)).toBe(false);
  });
});
