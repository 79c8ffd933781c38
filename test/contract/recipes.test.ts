import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { recipes } from './recipes/recipes.ts';
import { ScratchTree } from './recipes/scratch-tree.ts';
import { ScratchTypes, type Changes } from './recipes/scratch-types.ts';
import { soak } from '../support/soak.ts';

const document = readFileSync(new URL('../../docs/architecture.md', import.meta.url), 'utf8');

/** The paths that a recipe of docs/architecture.md names, in its steps. */
function pathsIn(title: string): readonly string[] {
  const [, section = ''] = document.split(`\n### ${title}\n`);
  const steps = section.split(/\n##+ /u)[0]!.match(/^\d+\. .*$/gmu) ?? [];
  return steps.flatMap((step) => /`((?:src|webview|test|docs)\/[^`]+\.(?:ts|md))`/u.exec(step)?.[1] ?? []);
}

/** Modules that use what the recipes add. */
const uses: Changes = Object.fromEntries(
  recipes.flatMap(({ use }, index) => (use === undefined ? [] : [[`src/use-${index}.ts`, use]])),
);

/**
 * Steps that types do not report, each with the test that does, by its file or its title. Steps of one kind
 * are left out together. No test reports a missing test.
 */
const missedByTests: readonly Readonly<Record<string, string>>[] = [
  {
    'src/transcripts/import-transcript.ts': 'test/transcripts/import-transcript.test.ts',
    'src/transcripts/found-agents.ts': 'test/transcripts/formats/plain/plain-format.test.ts > is metered',
    'src/agent/tools/catalogue.ts': 'test/agent/tools/catalogue.test.ts',
    'src/cli/cli.ts': 'test/cli/lines.test.ts > prints',
  },
  {
    'docs/cli.md': 'test/architecture/documents.test.ts > the documents > describe every command',
    'docs/agent.md': 'test/architecture/documents.test.ts > the documents > list every tool',
    'docs/strategies.md': 'test/architecture/documents.test.ts > links on the pages',
  },
  {
    'test/support/format-samples.ts': 'test/transcripts/malformed-files.test.ts',
    'test/transcripts/import-transcript.test.ts': 'test/transcripts/import-transcript.test.ts',
    'test/agent/tools/catalogue.test.ts': 'test/agent/tools/catalogue.test.ts',
  },
];
const missedByNothing = [
  'test/agent/tools/line-count.test.ts',
  'test/transcripts/formats/plain/plain-format.test.ts',
  'test/cli/lines.test.ts',
];

/** Steps that types report, with the files of their recipe. */
const missedByTypes = recipes.flatMap(({ title, edits }) => {
  const paths = Object.keys(edits);
  const others = new Set([...missedByTests.flatMap((round) => Object.keys(round)), ...missedByNothing]);
  return paths.filter((path) => !others.has(path)).map((path) => ({ title, path, paths }));
});

describe('the recipes of docs/architecture.md', () => {
  it.each(recipes)('name the files of their samples, in order: $title', ({ title, name, edits }) => {
    const paths = pathsIn(title).map((path) => path.replaceAll('<name>', name));
    expect(paths).toEqual(Object.keys(edits));
  });

  describe('with one sample each in a copy of the project', () => {
    let tree: ScratchTree;
    let types: ScratchTypes;
    beforeAll(async () => {
      tree = await ScratchTree.create();
      for (const recipe of recipes) await tree.apply(recipe);
      const manifest = await tree.run('scripts/manifest.ts');
      expect(manifest.code, manifest.output).toBe(0);
      types = new ScratchTypes(tree.folder, 'tsconfig.recipes.json');
    });
    afterAll(() => tree[Symbol.asyncDispose]());

    it('yield code without type errors', () => {
      expect(types.errors(uses)).toEqual([]);
    });

    it.each(missedByTypes)(
      'cause a type error if a step is missing: $title, $path',
      async ({ path, paths }) => {
        const without = { ...uses, [path]: await tree.textWithout(path) };
        expect(types.errors(without, [...paths, ...Object.keys(uses)])).not.toEqual([]);
      },
    );

    it.each(soak(missedByTests.slice(0, 2), missedByTests))(
      'fail a test if a step is missing that the compiler does not report: %o',
      async (round) => {
        const tests = Object.values(round);
        const files = tests.map((test) => test.split(' > ')[0]!);
        const { output } = await tree.without(Object.keys(round), () =>
          tree.run('vitest', 'run', '--project=unit', ...files),
        );
        const failed = output.split('\n').filter((line) => line.includes(' FAIL '));
        for (const test of tests) expect(failed, output).toContainEqual(expect.stringContaining(test));
      },
    );

    it('pass the tests that apply to all additions of their kind', async () => {
      const tests = new Set(recipes.flatMap((recipe) => recipe.tests));
      const { code, output } = await tree.run('vitest', 'run', '--project=unit', ...tests);
      expect(code, output).toBe(0);
      for (const test of tests) expect(output).toContain(test);
    });

    it('produce a strategy that fulfils the contract', async () => {
      const named = '--testNamePattern=the strategy newest-turn';
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
