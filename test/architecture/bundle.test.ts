import { basename } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import {
  activationBundle,
  hookBundle,
  nodeBundles,
  strategyBundle,
  webviewBundles,
} from '../../scripts/build/build-options.ts';
import { bundleSizes, loadedBy, mostOf } from '../../scripts/build/bundle-sizes.ts';

describe('the activation', () => {
  it('loads one file with registrations, and no service, strategy, model or package', async () => {
    const { metafile } = await build({
      ...activationBundle({ isProduction: true }),
      write: false,
      metafile: true,
    });
    expect(Object.keys(metafile.outputs)).toEqual(['dist/extension.cjs']);
    const inputs = Object.keys(metafile.inputs);
    expect(inputs.filter((input) => /node_modules|strategies\/|services|model/.test(input))).toEqual([]);
    expect(inputs).toContain('src/extension/extension.ts');
  });

  it("of the engine's thread loads no ranks of the tokeniser before the first count", async () => {
    const { metafile } = await build({
      ...nodeBundles({ isProduction: true }),
      write: false,
      metafile: true,
    });
    const inputs = [...loadedBy('dist/engine-worker.js', metafile)].flatMap((name) =>
      Object.keys(metafile.outputs[name]!.inputs),
    );
    expect(inputs.filter((input) => input.includes('js-tiktoken'))).toEqual([]);
  });
});

/** Agents wait for each call of a hook, and opening a file takes longer than reading it. */
describe('a hook', () => {
  it('loads two files, a third only to read a session, and less than 233 kB in all', async () => {
    const { metafile } = await build({ ...hookBundle({ isProduction: true }), write: false, metafile: true });
    const outputs = Object.values(metafile.outputs);
    expect(outputs).toHaveLength(3);
    expect(outputs.reduce((sum, { bytes }) => sum + bytes, 0)).toBeLessThan(233_000);
    const inputs = Object.keys(metafile.inputs);
    expect(inputs.filter((input) => /js-tiktoken|token-counter|modelcontextprotocol/.test(input))).toEqual(
      [],
    );
  });
});

/** Pages in English do not load Chinese texts. */
describe('the pages', () => {
  it('have their Chinese texts in a separate script', async () => {
    const { outputFiles } = await build({ ...webviewBundles({ isProduction: true }), write: false });
    const chinese = outputFiles.filter(({ text }) => /\p{Unified_Ideograph}/u.test(text));
    expect(chinese.map(({ path }) => basename(path))).toEqual(['chinese-texts.js']);
  });
});

describe('the bundles', () => {
  it('stay within the limits of their size and number', async () => {
    const sizes = await bundleSizes();
    const names = Object.keys(mostOf) as (keyof typeof mostOf)[];
    const larger = names.filter((name) => !(sizes[name] <= mostOf[name]));
    expect(larger.map((name) => [name, sizes[name]])).toEqual([]);
  });

  it('are in the folder in which they look for their programs and the manifest', async () => {
    const built = await Promise.all(
      [activationBundle, nodeBundles, hookBundle, strategyBundle].map((bundle) =>
        build({ ...bundle({ isProduction: true }), write: false, metafile: true }),
      ),
    );
    const scripts = built.flatMap(({ metafile }) => Object.keys(metafile.outputs));
    expect(scripts.filter((name) => !/^dist\/[^/]+\.(?:c?js|merges)$/.test(name))).toEqual([]);
    expect(scripts).toEqual(expect.arrayContaining(['dist/engine-worker.js', 'dist/strategy-worker.js']));
  });

  it('load no module of the editor in programs outside the editor', async () => {
    const { metafile } = await build({
      ...nodeBundles({ isProduction: true }),
      write: false,
      metafile: true,
    });
    const seen = new Set<string>();
    const needsEditor = (name: string): boolean => {
      if (seen.has(name)) return false;
      seen.add(name);
      return (metafile.outputs[name]?.imports ?? []).some(({ path, external }) =>
        external === true ? path === 'vscode' : needsEditor(path),
      );
    };
    const entries = ['dist/cli.js', 'dist/engine-worker.js'];
    expect(Object.keys(metafile.outputs)).toEqual(expect.arrayContaining(entries));
    for (const entry of entries) expect(needsEditor(entry), entry).toBe(false);
  });
});
