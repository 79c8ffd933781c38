import { build, type Metafile } from 'esbuild';
import { beforeAll, describe, expect, it } from 'vitest';
import { nodeBundles } from '../../scripts/build-options.ts';

/** The code loaded on activation: the bundle and every chunk it imports statically. */
describe('activation', () => {
  let metafile: Metafile;
  beforeAll(async () => {
    ({ metafile } = await build({ ...nodeBundles({ isProduction: true }), write: false, metafile: true }));
  });

  function loadedBy(output: string): ReadonlySet<string> {
    const loaded = new Set<string>();
    const visit = (name: string): void => {
      if (loaded.has(name)) return;
      loaded.add(name);
      for (const { path, kind, external } of metafile.outputs[name]?.imports ?? []) {
        if (kind === 'import-statement' && external !== true) visit(path);
      }
    };
    visit(output);
    return loaded;
  }

  it('loads neither ranks nor openai, nor any model', () => {
    const outputs = loadedBy('dist/extension.js');
    const inputs = [...outputs].flatMap((name) => Object.keys(metafile.outputs[name]!.inputs));
    expect(
      inputs.filter((input) => /js-tiktoken|node_modules\/openai|openai-model|offline-model/.test(input)),
    ).toEqual([]);
    expect(inputs.some((input) => input === 'src/extension/extension.ts')).toBe(true);
  });

  // The strategies are in it, because settings are checked against their schemas as soon as there is a chat; the larger
  // part of their work is loaded with the first compaction that needs it.
  it('reads less than 310 kB', () => {
    const bytes = [...loadedBy('dist/extension.js')].reduce(
      (sum, name) => sum + metafile.outputs[name]!.bytes,
      0,
    );
    expect(bytes).toBeLessThan(310_000);
  });

  it('of the counting thread does not load ranks either, before it is asked to count', () => {
    const inputs = [...loadedBy('dist/counter-worker.js')].flatMap((name) =>
      Object.keys(metafile.outputs[name]!.inputs),
    );
    expect(inputs.filter((input) => input.includes('js-tiktoken'))).toEqual([]);
  });
});
