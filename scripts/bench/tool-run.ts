/**
 * Runs one reading in a process of its own, and prints its time and the most memory that the process held.
 *
 * Usage: node scripts/bench/tool-run.ts stream|read_file|search_text FOLDER JSON
 */
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import { rgPath } from '@vscode/ripgrep';
import { Workspace } from '../../src/agent/files/workspace.ts';
import { createReadFile } from '../../src/agent/tools/read-file.ts';
import { createSearchText } from '../../src/agent/tools/search-text.ts';
import { mostMemory } from '../most-memory.ts';

/** Time and memory of a reading. */
export interface ToolRun {
  readonly milliseconds: number;
  /** The most that the process held at any time. */
  readonly bytes: number;
}

const [kind, folder = '', json = '{}'] = process.argv.slice(2);
const input = JSON.parse(json) as Readonly<Record<string, unknown>> & { readonly path: string };
const workspace = new Workspace([folder]);
const { signal } = new AbortController();
const started = performance.now();
switch (kind) {
  case 'stream':
    await finished(createReadStream(join(folder, input.path)).resume());
    break;
  case 'read_file':
    await createReadFile(workspace).run(input, signal);
    break;
  case 'search_text':
    await createSearchText(workspace, rgPath).run(input, signal);
    break;
  default:
    throw new Error(`No reading is called "${kind ?? ''}".`);
}
const run: ToolRun = {
  milliseconds: performance.now() - started,
  bytes: mostMemory(),
};
console.log(JSON.stringify(run));
