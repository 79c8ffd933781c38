import { hasPlainWords } from './build-options.ts';
import { programName } from './command-danger.ts';

/** Programs that build, check, test or print. The user may allow them word for word, with known options. */
const programs: ReadonlySet<string> = new Set(
  `actionlint ant ava autopep8 basename bats biome black clang-format clang-tidy codespell commitlint cp cppcheck
  cucumber df dirname doxygen dprint eslint flake8 free gofmt goimports golangci-lint gotestsum hadolint
  hlint id isort javac jest knip ktlint kotlinc lint-staged luacheck markdownlint markdownlint-cli2 mkdir
  mocha mv mypy ninja nox nproc ormolu oxlint pdflatex phpcs phpstan phpunit prettier publint pylint pyright
  pytest rollup rspec rubocop ruff rustfmt scc scons seq shellcheck shfmt size-limit sleep sphinx-build sqlfluff
  standard staticcheck stylelint stylua svelte-check swiftformat swiftlint taplo tokei touch tsc tsd tsup
  typst uname uptime vite vitest vue-tsc webpack whoami wireit xcodebuild xo yamllint`.split(/\s+/),
);

const ofPackages = `add audit build check ci clean compile cov coverage dedupe dev docs e2e fmt format fund i info install
  licenses lint list ls outdated pack prettier prune rebuild remove rm run run-script start t test tests tsc type-check
  typecheck types uninstall unit up update upgrade validate verify view vitest why workspace workspaces`;

/** Allowed commands of programs that can also publish, sign in or run anything. */
const verbs: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    brew: 'deps info list outdated',
    buck2: 'build test query',
    bazel: 'build coverage query test',
    bazelisk: 'build coverage query test',
    buf: 'breaking build format generate lint',
    bun: `${ofPackages} pm`,
    bundle: 'check install list outdated show',
    cabal: 'build check clean haddock run test update',
    cargo: `add audit b bench build c check clean clippy d deny doc expand fetch fix fmt generate-lockfile hack insta llvm-cov
      locate-project machete metadata miri nextest outdated r remove run rustc t test tree udeps update vendor verify-project`,
    composer:
      'check check-platform-reqs dump-autoload install lint outdated require run-script show test update validate',
    conda: 'info list',
    coverage: 'combine erase html json report xml',
    crystal: 'build docs run spec tool',
    cypress: 'info run verify',
    dart: 'analyze compile doc fix format pub run test',
    dune: 'build clean fmt promote runtest test',
    deno: 'bench check coverage doc fmt info lint task test types',
    dotnet: 'build clean format list msbuild pack restore run test',
    flow: 'check status stop',
    flutter: 'analyze build clean doctor format pub test',
    gem: 'build check dependency environment list',
    gleam: 'build check format test',
    go: 'build clean doc fix fmt generate get list mod run test version vet work',
    hatch: 'build fmt test version',
    karma: 'start',
    lake: 'build test',
    lerna: 'changed list ls run',
    ng: 'build e2e lint test version',
    next: 'build info lint',
    nx: 'affected build graph lint run run-many test',
    pod: 'install outdated update',
    turbo: 'build lint run test',
    mdbook: 'build clean test',
    meson: 'compile configure install setup test',
    mise: 'current doctor install ls r run tasks',
    mix: 'compile credo deps deps.get dialyzer docs format test',
    npm: ofPackages,
    opam: 'install list switch update',
    pdm: 'add build install list lock remove sync test update',
    pip: 'check freeze install list show',
    pip3: 'check freeze install list show',
    pipenv: 'check graph install lock sync update',
    playwright: 'show-report test',
    pnpm: ofPackages,
    'pre-commit': 'autoupdate run validate-config',
    poetry: 'add build check env install lock remove show update version',
    rebar3: 'compile ct dialyzer eunit xref',
    rustup: 'component show target toolchain which',
    stack: 'bench build haddock test',
    swift: 'build package test',
    uv: 'add build lock pip remove sync tree venv version',
    yarn: ofPackages,
    zig: 'ast-check build build-exe build-lib fmt test',
  }).map(([program, words]) => [program, new Set(words.split(/\s+/).filter((word) => word !== ''))]),
);
/** Subcommands of the commands above. Their other subcommands run programs, publish or change the machine. */
const innerVerbs: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    'bun pm': 'hash ls',
    'dart pub': 'add deps downgrade get outdated remove upgrade',
    'flutter pub': 'add deps downgrade get outdated remove upgrade',
    'go mod': 'download graph init tidy vendor verify why',
    'go work': 'sync',
    'opam switch': 'list show',
    'poetry env': 'info list',
    'rustup component': 'list',
    'rustup target': 'list',
    'rustup toolchain': 'list',
    'swift package': 'clean describe resolve show-dependencies update',
    'uv pip': 'check compile freeze install list show sync tree uninstall',
  }).map(([command, words]) => [command, new Set(words.split(' '))]),
);
/** Words of compilers that name neither another compiler nor a program to run. */
const compiling =
  /^(?:[\w./][\w./+-]*|-[cEgosSvw]|-g\d|-O\w?|-[DUILlm][\w./=,+-]*|-W(?![alp],)[\w=,+-]*|-f(?!plugin|pass-plugin)[\w=,+-]*|-std=[\w+]+|-pedantic|-pipe|-shared|-static|-M[DMPFTQ]*)$/;
