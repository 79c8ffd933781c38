import { describe, expect, it } from 'vitest';
import { isRepeatableProgram } from '../../../src/agent/approvals/repeatable-programs.ts';

const isRepeatable = (line: string) =>
  isRepeatableProgram(line === '' ? [] : line.split(' '), (path) => path === 'artisan');

/** Lists which words a command accepts: the word itself, and the word after or before an exclamation mark. */
const acceptedOf = (word: string, command: (word: string) => readonly string[]) =>
  [word, `!${word}`, `${word}!`].filter((each) => isRepeatableProgram(command(each), () => false));

describe('isRepeatableProgram', () => {
  it.each([
    ['a test runner', 'pytest -q'],
    ['a command of a package manager', 'npm run lint'],
    ['a command after options', 'pnpm --filter web test'],
    ['several goals that build', 'mvn -q clean verify'],
    ['a known program run by another', 'poetry run pytest'],
    ['a known program after two dashes', 'mise exec -- go test'],
    ['a script', 'node scripts/build.mjs'],
    ['an existing script without a file extension', 'php artisan test'],
    ['a Python module that runs tests', '.venv/bin/python -m pytest'],
    ['a file of the workspace', './gradlew anything'],
    ['a command for a part of the project', 'yarn workspace web build'],
    ['a program of the workspace', 'go run ./cmd/x --fast'],
    ['a Rust program of the workspace', 'cargo run --bin x -- --fast'],
    ['a compiler', 'gcc -O2 -o a a.c'],
  ])('accepts %s: %s', (_what, line) => {
    expect(isRepeatable(line)).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['an unknown program', 'frobnicate'],
    ['a name that every object has', 'constructor'],
    ['a command that publishes', 'npm publish'],
    ['a goal that publishes, after a goal that builds', 'mvn clean deploy'],
    ['an unknown program run by a known one', 'poetry run sh'],
    ['a runner with nothing to run', 'poetry run'],
    ['code', 'node -e 1'],
    ['code after a known option', 'python -Bc 1'],
    ['an interpreter that reads code from its input', 'python -'],
    ['an interpreter alone', 'node'],
    ['a missing script', 'php other'],
    ['a Python module that starts a server', 'python -m http.server'],
    ['code for a build program', 'make --eval=x'],
    ['a program that wraps a compiler', 'gcc -wrapper sh a.c'],
  ])('rejects %s: %s', (_what, line) => {
    expect(isRepeatable(line)).toBe(false);
  });

  it.each([
    ['brew', 'list', 'install x'],
    ['buck2', 'test', 'run x'],
    ['bazel', 'build --config ci', 'run x'],
    ['bazelisk', 'query', 'shutdown'],
    ['buf', 'lint', 'push'],
    ['bun', 'pm ls', 'pm publish'],
    ['bundle', 'check', 'config'],
    ['cabal', 'build', 'upload'],
    ['cargo', 'clippy', 'publish'],
    ['composer', 'validate', 'exec x'],
    ['conda', 'list', 'run x'],
    ['coverage', 'report', 'run x'],
    ['crystal', 'spec', 'eval x'],
    ['cypress', 'run', 'open'],
    ['dart', 'pub get', 'pub publish'],
    ['dune', 'runtest', 'exec x'],
    ['deno', 'check', 'eval x'],
    ['dotnet', 'test', 'nuget'],
    ['flow', 'check', 'server'],
    ['flutter', 'pub get', 'pub run'],
    ['gem', 'list', 'push x'],
    ['gleam', 'test', 'publish'],
    ['go', 'mod tidy', 'mod edit'],
    ['hatch', 'test', 'publish'],
    ['karma', 'start', 'init'],
    ['lake', 'test', 'exe x'],
    ['lerna', 'run', 'publish'],
    ['ng', 'test', 'deploy'],
    ['next', 'lint', 'start'],
    ['nx', 'run-many', 'release'],
    ['pod', 'install', 'trunk'],
    ['turbo', 'test', 'login'],
    ['mdbook', 'build', 'serve'],
    ['meson', 'setup', 'devenv'],
    ['mise', 'run', 'use x'],
    ['mix', 'deps.get', 'hex.publish'],
    ['npm', 'run', 'exec x'],
    ['opam', 'switch list', 'switch create'],
    ['pdm', 'sync', 'publish'],
    ['pip', 'list', 'download x'],
    ['pip3', 'check', 'download x'],
    ['pipenv', 'sync', 'shell'],
    ['playwright', 'test', 'codegen'],
    ['pnpm', 'outdated', 'dlx x'],
    ['pre-commit', 'run', 'install'],
    ['poetry', 'env info', 'env use x'],
    ['rebar3', 'eunit', 'hex'],
    ['rustup', 'target list', 'target add'],
    ['rustup', 'component list', 'component add'],
    ['rustup', 'toolchain list', 'toolchain link'],
    ['stack', 'test', 'exec x'],
    ['swift', 'package resolve', 'package plugin'],
    ['uv', 'pip list', 'pip x'],
    ['yarn', 'why', 'dlx x'],
    ['zig', 'build', 'run x'],
    ['go', 'work sync', 'work use'],
    ['gradle', 'build test', 'build publish'],
    ['sbt', 'compile test', 'publish'],
    ['mvn', '-B verify', 'exec:java'],
  ])('accepts commands of %s that build or test: %s, but not %s', (program, accepted, rejected) => {
    expect(isRepeatable(`${program} ${accepted}`)).toBe(true);
    expect(isRepeatable(`${program} ${rejected}`)).toBe(false);
  });

  it.each([
    ['busted', '-v spec', '--helper=x'],
    ['cloc', '--by-file src', '--config=x'],
    ['cmake', '--build out -j4', '-E'],
    ['cmake', '-DCMAKE_BUILD_TYPE=Debug', '-P'],
    ['ctest', '--output-on-failure -j8', '-S'],
    ['date', '+%s', '-s'],
    ['date', '-u --iso-8601=seconds', '--set=x'],
    ['just', '--list build', '--shell'],
    ['make', '-j8 all CFLAGS=-O2', 'MAKEFLAGS=x'],
    ['make', '-C sub --dry-run', '--eval=x'],
    ['prove', '-lv t', '-Mx'],
    ['ps', 'aux', 'e'],
    ['ps', '-ef', '-E'],
    ['rake', '-T test', '-r'],
    ['rustc', '--edition=2021 a.rs', '-Clinker=./x'],
    ['tap', '-Rspec test/*.js', '--node-arg=x'],
    ['task', '-f build', '-t'],
    ['tox', '-e py', 'exec'],
    ['c++', '-std=c++20 a.cc', '-fplugin=x'],
    ['cc', '-Wall -c a.c', '-Wl,x'],
    ['clang', '-Iinclude a.c', '-B.'],
    ['clang++', '-shared a.cc', '-fpass-plugin=x'],
    ['g++', '-MMD a.cc', '@args'],
    ['gcc', '-g3 a.c', '-specs=x'],
    ['gfortran', '-O3 a.f90', '-Wa,x'],
  ])('accepts the words of %s that run nothing else: %s, but not %s', (program, accepted, rejected) => {
    expect(isRepeatable(`${program} ${accepted}`)).toBe(true);
    expect(isRepeatable(`${program} ${rejected}`)).toBe(false);
  });

  it.each([
    ['bash', '-eu a.sh', '-c x'],
    ['julia', '--project=. a.jl', '-e x'],
    ['lua', '-W a.lua', '-l x'],
    ['node', '--test', '--require=x a.js'],
    ['node', '--max-old-space-size=4096 --test-reporter=dot a.js', '--import=x a.js'],
    ['perl', '-w a.pl', '-e x'],
    ['php', '-l a.php', '-r x'],
    ['python', '-Xdev a.py', '-c x'],
    ['python3.12', '-m unittest -v', '-m timeit x'],
    ['py', '-m ruff check', '-m x'],
    ['Rscript', '--vanilla a.R', '-e x'],
    ['ruby', '-w a.rb', '-e x'],
    ['sh', '-x a.sh', '-c x'],
    ['ts-node', '--esm a.ts', '-e x'],
    ['tsx', '--no-warnings a.ts', '--eval x'],
  ])('accepts files for %s: %s, but not %s', (program, accepted, rejected) => {
    expect(isRepeatable(`${program} ${accepted}`)).toBe(true);
    expect(isRepeatable(`${program} ${rejected}`)).toBe(false);
  });

  it.each([
    ['busted', ['spec/a-b', '-v', '--coverage']],
    ['cloc', ['src/a-b', '--exclude-dir=out,a']],
    [
      'cmake',
      ['src/a b', '-DCMAKE_BUILD_TYPE=Debug', '-L', '-Wdev', '-j', '-j16', '--build=out/a', '--version'],
    ],
    ['ctest', ['^a.*|b', '-j', '-j16', '--preset', '--preset=ci/a']],
    ['date', ['-u', '-I', '-Iseconds', '--iso-8601', '--rfc-3339=ns', '--date=2 days ago']],
    ['just', ['a-b', '-l', '--list']],
    [
      'make',
      [
        'a-b',
        'TYPE=a/b',
        'CXXFLAGS=-O2 -g',
        'TEST=a b',
        'TESTS=a b',
        '-Bk',
        '-j',
        '-j16',
        '-Csub/a',
        '--file=a/b',
      ],
    ],
    ['prove', ['t/a-b', '-lv', '-j', '-j16']],
    ['ps', ['aux', '-ef', '1234', 'pid,comm']],
    ['rake', ['a:b[c]', '-T', '--trace']],
    ['rustc', ['src/a-b.rs', 'opt-level=3', '-O', '--test', '--cfg=a,b']],
    ['tap', ['a/*.js', '-Rspec']],
    ['task', ['a:b-c', '-f', '--force']],
    ['tox', ['-ep', 'list', 'py3-a,b']],
    ['gcc', ['src/a-b.c', '-O', '-O2', '-Wno-error=a', '-fno-inline', '-DA=b']],
  ])('accepts a word of %s only as a whole', (program, words) => {
    for (const word of words)
      expect([word, acceptedOf(word, (each) => [program, each])]).toEqual([word, [word]]);
  });

  it.each([
    ['bash', ['-eux']],
    ['julia', ['--project', '--project=@ab']],
    ['lua', ['-v']],
    [
      'node',
      [
        '--expose-gc',
        '--disable-warning=DEP',
        '--max-old-space-size=4096',
        '--test-concurrency=12',
        '--unhandled-rejections=strict',
      ],
    ],
    ['perl', ['-wT']],
    ['php', ['-l']],
    ['python', ['-Bs', '-Xdev', '-Werror']],
    ['Rscript', ['--vanilla']],
    ['ruby', ['-w', '-W2']],
    ['sh', ['-eux']],
    ['ts-node', ['-T', '--esm']],
    ['tsx', ['--no-warnings']],
  ])('accepts an option of %s only as a whole', (program, options) => {
    for (const option of options)
      expect([option, acceptedOf(option, (each) => [program, each, 'a.x'])]).toEqual([option, [option]]);
  });

  it.each(['python --version', 'node -V', 'npm --version', 'cargo -V', 'go -v', 'yarn'])(
    'accepts a question for the version: %s',
    (line) => {
      expect(isRepeatable(line)).toBe(true);
    },
  );

  it.each([
    'node --version a.js',
    'npm --version --prefix=x',
    'node --experimental-strip-types',
    'deno run npm:x',
    'deno test https://x/a.ts',
    'go run example.com/x@latest',
    'go run',
    'go run -exec ./x ./cmd',
    'cargo run --config x=y',
    '-x',
    'mise exec --',
    'pnpm exec x',
    'yarn workspace web publish',
    'npm install --script-shell=x',
    'npm --script-shell=./x--version',
    'npm --version-x',
    'go run example.gold/x',
    'mvn -s verify',
    'c8 --require=./x mocha',
    'bash --rcfile=./x',
    'node -m pytest',
  ])('rejects %s', (line) => {
    expect(isRepeatable(line)).toBe(false);
  });

  it.each([
    'c8 vitest run',
    'nyc mocha',
    'bundle exec rspec',
    'pdm run pytest',
    'pipenv run mypy src',
    'pnpm exec eslint .',
    'uv run -- pytest',
    'uv run ruff check',
    'npm --prefix web test',
    'yarn --cwd web build',
    'yarn workspaces web test',
    'cargo r -- --any=thing',
    'go run main.go --any=thing',
    'go run -race ./cmd',
    'deno test src',
    'deno test src/a:b',
    'npm run test:unit',
    'pnpm exec jest -b',
    'node_modules/.bin/vitest run',
    'venv/bin/pytest -q',
    'vendor\\bin\\phpunit',
  ])('accepts %s', (line) => {
    expect(isRepeatable(line)).toBe(true);
  });

  it.each([
    'node_modules/.bin/unknown',
    'web/node_modules/.bin/unknown',
    '.venv/bin/pytest --pdbcls=x',
    'venv/bin/unknown',
    'vendor/bin/x',
  ])('judges an installed program by its name: %s', (line) => {
    expect(isRepeatable(line)).toBe(false);
  });
});
