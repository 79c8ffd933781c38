import type { CheckKind } from '../messages/where-it-stands.ts';
import { innerWords, type ShellStep } from './shell-steps.ts';

/** Kinds of checks by the name of a script or target, or by the first or last part of the name. */
const scriptKinds = byWord({
  build: 'build compile',
  test: 'test tests spec unit e2e integration',
  lint: 'lint eslint',
  typecheck: 'typecheck type types tsc mypy',
  format: 'format fmt prettier',
  check: 'check verify ci validate',
});

/** Kinds of checks by program. A program with other uses is listed with its subcommand: `go/test`. */
const programKinds = byWord({
  build: `tsup rollup webpack esbuild ninja msbuild gcc g++ cc clang clang++ rustc javac kotlinc scalac ghc ponyc nvcc
    pdflatex latexmk go/build go/install cargo/build cargo/b dotnet/build dotnet/publish swift/build mix/compile
    flutter/build dart/compile deno/compile bun/build zig/build stack/build cabal/build sbt/compile lein/compile
    next/build vite/build nuxt/build astro/build ng/build hatch/build forge/build bazel/build docker/build
    meson/compile mvn/compile mvn/package mvn/install mvnw/compile mvnw/package mvnw/install`,
  test: `pytest py.test unittest jest vitest mocha ava tap bats rspec phpunit pest ctest gotestsum nosetests nose2 karma
    wdio go/test cargo/test cargo/nextest cargo/t dotnet/test swift/test mix/test flutter/test dart/test deno/test
    bun/test zig/test stack/test cabal/test sbt/test lein/test rails/test playwright/test cypress/run ng/test
    hatch/test forge/test bazel/test meson/test manage/test mvn/test mvn/verify mvnw/test mvnw/verify`,
  lint: `eslint oxlint flake8 pylint golangci-lint staticcheck shellcheck rubocop stylelint markdownlint
    markdownlint-cli2 hadolint actionlint ktlint swiftlint phpstan yamllint xo standard clippy-driver jshint tslint
    go/vet cargo/clippy ruff/check biome/check biome/lint biome/ci mix/credo flutter/analyze dart/analyze deno/lint
    next/lint ng/lint`,
  typecheck: `mypy pyright basedpyright pyre pytype vue-tsc svelte-check ty tsgo cargo/check mix/dialyzer deno/check
    astro/check`,
  format: `prettier black isort rustfmt shfmt dprint clang-format gofmt goimports gofumpt autopep8 yapf go/fmt cargo/fmt
    ruff/format biome/format dotnet/format mix/format dart/format deno/fmt hatch/fmt`,
  check: 'tox nox pre-commit lefthook manage/check',
});

function byWord(words: Readonly<Record<CheckKind, string>>): ReadonlyMap<string, CheckKind> {
  return new Map(
    Object.entries(words).flatMap(([kind, names]) =>
      names.split(/\s+/u).map((name) => [name, kind as CheckKind] as const),
    ),
  );
}

/** Package managers. `test` is a script; the names of other scripts follow `run`. */
const packageManagers: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn', 'bun']);
/** Task runners. The words after them, or after `run`, are targets. */
const taskRunners: ReadonlySet<string> = new Set(
  'make gmake just task mise rake turbo nx lerna gradle gradlew composer poe invoke inv ant'.split(' '),
);
/** Options of package managers and task runners that take the next word as their value. */
const optionWithValue = /^(?:--filter|-F|--prefix|-C|-w|--workspace|--cwd|--dir|-f|-p|--project)$/u;

/** Returns the kind of check that a program runs; undefined for other programs. */
export function checkKindOf(words: readonly string[]): CheckKind | undefined {
  // `command -v` only looks up a program.
  if (words[0] === 'command' && words[1]?.startsWith('-') === true) return undefined;
  const [program = '', ...rest] = innerWords(words);
  const name = program.replace(/\.(?:exe|cmd|bat|sh)$/iu, '');
  const named = namedWords(rest);
  const [first = '', second = ''] = named;
  if (rest.some((word) => noRun.test(word))) return undefined;
  if (name === 'tsc') return rest.includes('--noEmit') ? 'typecheck' : 'build';
  if (/^python[\d.]*$/u.test(name) && /(?:^|\/)manage\.py$/u.test(first))
    return programKinds.get(`manage/${second}`);
  if (name === 'node') return rest.includes('--test') ? 'test' : undefined;
  if (name === 'cmake') return rest.includes('--build') ? 'build' : undefined;
  if (name === 'xcodebuild')
    return named.includes('test') ? 'test' : named.includes('build') ? 'build' : undefined;
  if (packageManagers.has(name)) {
    if (/^(?:run|run-script)$/u.test(first)) return scriptKind(second);
    const isScript = name === 'yarn' || name === 'pnpm';
    if (name === 'yarn' && first === 'workspace') return scriptKind(named[named[2] === 'run' ? 3 : 2] ?? '');
    if (/^(?:test|tst|t)$/u.test(first)) return 'test';
    return isScript ? scriptKind(first) : programKinds.get(`${name}/${first}`);
  }
  if (taskRunners.has(name)) {
    // Without a target, `make` builds its first target.
    if (named.length === 0) return name === 'make' || name === 'gmake' ? 'build' : undefined;
    return scriptKind(/^(?:run|r)$/u.test(first) ? second : first);
  }
  return programKinds.get(name) ?? programKinds.get(`${name}/${first}`);
}

