import { execFile, execFileSync } from 'node:child_process';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { projectFolder } from '../../project.ts';
import type { BenchPart, Measure } from '../part.ts';
import type { ToolRun } from '../tool-run.ts';

const lineSize = 100_000_000;
const runs = 3;

/** Tools that read files, against a stream of Node's over a line of 100 MB; each reading in a process of its own. */
export const part: BenchPart = {
  title: 'Reading hostile files',
  async measure() {
    const folder = await mkdtemp(join(tmpdir(), 'bench-tools-'));
    try {
      await writeFiles(folder);
      const streamed = await median('stream', folder, { path: 'long' });
      const measures: Measure[] = [];
      for (const [name, tool, input] of readings) {
        const { milliseconds, bytes } = await median(tool, folder, input);
        measures.push(
          { name: `${name}: time`, value: milliseconds / streamed.milliseconds, unit: 'times' },
          {
            name: `${name}: memory`,
            value: bytes / streamed.bytes,
            unit: 'times',
            target: { atMost: 1.5 },
          },
        );
      }
      return measures;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

const readings = [
  ['`read_file`, a line of 100 MB', 'read_file', { path: 'long' }],
  ['`read_file`, the line after it', 'read_file', { path: 'long', start_line: 2 }],
  ['`read_file`, a sparse file of 20 GB', 'read_file', { path: 'sparse' }],
  ['`read_file`, a pipe', 'read_file', { path: 'pipe' }],
  ['`search_text`, a line of 100 MB', 'search_text', { pattern: 'needle', path: 'long' }],
  ['`search_text`, a line of 19 MB', 'search_text', { pattern: 'needle', path: 'searched' }],
  ['`search_text`, a sparse file of 20 GB', 'search_text', { pattern: 'needle', path: 'sparse' }],
  ['`search_text`, a pipe', 'search_text', { pattern: 'needle', path: 'pipe' }],
  ['`search_text`, all of them', 'search_text', { pattern: 'needle' }],
] as const;

async function writeFiles(folder: string): Promise<void> {
  await writeFile(
    join(folder, 'long'),
    Buffer.concat([Buffer.alloc(lineSize, 'x'), Buffer.from('\nlast\n')]),
  );
  await writeFile(join(folder, 'searched'), `${'x'.repeat(10_000_000)}needle${'y'.repeat(9_000_000)}\n`);
  await writeFile(join(folder, 'sparse'), 'text\n');
  await truncate(join(folder, 'sparse'), 20_000_000_000);
  execFileSync('mkfifo', [join(folder, 'pipe')]);
}

/** The run of median time. */
async function median(kind: string, folder: string, input: object): Promise<ToolRun> {
  const done: ToolRun[] = [];
  for (let index = 0; index < runs; index++) done.push(await run(kind, folder, input));
  return done.toSorted((one, other) => one.milliseconds - other.milliseconds)[Math.floor(runs / 2)]!;
}

async function run(kind: string, folder: string, input: object): Promise<ToolRun> {
  const script = join(projectFolder, 'scripts', 'bench', 'tool-run.ts');
  const { stdout } = await promisify(execFile)(process.execPath, [
    script,
    kind,
    folder,
    JSON.stringify(input),
  ]);
  return JSON.parse(stdout) as ToolRun;
}
