import { describe, expect, it } from 'vitest';
import { checkKindOf, coversCheck, coversRun, sameRun } from '../../../src/compaction/ledger/checks.ts';

const words = (line: string) => line.split(' ');

describe('the kind of a check', () => {
  it.each([
    ['go test ./...', 'test'],
    ['npm test', 'test'],
    ['npm run test:unit', 'test'],
    ['pnpm --filter app build', 'build'],
    ['yarn lint', 'lint'],
    ['yarn workspace app run build', 'build'],
    ['npx tsc --noEmit', 'typecheck'],
    ['tsc -p .', 'build'],
    ['python -m pytest', 'test'],
    ['python manage.py test', 'test'],
    ['cargo clippy', 'lint'],
    ['make', 'build'],
    ['make test-ci', 'test'],
    ['mise run lint', 'lint'],
    ['./gradlew :app:test', 'test'],
    ['prettier --check .', 'format'],
    ['npm run check', 'check'],
  ])('is found for %s: %s', (line, kind) => {
    expect(checkKindOf(words(line))).toBe(kind);
  });

  it.each([
    'npm install',
    'go run .',
    'python test.py',
    'make clean',
    'cat test',
    'eslint --version',
    'npm run start',
    'constructor',
  ])('is undefined for %s', (line) => {
    expect(checkKindOf(words(line))).toBeUndefined();
  });
});

describe('a comparison of two runs', () => {
  const run = (line: string, folder?: string) => ({ key: sameRun(words(line)), folder });

  it('ignores options and the folder if program, subcommand and targets are the same', () => {
    expect(sameRun(words('npx vitest run ./a.test.ts --reporter=dot'))).toBe(
      sameRun(words('vitest run a.test.ts')),
    );
    expect(coversRun(run('npm test', '/srv/app'), run('npm test'))).toBe(true);
  });

  it('distinguishes other targets and another folder', () => {
    expect(coversRun(run('go test ./a'), run('go test ./b'))).toBe(false);
    expect(coversRun(run('go test -run A ./a'), run('go test ./a'))).toBe(false);
    expect(coversRun(run('npm test', 'packages/a'), run('npm test', 'packages/b'))).toBe(false);
  });

  it('lets a run of everything cover a run of a part', () => {
    expect(coversRun(run('go test ./...'), run('go test ./a'))).toBe(true);
    expect(coversRun(run('go test ./a'), run('go test ./...'))).toBe(false);
  });

  it('lets a check without targets cover a check of any target', () => {
    const check = (line: string) => ({ ...run(line), kind: 'test' as const });
    expect(coversCheck(check('npm test'), check('npm test -- a.test.ts'))).toBe(true);
    expect(coversCheck(check('npm test -- b.test.ts'), check('npm test -- a.test.ts'))).toBe(false);
  });
});
