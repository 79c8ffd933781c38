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

  it.each([
    ['basename', '-a'],
    ['bats', '--tap'],
    ['bazel', '--test_output=all'],
    ['black', '-l'],
    ['bun', '--cwd'],
    ['build', '--wheel'],
    ['bundle', '-j'],
    ['cargo', '--allow-dirty'],
    ['clang-format', '--Werror'],
    ['clang-tidy', '-checks'],
    ['codespell', '-L'],
    ['composer', '--no-dev'],
    ['coverage', '--show-missing'],
    ['cp', '--archive'],
    ['cypress', '--e2e'],
    ['dart', '-o'],
    ['deno', '--allow-read'],
    ['df', '-T'],
    ['dotnet', '--nologo'],
    ['eslint', '-c'],
    ['flake8', '--max-complexity'],
    ['flutter', '--no-pub'],
    ['free', '-m'],
    ['go', '-race'],
    ['gofmt', '-s'],
    ['goimports', '-local'],
    ['golangci-lint', '--build-tags'],
    ['gotestsum', '--junitfile'],
    ['gradle', '--build-cache'],
    ['id', '-un'],
    ['isort', '--check-only'],
    ['jest', '-b'],
    ['mdbook', '-d'],
    ['meson', '--buildtype'],
    ['mkdir', '-p'],
    ['mocha', '--full-trace'],
    ['mvn', '-DskipTests'],
    ['mypy', '--show-error-codes'],
    ['mv', '--no-clobber'],
    ['next', '--turbo'],
    ['ng', '--prod'],
    ['ninja', '-C'],
    ['nox', '--sessions'],
    ['npm', '--prefix'],
    ['nx', '--base'],
    ['pdflatex', '-halt-on-error'],
    ['pdm', '--prod'],
    ['phpstan', '--memory-limit'],
    ['phpunit', '--testdox'],
    ['pip', '--requirement'],
    ['playwright', '--grep-invert'],
    ['pnpm', '--dir'],
    ['poetry', '--sync'],
    ['pre-commit', '--hook-stage'],
    ['prettier', '--tab-width'],
    ['pylint', '--errors-only'],
    ['pyright', '--outputjson'],
    ['pytest', '--no-cov'],
    ['rollup', '--input'],
    ['rspec', '--backtrace'],
    ['rubocop', '--autocorrect'],
    ['ruff', '--preview'],
    ['rustfmt', '--emit'],
    ['shellcheck', '--severity'],
    ['shfmt', '-ci'],
    ['stack', '--pedantic'],
    ['stylelint', '-f'],
    ['swift', '--skip-build'],
    ['touch', '-a'],
    ['tsc', '--jsx'],
    ['tsup', '--dts'],
    ['turbo', '--affected'],
    ['unittest', '--buffer'],
    ['uname', '-a'],
    ['uv', '--resolution'],
    ['vite', '--logLevel'],
    ['vitest', '--typecheck'],
    ['vue-tsc', '-b'],
    ['webpack', '--env'],
    ['xcodebuild', '-scheme'],
    ['yamllint', '-s'],
    ['yarn', '--top-level'],
    ['zig', '-Dtarget'],
  ])('accepts an option of %s that other programs may understand otherwise: %s', (program, option) => {
    expect(hasPlainWords(program, [option])).toBe(true);
    expect(hasPlainWords('another', [option])).toBe(false);
  });

  it.each(['npm', 'yarn', 'pnpm', 'bun'])(
    'accepts options of the script after two dashes of %s',
    (manager) => {
      expect(isPlain(`${manager} test -- --spec a`)).toBe(true);
      expect(isPlain(`${manager} test --spec a`)).toBe(false);
      expect(isPlain(`${manager} test -- --unknown`)).toBe(false);
    },
  );

  it.each([
    ['an empty word', ''],
    ['a home folder', '~/x'],
    ['a glob', '*.test.ts'],
    ['a tag or comment', '#1'],
    ['an address of a file', '@scope/package@1.0'],
    ['a condition', 'A==1'],
    ['a bracket', '[a]'],
  ])('accepts %s as an operand', (_what, word) => {
    expect(hasPlainWords('tsc', [word])).toBe(true);
  });

  it.each([
    'a;b',
    '"a"',
    "a'b",
    '`a`',
    '$a',
    '{a}',
    'a\\b',
    'a\nb',
    '<a',
    '+./a',
    '+',
    '-',
    '-5',
    '-j4x',
    '--x=1',
  ])('rejects %j as a word', (word) => {
    expect(hasPlainWords('cargo', [word])).toBe(false);
  });

  it('accepts up to four letters together, if each is an option', () => {
    expect(isPlain('pytest -vxsq')).toBe(true);
    expect(isPlain('pytest -vxsqq')).toBe(false);
    expect(isPlain('pytest -vxz')).toBe(false);
  });
});
