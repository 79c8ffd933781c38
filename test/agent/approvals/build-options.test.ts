import { describe, expect, it } from 'vitest';
import { hasPlainWords } from '../../../src/agent/approvals/build-options.ts';

const isPlain = (line: string) => {
  const [program = '', ...words] = line.split(' ');
  return hasPlainWords(program, words);
};

describe('hasPlainWords', () => {
  it.each([
    ['options of all programs', 'anything --verbose --coverage src'],
    ['options of one program', 'tsc -p tsconfig.build.json --noEmit'],
    ['values after equal signs', 'jest --maxWorkers=2'],
    ['numbers after a letter', 'cargo build -j4'],
    ['several one-letter options', 'pytest -xsq tests/test_a.py::test_b[1-2]'],
    ['options for the script of a package', 'npm test -- -t lock --headed'],
    ['a toolchain', 'cargo +nightly test'],
    ['patterns and expressions', 'go test -run TestA|TestB ./...'],
    ['versions', 'pip install a==1.2 b~=3'],
    ['words that are not English', 'pytest -k größe'],
  ])('accepts %s: %s', (_what, line) => {
    expect(isPlain(line)).toBe(true);
  });

  it.each([
    ['an unknown option', 'npm test --script-shell=./a.sh'],
    ['an abbreviated option', 'npm test --script-sh=./a.sh'],
    ['a long option with one dash', 'npm test -script-shell=./a.sh'],
    ['an option of another program', 'black -c x'],
    ['an unknown letter among known ones', 'pytest -xp a'],
    ['letters for a program whose long options have one dash', 'go get -tool a'],
    ['one-letter options with a value', 'pytest -xs=a'],
    ['an option of the package manager after two dashes', 'npm test -- -C sub'],
    ['code as an operand', 'tsc $(id)'],
    ['code as a value', 'jest --config={"globalSetup":"a"}'],
    ['a variable', 'scons CC=sh'],
    ['a toolchain that is a path', 'cargo +./a test'],
    ['a name that every object has', 'tsc --constructor'],
  ])('rejects %s: %s', (_what, line) => {
    expect(isPlain(line)).toBe(false);
  });
});
