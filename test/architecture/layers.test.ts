import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, it } from 'vitest';
import { isOfPackage, measureHouse } from '../../scripts/house/report.ts';
import { layerOf, layers, readSources, type SourceFile } from '../../scripts/house/source-tree.ts';
import { projectFolder } from '../../scripts/project.ts';

const files = readSources();
const folders = Object.keys(layers);

const importersOf = (isMeant: (specifier: string) => boolean): readonly SourceFile[] =>
  files.filter(({ imports }) => imports.some(({ specifier }) => isMeant(specifier)));

describe('the layers', () => {
  it('import only what layers.json allows', () => {
    const strays = files.flatMap(({ path, imports }) => {
      const layer = layerOf(path)!;
      const allowed = layers[layer]!;
      return imports
        .filter(({ specifier, target }) =>
          target === undefined
            ? !allowed.packages.some((name) => isOfPackage(specifier, name))
            : ![layer, ...allowed.layers].includes(layerOf(target) ?? 'outside'),
        )
        .map(({ specifier }) => `${path} imports ${specifier}`);
    });
    expect(strays).toEqual([]);
  });

  it('have no import cycles, not even of types', () => {
    expect(measureHouse(files, []).fileKnots).toEqual([]);
  });

  it('import vscode only in the extension', () => {
    const importers = importersOf((specifier) => specifier === 'vscode').map(({ path }) => path);
    expect(importers).not.toEqual([]);
    expect(importers.filter((path) => layerOf(path) !== 'src/extension')).toEqual([]);
  });

  it('import the webview toolkit only once', () => {
    expect(importersOf((specifier) => specifier.includes('webview-ui-toolkit'))).toHaveLength(1);
  });

  it('load the ranks of the counter and the openai client only when they are needed', () => {
    const eager = files.flatMap(({ path, text }) => {
      const statics = [...text.matchAll(/^import (?!type\b)[^;]*?from '([^']+)'/gm)].map(
        (match) => match[1]!,
      );
      return statics
        .filter((name) => /^(openai|js-tiktoken)/.test(name))
        .map((name) => `${path} imports ${name}`);
    });
    expect(eager).toEqual([]);
  });

  it('each have a tsconfig that refers to exactly the layers it may import', () => {
    for (const folder of folders) {
      const config = JSON.parse(readFileSync(join(projectFolder, folder, 'tsconfig.json'), 'utf8')) as {
        readonly references?: readonly { readonly path: string }[];
      };
      const referred = (config.references ?? []).map(({ path }) =>
        relative(projectFolder, join(projectFolder, folder, path)),
      );
      expect(referred.sort(), folder).toEqual([...layers[folder]!.layers].sort());
    }
  });

  it('are allowed no import that they do not use', () => {
    expect(measureHouse(files, []).unusedGrants).toEqual([]);
  });

  it('have no file of more than 400 lines', () => {
    const { long } = measureHouse(files, []);
    const list = long.map(({ path, lines }) => `${path} (${lines})`);
    if (list.length > 0) {
      console.warn(`Over 250 lines. Is each of these one concept?\n  ${list.join('\n  ')}`);
    }
    expect(long.filter(({ lines }) => lines > 400).map(({ path }) => path)).toEqual([]);
  });
});
