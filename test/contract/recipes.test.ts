import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recipes } from './recipes/recipes.ts';
import { ScratchTree } from './recipes/scratch-tree.ts';

const document = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8');

/** The paths that a recipe of docs/architecture.md names, in its steps. */
function pathsIn(title: string): readonly string[] {
  const [, section = ''] = document.split(`\n### ${title}\n`);
  const steps = section.split(/\n##+ /u)[0]!.match(/^\d+\. .*$/gmu) ?? [];
  return steps.flatMap((step) => /`((?:src|webview|test)\/[^`]+\.ts)`/u.exec(step)?.[1] ?? []);
}

describe('the recipes of docs/architecture.md', () => {
  it.each(recipes)('$title names the files of its sample, in their order', ({ title, name, edits }) => {
    const paths = pathsIn(title).map((path) => path.replace('<name>', name));
    expect(paths).toEqual(Object.keys(edits));
  });

  describe('followed with a sample each, in a copy of the project', () => {
    let tree: ScratchTree;
    beforeAll(async () => {
      tree = await ScratchTree.create();
      for (const recipe of recipes) await tree.apply(recipe);
      const manifest = await tree.run('scripts/manifest.ts');
      expect(manifest.code, manifest.output).toBe(0);
    });
    afterAll(() => tree[Symbol.asyncDispose]());

    it('pass the check of types', async () => {
      expect(await tree.run('tsc', '--project', 'tsconfig.recipes.json')).toEqual({ code: 0, output: '' });
    });

    it('pass the tests that hold everything of their kind to its rules', async () => {
      const tests = new Set(recipes.flatMap((recipe) => recipe.tests));
      const { code, output } = await tree.run('vitest', 'run', '--project=unit', ...tests);
      expect(code, output).toBe(0);
      for (const test of tests) expect(output).toContain(test);
    });

    it('holds the strategy to the contract', async () => {
      const named = '--testNamePattern=the contract of newest-turn';
      const { code, output } = await tree.run(
        'vitest',
        'run',
        '--project=contract',
        named,
        'test/contract/strategies.test.ts',
      );
      expect(code, output).toBe(0);
      expect(output).toContain('3 passed');
    });
  });
});