/** Programs that can also run commands or code from their arguments, with the words allowed for them. */
const forms: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    busted: /^(?:[\w./][\w./-]*|-[svo]|--(?:coverage|shuffle|verbose))$/,
    cloc: /^(?:[\w./][\w./-]*|--(?:by-file|csv|json|md|quiet|vcs=git|exclude-dir=[\w,.-]+))$/,
    cmake:
      /^(?:[\w./][\w./ -]*|-[BDGS][\w./:= +-]*|-[LW]\w*|-j\d*|--(?:build|clean-first|config|fresh|install|parallel|preset|target|verbose|version)(?:=[\w./-]+)?)$/,
    ctest:
      /^(?:[\w./|^$*][\w./|^$*-]*|-j\d*|--(?:output-on-failure|parallel|preset|rerun-failed|test-dir|verbose)(?:=[\w./-]+)?)$/,
    date: /^(?:\+.+|-[uR]|-I\w*|--utc|--(?:iso-8601|rfc-3339)(?:=\w+)?|--date=[\w :+-]+)$/,
    just: /^(?:[\w./:][\w./:=-]*|-[lnq]|--(?:dry-run|list|quiet|summary))$/,
    make: /^(?:[\w./%+@:][\w./%+@:-]*|(?!MAKE|GNUMAKE)\w+=[\w.,:/+@-]*|(?!MAKE|GNUMAKE)\w*(?:ARGS|FLAGS|OPTIONS|OPTS|TESTS?)=[\w.,:/+@ -]*|-[Bikns]+|-[jl]\d*|-[Cf][\w./-]*|--(?:always-make|directory|dry-run|file|jobs|keep-going|no-print-directory|silent)(?:=[\w./-]+)?)$/,
    prove: /^(?:[\w./][\w./-]*|-[blqrsv]+|-j\d*)$/,
    // The letter `e` or an unknown option would show the environment of all programs.
    ps: /^(?:[aufwx]+|-[AaefFjlwT]+|-[op]|\d+|(?:pid|ppid|user|comm|cmd|args|etime|stat|%cpu|%mem|rss|vsz|time|start|tty|,)+)$/,
    rake: /^(?:[\w./:][\w./:,=[\]-]*|-[mnqstvPT]|--(?:dry-run|quiet|silent|tasks|trace))$/,
    rustc:
      /^(?:[\w./][\w./-]*|opt-level=\w|-[CWgoO]|--(?:cfg|crate-type|edition|emit|out-dir|test)(?:=[\w./,-]+)?)$/,
    tap: /^(?:[\w*-]*[./][\w*./-]*|-[Rbj]\w*)$/,
    task: /^(?:[\w./:][\w./:=-]*|-[acflnpsv]|--(?:dry|force|list|list-all|parallel|silent|verbose))$/,
    tox: /^(?:-[epqrv]+|list|run|(?:check|cov|docs|format|lint|py|test|type)[\w,.-]*)$/,
    ...Object.fromEntries(
      ['c++', 'cc', 'clang', 'clang++', 'g++', 'gcc', 'gfortran'].map((name) => [name, compiling]),
    ),
  }),
);
/** Allowed goals of programs that run several goals in sequence. */
const goals: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    gradle:
      'assemble build check classes clean compileJava compileKotlin dependencies jar ktlintCheck lint tasks test testClasses',
    sbt: 'clean compile doc package scalafmtAll scalafmtCheckAll test',
    mvn: 'clean compile dependency:tree package process-classes test test-compile validate verify',
  }).map(([program, words]) => [program, new Set(words.split(' '))]),
);
/** Options before a command that take the next word as their value. */
const optionsWithWord = new Set(
  '--filter -F -w --workspace --features -p --package --prefix --dir --cwd -C'.split(' '),
);

/** Commands that run the program named after them. */
const runners = new Set([
  'mise exec',
  'c8',
  'nyc',
  'bundle exec',
  'pdm run',
  'pipenv run',
  'pnpm exec',
  'poetry run',
  'uv run',
]);

/** Programs that package managers install in a folder of the workspace. They are judged by their names. */
const installed =
  /(?:^|[\\/])(?:node_modules[\\/]\.bin|\.?venv[\\/](?:bin|scripts)|vendor[\\/]bin)[\\/][^\\/]+$/i;

