import type { CheckKind } from '../messages/where-it-stands.ts';
import { innerWords, type ShellStep } from './shell-steps.ts';

/** Names of scripts and targets, up to the first `:` or `-`, in package managers and task runners. */
const scriptKinds: Readonly<Record<string, CheckKind>> = {
  test: 'test',
  tests: 'test',
  spec: 'test',
  unit: 'test',
  e2e: 'test',
  integration: 'test',
  build: 'build',
  compile: 'build',
  lint: 'lint',
  eslint: 'lint',
  typecheck: 'typecheck',
  type: 'typecheck',
  types: 'typecheck',
  tsc: 'typecheck',
  mypy: 'typecheck',
  format: 'format',
  fmt: 'format',
  prettier: 'format',
  check: 'check',
  verify: 'check',
  ci: 'check',
  validate: 'check',
};

/** Programs of which every run is such a check. */
const programKinds: Readonly<Record<CheckKind, string>> = {
  build:
    'tsup rollup webpack esbuild ninja msbuild gcc g++ cc clang clang++ rustc javac kotlinc scalac ghc ponyc nvcc pdflatex latexmk',
  test: 'pytest py.test unittest jest vitest mocha ava tap bats rspec phpunit pest ctest gotestsum nosetests nose2 karma wdio',
  lint: 'eslint oxlint flake8 pylint golangci-lint staticcheck shellcheck rubocop stylelint markdownlint markdownlint-cli2 hadolint actionlint ktlint swiftlint phpstan yamllint xo standard clippy-driver jshint tslint',
  typecheck: 'mypy pyright basedpyright pyre pytype vue-tsc svelte-check ty tsgo',
  format: 'prettier black isort rustfmt shfmt dprint clang-format gofmt goimports gofumpt autopep8 yapf',
  check: 'tox nox pre-commit lefthook',
};
const kindOfProgram = new Map<string, CheckKind>(
  Object.entries(programKinds).flatMap(([kind, names]) =>
    names.split(' ').map((name) => [name, kind as CheckKind] as const),
  ),
);

/** Programs whose first word after their options is a subcommand: `go test`, `cargo clippy`. */
const subcommands: Readonly<Record<string, Readonly<Record<string, CheckKind>>>> = {
  go: { test: 'test', build: 'build', install: 'build', vet: 'lint', fmt: 'format' },
  cargo: {
    test: 'test',
    nextest: 'test',
    build: 'build',
    b: 'build',
    t: 'test',
    check: 'typecheck',
    clippy: 'lint',
    fmt: 'format',
  },
  ruff: { check: 'lint', format: 'format' },
  biome: { check: 'lint', lint: 'lint', ci: 'lint', format: 'format' },
  dotnet: { test: 'test', build: 'build', publish: 'build', format: 'format' },
  swift: { test: 'test', build: 'build' },
  mix: { test: 'test', compile: 'build', format: 'format', credo: 'lint', dialyzer: 'typecheck' },
  flutter: { test: 'test', analyze: 'lint', build: 'build' },
  dart: { test: 'test', analyze: 'lint', format: 'format', compile: 'build' },
  deno: { test: 'test', lint: 'lint', fmt: 'format', check: 'typecheck', compile: 'build' },
  bun: { test: 'test', build: 'build' },
  zig: { test: 'test', build: 'build' },
  stack: { test: 'test', build: 'build' },
  cabal: { test: 'test', build: 'build' },
  sbt: { test: 'test', compile: 'build' },
  lein: { test: 'test', compile: 'build' },
  rails: { test: 'test' },
  playwright: { test: 'test' },
  cypress: { run: 'test' },
  next: { build: 'build', lint: 'lint' },
  vite: { build: 'build' },
  nuxt: { build: 'build' },
  astro: { build: 'build', check: 'typecheck' },
  ng: { test: 'test', build: 'build', lint: 'lint' },
  hatch: { test: 'test', build: 'build', fmt: 'format' },
  forge: { test: 'test', build: 'build' },
  bazel: { test: 'test', build: 'build' },
  docker: { build: 'build' },
  meson: { test: 'test', compile: 'build' },
  manage: { test: 'test', check: 'check' },
  mvn: { test: 'test', verify: 'test', compile: 'build', package: 'build', install: 'build' },
  mvnw: { test: 'test', verify: 'test', compile: 'build', package: 'build', install: 'build' },
};

/** Package managers: `test` is a script, every other one is named after `run`. */
const packageManagers: ReadonlySet<string> = new Set(['npm', 'pnpm', 'yarn', 'bun']);
/** Task runners: targets are named, perhaps after `run`. */
const taskRunners: ReadonlySet<string> = new Set(
  'make gmake just task mise rake turbo nx lerna gradle gradlew composer poe invoke inv ant'.split(' '),
);
/** Options of these programs whose value is a word of its own in front of the subcommand. */
const optionWithValue = /^(?:--filter|-F|--prefix|-C|-w|--workspace|--cwd|--dir|-f|-p|--project)$/u;

