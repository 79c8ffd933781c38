/** Options with one meaning in all programs that build or test. None takes code, a program or a host. */
const ofAll = new Set(
  `-v -vv -vvv -V -q -qq -h --version --help --verbose --quiet --silent --debug --info --json --compact --color
  --colors --no-color --pretty --progress --no-progress --stacktrace --summary --no-summary --stat --stats
  --statistics --trace --loglevel --log-level --message-format --output-format --all --all-features --all-files
  --all-targets --bench --benches --bin --bins --branches --changed --doc --edition --example --examples --exclude
  --extension --ext --features --files --filter --ignore --ignore-path --ignore-pattern --ignore-unknown --include
  --lib --manifest-path --mode --name --no-default-features --only --package --pattern --profile --project
  --recursive --related --release --since --skip --staged --target --target-dir --tests --type --types --unit
  --workspace --workspaces --if-present --no-deps --no-restore --no-build --check --diff
  --dry-run --exit-zero --fix --unsafe-fixes --format --line-length --max-warnings --select --show-fixes
  --show-source --strict --write --list-different --list --cache --no-cache --bail --ci --concurrency --continue
  --coverage --coverage.enabled --no-coverage --cov --cov-report --cov-fail-under --collect-only --durations
  --exact --fail-fast --no-fail-fast --failed --force-exit --forceExit --forbid-only --forbidOnly
  --findRelatedTests --grep --group --headless --ignored --invert --isolate --no-isolate --jobs --keep-going
  --last-failed --lf --max-workers --maxWorkers --maxfail --no-capture --nocapture --no-header
  --no-run --no-file-parallelism --onlyChanged --only-changed --output-on-failure --parallel --pass-with-no-tests
  --passWithNoTests --reporter --reporters --rerun-tasks --retries --retry --run
  --runInBand --run-in-band --runTestsByPath --seed --shard --show-output --slow --sort --stepwise --tag --tags
  --tb --test --test-threads --testNamePattern --testPathPattern --testPathPatterns --testTimeout --timeout
  --update --update-snapshot --update-snapshots --updateSnapshot --watch --watchAll --workers --allowJs --build
  --clean --declaration --emitDeclarationOnly --incremental --listFiles --module --no-emit --noEmit --outDir
  --out-dir --outdir --showConfig --skipLibCheck --sourcemap --minify --tsconfig --dev --frozen --frozen-lockfile
  --no-frozen-lockfile --ignore-scripts --immutable --legacy-peer-deps --locked --no-audit --no-daemon --no-fund
  --no-optional --no-save --offline --omit --only-binary --prefer-offline --production --recurse --save --save-dev
  --save-exact --save-optional --upgrade --depth --long --outdated`.split(/\s+/),
);

const ofPackages = '-D -E -O -P -r -s -w -F -L -u';
const ofLinting = '-c -f --config';
const ofTesting = '-t -u -w -i -c --config';
const ofPip = '-r -c -e -U -y --requirement --constraint --editable --pre';
const ofRust = '-p -j -i -A -D -W -F --no-tests --open --allow-dirty --allow-staged';

/** Options for package scripts, whose programs are not known. */
const ofScripts = new Set(
  '-f -g -j -k -s -t -u -w --config --dir --environment --headed --spec --typecheck'.split(' '),
);

const packageManagers = new Set(['bun', 'npm', 'pnpm', 'yarn']);