/** Options that make a program describe itself and check nothing. */
const noRun = /^(?:--version|-V|--help|-h|--init|--list|--list-tests|--collect-only)$/u;

/** Returns the words after a program, without options, their values and assignments. */
export function namedWords(words: readonly string[]): readonly string[] {
  return words.filter(
    (word, index) =>
      !word.startsWith('-') && !optionWithValue.test(words[index - 1] ?? '') && !word.includes('='),
  );
}

/** Returns the kind of a script or target: `test:unit`, `test-ci`, `app:test`, `compileJava`, `//x:build`. */
function scriptKind(script: string): CheckKind | undefined {
  const parts = script.split(/[:._-]/u);
  return scriptKinds.get(script) ?? scriptKinds.get(parts[0] ?? '') ?? scriptKinds.get(parts.at(-1) ?? '');
}

/** Options whose value selects the part to check. */
const selecting =
  /^(?:-run|--run|-k|-t|-g|-m|--grep|--filter|--testNamePattern|--test-name-pattern|--tests|--test|-p|--package|--project|-w|--workspace|-C|--prefix|-e|--only)(?:=|$)/u;

/** Returns the key that equal runs share: the program, its subcommand and its targets. Other options are ignored. */
export function sameRun(words: readonly string[]): string {
  const [program = '', ...rest] = innerWords(words);
  const kept = rest.filter((word, index) => {
    if (selecting.test(word) || selecting.test(rest[index - 1] ?? '')) return true;
    return !word.startsWith('-');
  });
  return [program, ...kept.map((word) => word.replace(/^\.\/(?=.)/u, ''))].join(' ');
}

/** A run of a program, in a form that can be compared. */
export interface NamedRun {
  /** Result of `sameRun`. */
  readonly key: string;
  /** Folder to which the command line changed, if any. */
  readonly folder: string | undefined;
}

/** True if a run repeats or includes an earlier run. If both name a folder, the folders have to be equal. */
export function coversRun(run: NamedRun, earlier: NamedRun): boolean {
  const isSameFolder =
    run.folder === undefined || earlier.folder === undefined || run.folder === earlier.folder;
  if (!isSameFolder) return false;
  if (run.key === earlier.key) return true;
  const [, everything] = /^(.+ )\.{1,3}$/u.exec(run.key) ?? [];
  return everything !== undefined && earlier.key.startsWith(everything);
}

/** Checks that show whether code compiles. */
const compiling: ReadonlySet<CheckKind> = new Set<CheckKind>(['build', 'typecheck']);

/** A check that was run. */
export interface CheckedRun extends NamedRun {
  readonly kind: CheckKind;
}

/**
 * True if a passed check also covers an earlier check: it checks at least as much, in the same folder or a
 * parent. A check of everything (`npm run check`) covers all except tests. A build covers the types. A run
 * without targets covers a run with targets.
 */
export function coversCheck(run: CheckedRun, earlier: CheckedRun): boolean {
  if (coversRun(run, earlier)) return true;
  if (!holdsFolder(run.folder, earlier.folder)) return false;
  const isWhole = !run.key.startsWith('go ') && earlier.key.startsWith(`${run.key} `);
  return (
    (run.kind === earlier.kind && isWhole) ||
    (run.kind === 'check' && earlier.kind !== 'test') ||
    (compiling.has(run.kind) && earlier.kind === 'typecheck')
  );
}

/** True if the first folder is or contains the second one, or if this is unknown. */
export function holdsFolder(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return true;
  if (one.startsWith('/') !== other.startsWith('/')) return true;
  return other === one || other.startsWith(`${one.replace(/\/$/u, '')}/`);
}

/** Returns the folder that the last `cd` before a step names, if any. */
export function folderAt(steps: readonly ShellStep[], index: number): string | undefined {
  const change = steps
    .slice(0, index)
    .findLast(({ words: [program] }) => program === 'cd' || program === 'pushd');
  return change?.words[1];
}
