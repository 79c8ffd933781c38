import { readFile } from 'node:fs/promises';
import type { Plugin } from 'esbuild';
import { type MergeFile, type RankFile, Vocabulary } from '../../src/compaction/tokens/vocabulary.ts';

const digits = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';

const ranks = /[\\/]js-tiktoken[\\/]dist[\\/]ranks[\\/]\w+\.js$/;

/**
 * Writes js-tiktoken's ranks into bundles as merges: each token as two shorter tokens, instead of its bytes in
 * base64. Merges take half of the space and are read in a third of the time.
 */
export const ranksAsMerges: Plugin = {
  name: 'ranks-as-merges',
  setup(build) {
    build.onLoad({ filter: ranks }, async ({ path }) => ({
      contents: `export default ${JSON.stringify(await mergesIn(path))};`,
    }));
  },
};

/**
 * Writes the merges into files next to the bundles, for programs that run in Node. They read such a file when its
 * vocabulary is needed, and neither decode nor compile it.
 */
export const mergesBeside: Plugin = {
  name: 'merges-beside',
  setup(build) {
    build.onLoad({ filter: ranks }, async ({ path }) => {
      const { merges: _merges, ...rest } = await mergesIn(path);
      return {
        contents: `
          import { readFileSync } from 'node:fs';
          import file from ${JSON.stringify(path.replace(/\.js$/, '.merges'))};
          export default {
            ...${JSON.stringify(rest)},
            get merges() { return readFileSync(new URL(file, import.meta.url)); },
          };`,
      };
    });
    build.onResolve({ filter: /\.merges$/ }, ({ path }) => ({ path }));
    build.onLoad({ filter: /\.merges$/ }, async ({ path }) => ({
      contents: (await mergesIn(path.replace(/\.merges$/, '.js'))).merges,
      loader: 'file',
    }));
  },
};

/** Path of a module → its merges, so that a rebuild need not compute them again. */
const known = new Map<string, Promise<MergeFile>>();

function mergesIn(path: string): Promise<MergeFile> {
  const merges = known.get(path) ?? readFile(path, 'utf8').then((text) => mergesOf(rankFileIn(text)));
  known.set(path, merges);
  return merges;
}

/** The object that a module of ranks exports. */
function rankFileIn(text: string): RankFile {
  return JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1)) as RankFile;
}

/** @throws if a token of several bytes does not consist of two tokens with lower ranks */
export function mergesOf(file: RankFile): MergeFile {
  const tokens = file.bpe_ranks
    .split('\n')
    .flatMap((line) => line.split(' ').slice(2))
    .map((token) => Buffer.from(token, 'base64').toString('latin1'));
  const { pairs, splitPoints } = new Vocabulary(file);
  const bytes = tokens.filter((token) => token.length === 1);
  const planes: string[][] = Array.from({ length: 6 }, () => []);
  for (let token = bytes.length; token < tokens.length; token++) {
    pairs.halvesOf(token).forEach((rank, half) => {
      for (let plane = 0; plane < 3; plane++) {
        planes[3 * half + plane]!.push(digits[(rank >> (6 * plane)) & 63]!);
      }
    });
  }
  return {
    pat_str: file.pat_str,
    size: tokens.join('').length,
    bytes: Buffer.from(bytes.join(''), 'latin1').toString('hex'),
    merges: planes.flat().join(''),
    splits: splitPoints.written,
  };
}