/** Options of single programs, in addition to the common options. */
const ofOne: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries({
    basename: '-a -s',
    bats: '-r -t -j -T -p --tap --timing',
    bazel: '-c -k -j --config --test_output --test_filter --compilation_mode --keep_going',
    black: '-l -t -S --target-version',
    bun: '-D -E -d -t --cwd',
    build: '-n -s -w --no-isolation --sdist --wheel',
    bundle: '-j',
    cargo: ofRust,
    'clang-format': '-i -n -style --style --Werror',
    'clang-tidy': '-p --checks -checks',
    codespell: '-w -i -S -L',
    composer: '--no-dev --no-interaction --no-scripts -n -o --optimize-autoloader',
    coverage: '-m --show-missing -i --fail-under -o -d',
    cp: '-r -R -a -f -n -p -u --archive --force --no-clobber --parents',
    cypress: '-s --spec --headed --e2e --component',
    dart: '-n -r -j -o',
    deno: `-A -r -N -R -W -E --allow-all --allow-read --allow-write --allow-env --allow-net --no-check
      --unstable`,
    df: '-T -i -m -k',
    dotnet: `-c -f -r -o -m --configuration --framework --logger --no-incremental --runtime
      --nologo`,
    eslint: ofLinting,
    flake8: '--max-line-length --count --max-complexity --extend-ignore',
    flutter: '-r -j --plain-name --no-pub -d',
    free: '-m -g -k',
    go: `-a -bench -benchmem -benchtime -count -cover -covermode -coverpkg -coverprofile -cpu -d -failfast
      -fullpath -json -m -o -p -parallel -race -run -short -shuffle -skip -s -t -tags -timeout -trimpath
      -u -x -f -func -html -e -w -l`,
    gofmt: '-d -l -w -s -e',
    goimports: '-d -l -w -e -local',
    'golangci-lint':
      '-c -D -E -j --enable --disable --new --disable-all --no-config --out-format --build-tags',
    gotestsum: '-f --junitfile -race -run -count -short -timeout -cover -coverprofile -tags',
    gradle: '-i -s -x --console --warning-mode --build-cache --no-build-cache',
    id: '-u -g -n -G -un -gn',
    isort: '-c -l --check-only',
    jest: `${ofTesting} -b -o`,
    mdbook: '-d',
    meson: '-C --buildtype --reconfigure',
    mkdir: '-p',
    mocha: '-g -f -b -w -t -R -j -p --exit --spec --full-trace',
    mvn: `-B -DskipTests -Dtest -DskipITs -DfailIfNoTests -Dmaven.test.skip -U -X -e -o -am -amd -pl -ntp -T
      -fae -ff --batch-mode --no-transfer-progress --also-make --projects`,
    mypy: '-p -m --ignore-missing-imports --no-incremental --show-error-codes',
    mv: '-f -n --force --no-clobber',
    next: '-d --turbo --turbopack',
    ng: '--configuration -c --browsers --code-coverage --no-watch --prod',
    ninja: '-C -j -k -n',
    nox: '-s -e -r -R -l -k --session --sessions -p --python',
    npm: `${ofPackages} -C --prefix`,
    nx: '-t -c --targets --projects --configuration --base --head',
    pdflatex: '-interaction -halt-on-error -file-line-error -output-directory -synctex -draftmode',
    pdm: '-d -G --prod --no-self -L',
    phpstan: '-c -l --level --memory-limit --configuration --error-format',
    phpunit: '-c --configuration --testdox --testsuite --stop-on-failure',
    pip: ofPip,
    pip3: ofPip,
    playwright: '-c -g -j -u -x --config --headed --max-failures --grep-invert',
    pnpm: `${ofPackages} -C --dir`,
    poetry: '-G -n --with --without --no-root --no-interaction --sync -E --extras --all-extras --tree',
    'pre-commit': '-a --hook-stage --from-ref --to-ref --show-diff-on-failure',
    prettier: `-c -l -u -w --config --end-of-line --single-quote --print-width
      --tab-width`,
    pylint: '-j -d -e -f -r --disable --enable --errors-only --fail-under --rcfile --score',
    pyright: '-p --level --outputjson --pythonversion --warnings',
    pytest: `-k -m -x -s -l -n -r -rA -rs -rf -ra --co --deselect --ff --no-cov --nf --sw --cov-branch
      --cov-config --cov-append --disable-warnings --junitxml --setup-show --showlocals
      --strict-markers --asyncio-mode --dist --numprocesses --exitfirst --failed-first
      --snapshot-update --capture`,
    rollup: '-c -w -i -o -d -f --config --input --file --dir',
    rspec: '-f -b -t -P --only-failures --next-failure --order --backtrace',
    rubocop: '-a -A -D -f -l -L --autocorrect --autocorrect-all --except --lint',
    ruff: '-s -w --config --extend-select --preview --output-file --target-version --isolated',
    rustfmt: '--emit --config-path -l',
    shellcheck: '-x -s -S -e -f --severity --shell',
    shfmt: '-d -w -l -i -ci -s -bn -sr',
    stack: '--fast --pedantic --ta -j',
    stylelint: `${ofLinting} `,
    swift: '-c -j --configuration --enable-code-coverage --package-path --skip-build',
    touch: '-c -a -m',
    tsc: `-p -b -w -d --jsx --force
        --dry`,
    tsup: '--dts --config --treeshake',
    turbo: '-F --force --affected --output-logs --dry',
    unittest: '-b -c -f -k -p -s -t --failfast --buffer',
    uname: '-a -s -r -m -n -o -p',
    uv: `-r -U -e --all-groups --all-extras --extra --no-dev --only-group --no-sync
      --resolution`,
    vite: '-c -m -l --config --logLevel',
    vitest: `${ofTesting} --dir --environment --pool --typecheck --coverage.provider
      --coverage.reporter --no-threads --no-watch`,
    'vue-tsc': '-p -b',
    webpack: '-c --config -w --env',
    xcodebuild:
      '-list -scheme -project -workspace -configuration -sdk -destination -quiet -target -showBuildSettings',
    yamllint: '-c -s -f',
    yarn: `${ofPackages} --cwd -T -A -pv -p -i -W --top-level
      --topological`,
    zig: '-O -target -Doptimize -Dtarget -Dtest-filter',
  }).map(([program, names]) => [program, new Set(names.split(/\s+/))]),
);

/** Words that are paths, patterns or lists, but neither code nor a variable. */
const plainWord = /^(?:(?![A-Z_]+=(?!=))[\p{L}\p{N}_./@^~(#*[:][\p{L}\p{N}\w ./@:,+%^~*?#&|()[\]=-]*)?$/u;

/** True if the arguments of a program that builds, checks or tests name no code, no other program and no host. */
export function hasPlainWords(program: string, words: readonly string[]): boolean {
  const own = ofOne.get(program);
  // One-letter options can be combined unless longer options have one dash, too, such as `go test -race`.
  const hasLetters = !Array.from(own ?? []).some((name) => /^-\w{4}/.test(name));
  const scriptAt = packageManagers.has(program) ? words.indexOf('--') : -1;
  return words.every((word, index) => {
    const others = scriptAt >= 0 && index > scriptAt ? ofScripts : own;
    const isKnown = (name: string) => ofAll.has(name) || others?.has(name) === true;
    if (word.startsWith('+')) return /^\+[\w.-]+$/.test(word);
    if (!word.startsWith('-')) return plainWord.test(word);
    if (word === '--' || isKnown(word)) return true;
    const equals = word.indexOf('=');
    if (equals > 0) return isKnown(word.slice(0, equals)) && plainWord.test(word.slice(equals + 1));
    if (/^-[A-Za-z]\d+$/.test(word)) return isKnown(word.slice(0, 2));
    const letters = Array.from(word.slice(1));
    return hasLetters && /^-[A-Za-z]{2,4}$/.test(word) && letters.every((letter) => isKnown(`-${letter}`));
  });
}