/** Options of interpreters that contain no code and load no code except the tests. */
const interpreters: ReadonlyMap<string, RegExp> = new Map(
  Object.entries({
    bash: /^-[eux]+$/,
    julia: /^--project(?:=[\w./@-]+)?$/,
    lua: /^-[vW]$/,
    node: /^--(?:enable-source-maps|experimental-(?:strip-types|test-coverage|test-module-mocks|transform-types)|expose-gc|no-warnings|disable-warning=\w+|max-old-space-size=\d+|test(?:-(?:concurrency|only|name-pattern|reporter|timeout|update-snapshots)(?:=[\w. -]+)?)?|trace-(?:deprecation|uncaught|warnings)|unhandled-rejections=\w+)$/,
    perl: /^-[wcT]+$/,
    php: /^-l$/,
    python: /^(?:-[BEIObsuv]+|-X(?:dev|utf8|faulthandler)|-W(?:error|ignore|default))$/,
    rscript: /^--vanilla$/,
    ruby: /^-(?:[wcv]|W\d)$/,
    sh: /^-[eux]+$/,
    'ts-node': /^(?:-T|--esm|--transpile-only)$/,
    tsx: /^--no-warnings$/,
  }),
);
/** Python modules that build or test and are not also programs. */
const modules = new Set('build compileall doctest json.tool unittest venv'.split(' '));
const programModules = new Set(
  'black coverage flake8 isort mypy nox pip pylint pyright pytest ruff tox'.split(' '),
);

/** True if the exact words of a command may be allowed because it builds, checks, tests, or runs a workspace file. */
export function isRepeatableProgram(words: readonly string[], isThere: (path: string) => boolean): boolean {
  const [name = '', ...rest] = words;
  if (name.startsWith('-')) return false;
  const base = programName(name).replace(/^(?:py|python[\d.]+)$/, 'python');
  const options = interpreters.get(base);
  if (options !== undefined) return runsFile(base, options, rest, isThere);
  if (/[\\/]/.test(name) && !installed.test(name)) return true;
  if (programs.has(base)) return hasPlainWords(base, rest);
  const form = forms.get(base);
  if (form !== undefined) return rest.every((word) => form.test(word));
  if (runners.has(base)) return isRepeatableProgram(rest, isThere);
  const tasks = goals.get(base);
  if (tasks !== undefined) {
    return rest.every((word) => (word.startsWith('-') ? hasPlainWords(base, [word]) : tasks.has(word)));
  }
  const known = verbs.get(base);
  if (known === undefined) return false;
  const at = rest.findIndex(
    (word, index) => !/^[-+]/.test(word) && !optionsWithWord.has(rest[index - 1] ?? ''),
  );
  if (at < 0) return rest.every((word) => /^(?:-v|-V|--version)$/.test(word));
  const command = `${base} ${rest[at]!}`;
  const after = rest.slice(at + 1);
  if (runners.has(command)) {
    const inner = after[0] === '--' ? after.slice(1) : after;
    return hasPlainWords(base, rest.slice(0, at)) && isRepeatableProgram(inner, isThere);
  }
  if (/^yarn workspaces?$/.test(command)) return isRepeatableProgram([name, ...after.slice(1)], isThere);
  const isInner = innerVerbs.get(command)?.has(after[0] ?? '') !== false;
  if (!known.has(rest[at]!) || !isInner) return false;
  // The module is not in the workspace, so the program would download and run it.
  if (base === 'deno' && after.some((word) => /^\w+:/.test(word))) return false;
  if (command === 'go run') {
    const packageAt = rest.findIndex((word, index) => index > at && !word.startsWith('-'));
    return /^\.|\.go$/.test(rest[packageAt] ?? '') && hasPlainWords(base, rest.slice(0, packageAt));
  }
  // The words after `--` belong to a program of the workspace.
  const endAt = /^cargo r(?:un)?$/.test(command) ? rest.indexOf('--') : -1;
  return hasPlainWords(base, endAt < 0 ? rest : rest.slice(0, endAt));
}

/** True for a script with its arguments, the tests of Node, or a permitted Python module. */
function runsFile(
  base: string,
  options: RegExp,
  words: readonly string[],
  isThere: (path: string) => boolean,
): boolean {
  const at = words.findIndex((word) => !options.test(word));
  const first = words[at];
  if (first === undefined) return base === 'node' && words.includes('--test');
  if (first === '--version' || first === '-V') return words.length === 1;
  if (base === 'python' && first === '-m') {
    const [name = '', ...rest] = words.slice(at + 1);
    if (programModules.has(name)) return isRepeatableProgram([name, ...rest], isThere);
    return modules.has(name) && hasPlainWords(name, rest);
  }
  return !first.startsWith('-') && (/[./\\]/.test(first) || isThere(first));
}
