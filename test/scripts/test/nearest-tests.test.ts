import { describe, expect, it } from 'vitest';
import { nearestTests, type NearestTests } from '../../../scripts/test/nearest-tests.ts';

const imports = new Map([
  ['src/a/base.ts', []],
  ['src/a/middle.ts', ['src/a/base.ts']],
  ['src/b/top.ts', ['src/a/middle.ts', 'src/a/base.ts']],
  ['src/b/circle.ts', ['src/b/top.ts', 'src/b/circle.ts']],
  ['test/b/top.test.ts', ['src/b/top.ts']],
  ['test/b/circle.test.ts', ['src/b/circle.ts']],
  ['test/a/middle.test.ts', ['src/a/middle.ts']],
  ['test/a/other.test.ts', ['src/a/other.ts']],
  ['test/b/near.test.ts', ['src/a/base.ts']],
  ['test/webview/shared/page.test.ts', ['src/a/base.ts']],
]);

function nearest(changed: readonly string[], limit = 10): NearestTests {
  return nearestTests(imports, changed, (path) => /^test\/[ab]\/.*\.test\.ts$/u.test(path), limit);
}

describe('nearestTests', () => {
  it('finds every test that imports a changed file, the nearest first', () => {
    expect(nearest(['src/b/top.ts']).chosen).toEqual(['test/b/top.test.ts', 'test/b/circle.test.ts']);
    expect(nearest(['src/a/middle.ts']).chosen).toEqual([
      'test/a/middle.test.ts',
      'test/b/top.test.ts',
      'test/b/circle.test.ts',
    ]);
  });

  it('puts tests of the mirrored folder first even if others are nearer', () => {
    expect(nearest(['src/a/base.ts'], 1).chosen).toEqual(['test/a/middle.test.ts']);
  });

  it('names the tests that exceed the limit', () => {
    expect(nearest(['src/a/base.ts'], 1).leftOut).toEqual([
      'test/b/near.test.ts',
      'test/b/top.test.ts',
      'test/b/circle.test.ts',
    ]);
  });

  it('chooses a test when the test itself has changed', () => {
    expect(nearest(['test/a/other.test.ts']).chosen).toEqual(['test/a/other.test.ts']);
  });

  it('chooses nothing when no test reaches the change', () => {
    expect(nearest(['README.md', 'src/b/gone.ts'])).toEqual({ chosen: [], leftOut: [] });
  });
});
