import { describe, expect, it } from 'vitest';
import { isRepeatableProgram } from '../../../src/agent/approvals/repeatable-programs.ts';

const isRepeatable = (line: string) =>
  isRepeatableProgram(line === '' ? [] : line.split(' '), (path) => path === 'artisan');

describe('isRepeatableProgram', () => {
  it.each([
    ['a test runner', 'pytest -q'],
    ['a command of a package manager', 'npm run lint'],
    ['one after options', 'pnpm --filter web test'],
    ['goals, each of which builds', 'mvn -q clean verify'],
    ['a known program that another one runs', 'poetry run pytest'],
    ['and behind two dashes', 'mise exec -- go test'],
    ['a script', 'node scripts/build.mjs'],
    ['a script without an ending that is there', 'php artisan test'],
    ['a module of Python that tests', '.venv/bin/python -m pytest'],
    ['a file of the workspace', './gradlew anything'],
    ['a command for a part of the project', 'yarn workspace web build'],
    ['a program of the workspace', 'go run ./cmd/x --fast'],
    ['one of Rust', 'cargo run --bin x -- --fast'],
    ['a compiler', 'gcc -O2 -o a a.c'],
  ])('accepts %s: %s', (_what, line) => {
    expect(isRepeatable(line)).toBe(true);
  });

  it.each([
    ['nothing', ''],
    ['an unknown program', 'frobnicate'],
    ['a name that every object has', 'constructor'],
    ['a command that publishes', 'npm publish'],
    ['a goal that publishes after one that builds', 'mvn clean deploy'],
    ['an unknown program that a known one runs', 'poetry run sh'],
    ['a runner with nothing to run', 'poetry run'],
    ['code', 'node -e 1'],
    ['code behind a known option', 'python -Bc 1'],
    ['an interpreter that reads what it runs', 'python -'],
    ['an interpreter alone', 'node'],
    ['a script that is not there', 'php other'],
    ['a module of Python that serves', 'python -m http.server'],
    ['code for a program that builds', 'make --eval=x'],
    ['a program around a compiler', 'gcc -wrapper sh a.c'],
  ])('rejects %s: %s', (_what, line) => {
    expect(isRepeatable(line)).toBe(false);
  });
});
