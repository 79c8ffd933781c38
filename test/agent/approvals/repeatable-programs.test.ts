import { describe, expect, it } from 'vitest';
import { isRepeatableProgram } from '../../../src/agent/approvals/repeatable-programs.ts';

const isRepeatable = (line: string) =>
  isRepeatableProgram(line === '' ? [] : line.split(' '), (path) => path === 'artisan');

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
});