/** The kind of check that a program runs; undefined for every other program. */
export function checkKindOf(words: readonly string[]): CheckKind | undefined {
  // `command -v` only looks for a program.
  if (words[0] === 'command' && words[1]?.startsWith('-') === true) return undefined;
  const [program = '', ...rest] = innerWords(words);
  const name = program.replace(/\.(?:exe|cmd|bat|sh)$/iu, '');
  const named = plainWords(rest);
  const [first = '', second = ''] = named;
  if (isNoRun(rest)) return undefined;
  if (name === 'tsc') return rest.includes('--noEmit') ? 'typecheck' : 'build';
  if (/^python[\d.]*$/u.test(name) && /(?:^|\/)manage\.py$/u.test(first))
    return own(subcommands['manage']!, second);
  if (name === 'node') return rest.includes('--test') ? 'test' : undefined;
  if (name === 'cmake') return rest.includes('--build') ? 'build' : undefined;
  if (name === 'xcodebuild')
    return named.includes('test') ? 'test' : named.includes('build') ? 'build' : undefined;
  if (packageManagers.has(name)) {
    if (/^(?:run|run-script)$/u.test(first)) return scriptKind(second);
    const isScript = name === 'yarn' || name === 'pnpm';
    if (name === 'yarn' && first === 'workspace') return scriptKind(named[named[2] === 'run' ? 3 : 2] ?? '');
    if (/^(?:test|tst|t)$/u.test(first)) return 'test';
    return isScript ? scriptKind(first) : own(subcommands[name] ?? {}, first);
  }
  if (taskRunners.has(name)) {
    // Without a target, `make` builds what is first.
    if (named.length === 0) return name === 'make' || name === 'gmake' ? 'build' : undefined;
    return scriptKind(/^(?:run|r)$/u.test(first) ? second : first);
  }
  const ofSubcommands = own(subcommands, name);
  if (ofSubcommands !== undefined) return own(ofSubcommands, first);
  return kindOfProgram.get(name);
}

/** Asks a program about itself instead. */
function isNoRun(words: readonly string[]): boolean {
  return words.some((word) =>
    /^(?:--version|-V|--help|-h|--init|--list|--list-tests|--collect-only)$/u.test(word),
  );
}

function plainWords(words: readonly string[]): readonly string[] {
  return words.filter(
    (word, index) =>
      !word.startsWith('-') && !optionWithValue.test(words[index - 1] ?? '') && !word.includes('='),
  );
}

/** `test:unit`, `test-ci`, `app:test`, `compileJava`, `//x:build`. */
function scriptKind(script: string): CheckKind | undefined {
  const parts = script.split(/[:._-]/u);
  return own(scriptKinds, script) ?? own(scriptKinds, parts[0] ?? '') ?? own(scriptKinds, parts.at(-1) ?? '');
}

function own<Value>(of: Readonly<Record<string, Value>>, name: string): Value | undefined {
  return Object.hasOwn(of, name) ? of[name] : undefined;
}

/** Options whose value says which part is checked. */
const selecting =
  /^(?:-run|--run|-k|-t|-g|-m|--grep|--filter|--testNamePattern|--test-name-pattern|--tests|--test|-p|--package|--project|-w|--workspace|-C|--prefix|-e|--only)(?:=|$)/u;

/**
 * A name under which runs of a program are the same: the program, its subcommand and targets. Other options do not
 * count.
 */
export function sameRun(words: readonly string[]): string {
  const [program = '', ...rest] = innerWords(words);
  const kept = rest.filter((word, index) => {
    if (selecting.test(word) || selecting.test(rest[index - 1] ?? '')) return true;
    return !word.startsWith('-');
  });
  return [program, ...kept.map((word) => word.replace(/^\.\/(?=.)/u, ''))].join(' ');
}

/** A run of a program, as far as it tells whether another one is the same. */
export interface NamedRun {
  /** Of `sameRun`. */
  readonly key: string;
  /** Folder that the command line changed to, if it did. */
  readonly folder: string | undefined;
}

/** True if one run does again what the other did, or more: the same, in the same folder as far as both name one. */
export function coversRun(run: NamedRun, earlier: NamedRun): boolean {
  const isSameFolder =
    run.folder === undefined || earlier.folder === undefined || run.folder === earlier.folder;
  if (!isSameFolder) return false;
  if (run.key === earlier.key) return true;
  const [, everything] = /^(.+ )\.{1,3}$/u.exec(run.key) ?? [];
  return everything !== undefined && earlier.key.startsWith(everything);
}

/** Checks that tell whether code can be compiled. */
const compiling: ReadonlySet<CheckKind> = new Set<CheckKind>(['build', 'typecheck']);

/** A check that was run. */
export interface CheckedRun extends NamedRun {
  readonly kind: CheckKind;
}

/**
 * True if a check that passed tells of another one, too: it does as much or more, in the same folder or in one around
 * it. One of everything (`npm run check`) tells of all but tests, a build of the types, a call without targets of one with
 * some.
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

/** True if the first folder is the second one or holds it, as far as both are told from the same place. */
export function holdsFolder(one: string | undefined, other: string | undefined): boolean {
  if (one === undefined || other === undefined) return true;
  if (one.startsWith('/') !== other.startsWith('/')) return true;
  return other === one || other.startsWith(`${one.replace(/\/$/u, '')}/`);
}

/** The folder that the steps in front of one changed to. */
export function folderAt(steps: readonly ShellStep[], index: number): string | undefined {
  const change = steps
    .slice(0, index)
    .findLast(({ words: [program] }) => program === 'cd' || program === 'pushd');
  return change?.words[1];
}
