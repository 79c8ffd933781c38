import { describe, expect, it } from 'vitest';
import { errorsIn, exitStatusIn } from '../../../src/compaction/ledger/result-facts.ts';

describe('errorsIn', () => {
  it('finds a limited number of errors, at both ends of a long output', () => {
    const output = `${'line\n'.repeat(20_000)}src/x.ts(3,1): error: no\n`;
    expect(errorsIn(output)).toEqual(['src/x.ts(3,1): error: no']);
    const many = Array.from({ length: 20 }, (_, index) => `fatal: ${index}`).join('\n');
    expect(errorsIn(many)).toHaveLength(12);
  });

  it.each([
    'src/shop.ts(3,5): error TS2345: Argument of type string',
    'src/shop.ts:3:5 - error TS2345: Argument of type string',
    'error[E0308]: mismatched types',
    './main.go:12:2: undefined: price',
    'shop.c:3:5: fatal error: price.h: No such file or directory',
    'shop.py:3: error: Incompatible types in assignment',
    '  3:5  error  Unexpected any  no-explicit-any',
    'TypeError: price is undefined',
    'shop.errors.PriceError: none given',
    'AssertionError',
    'Error [ERR_MODULE_NOT_FOUND]: Cannot find package',
    'Uncaught RangeError: too many prices',
    'Caused by: java.io.IOException: closed',
    '    AssertionError: expected 3 to be 4',
    'E       assert 3 == 4',
    'Error: unknown flag: --price',
    'error: unknown flag: --price',
    'git: fatal: not a repository',
    'The build stopped because of an error: no price',
    'fatal: not a repository',
    'panic: price is nil',
    '[shop] ERROR no price',
    '2024-05-13T10:00:00.123Z ERROR no price',
    "ENOENT: no such file or directory, open 'price'",
    'npm ERR! code ELIFECYCLE',
    'npm error Lifecycle script failed',
    'ERR_PNPM_NO_MATCHING_VERSION  No matching version',
    'sh: line 46: shop: command not found',
    'ls: cannot access price: No such file or directory',
    'Traceback (most recent call last):',
    "thread 'main' panicked at src/main.rs:3:5:",
    'make: *** [shop] Error 2',
    'CONFLICT (content): Merge conflict in shop.ts',
    'FAILED tests/test_price.py::test_none - AssertionError',
    'test shop::price ... FAILED',
    '--- FAIL: TestPrice (0.00s)',
    ' FAIL  test/price.test.ts > has one',
    'not ok 3 - has a price',
    '✗ has a price',
  ])('takes a reported error: %s', (line) => {
    expect(errorsIn(`before\n${line}\nafter`)).toEqual([line.trim().replaceAll(/\s+/g, ' ')]);
  });

  it.each([
    'class PriceError extends Error {',
    ' * @throws PriceError where there is none',
    'Error: (none)',
    "throw new Error('no price');",
    "  throw new PriceError('none');",
    '} catch (error: unknown) {',
    '  error: string;',
    "  error: 'no price',",
    '  readonly PriceError: typeof PriceError;',
    'raise ValueError("no price")',
    'except ValueError:',
    '        ValueError: If there is no price.',
    '// error: no price',
    '# Error: no price',
    '    fmt.Fprintf(os.Stderr, "error: %v", err)',
    '+  t.Fatalf("unexpected error: %v", err)',
    '12→ERROR: what a listing shows',
    '   12  TypeError: what a listing shows',
    'src/price.ts:12:throw new Error(message)',
    'src/price.ts-12-Error: what a search shows',
    'const FAILED = 1',
    'EXTREMELY helpful',
    'RELEASE_ERRORS.md',
    'handles errors gracefully',
    'shop.c:3:5: warning: unused price',
    'npm error path /shop',
  ])('ignores text about errors: %s', (line) => {
    expect(errorsIn(line)).toEqual([]);
  });

  it('joins an error heading with the line below it', () => {
    expect(errorsIn('ERROR:\nNo replacement was made.\nok')).toEqual(['ERROR: No replacement was made.']);
  });
});

describe('exitStatusIn', () => {
  it('ignores a status in the middle of a long output', () => {
    expect(exitStatusIn(`${'x\n'.repeat(1_000)}exit code 3\n${'x\n'.repeat(1_000)}`)).toBeUndefined();
  });
});
