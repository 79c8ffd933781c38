import { bundleSizes, mostOf } from '../../build/bundle-sizes.ts';
import { packageSizes } from '../../build/package-sizes.ts';
import type { BenchPart, Measure } from '../part.ts';

/** Measures the production bundles, and the package if `npm run package` has made it. */
export const part: BenchPart = {
  title: 'Size',
  async measure() {
    const { activation, window, node, packages, chat, inspector, files } = await bundleSizes();
    const measures: Measure[] = [
      {
        name: 'loaded on activation',
        value: activation,
        unit: 'bytes',
        target: { atMost: mostOf.activation },
      },
      { name: 'loaded after it, in every window', value: window, unit: 'bytes' },
      {
        name: 'extension without vocabularies',
        value: node,
        unit: 'bytes',
        target: { atMost: 600_000 },
        note: 'everything that runs in Node, with the command line, the MCP server and the hooks of other agents, whose part is there twice so that they start fast. The rest is our own code: two fifths names, a fifth sentences and other strings.',
      },
      { name: 'extension without vocabularies: packages', value: packages, unit: 'bytes' },
      { name: 'page of the chat', value: chat, unit: 'bytes', target: { atMost: mostOf.chat } },
      {
        name: 'page of the inspector',
        value: inspector,
        unit: 'bytes',
        target: { atMost: mostOf.inspector },
      },
      { name: 'scripts that run in Node', value: files, unit: 'count' },
    ];
    const archive = await packageSizes().catch(() => undefined);
    if (archive === undefined) return measures;
    return [
      ...measures,
      {
        name: 'package',
        value: archive.bytes,
        unit: 'bytes',
        target: { atMost: 2_500_000 },
        note: 'two fifths of it are the vocabularies, a sixth pictures; pictures of the README alone are left out.',
      },
      { name: 'files in the package', value: archive.files, unit: 'count', target: { atMost: 60 } },
    ];
  },
};
