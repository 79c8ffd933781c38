import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';

/** The program of the engine's thread, and programs that end in the middle of their work. */
export interface EngineScripts {
  readonly engine: URL;
  /** A thread that always ends at the first request. */
  readonly dying: URL;
  /**
   * A thread that ends once, at a certain message.
   *
   * @param after number of messages before it ends
   */
  dyingOnce(name: string, after: number): Promise<URL>;
  remove(): Promise<void>;
}

export async function buildEngine(): Promise<EngineScripts> {
  const folder = await mkdtemp(join(tmpdir(), 'engine-'));
  const urlOf = (name: string) => pathToFileURL(join(folder, name));
  await build({
    entryPoints: ['src/presenters/engine/engine-worker.ts'],
    outdir: folder,
    outExtension: { '.js': '.mjs' },
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
  });
  const write = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return urlOf(name);
  };
  return {
    engine: urlOf('engine-worker.mjs'),
    dying: await write(
      'dying.mjs',
      `import { parentPort } from 'node:worker_threads';
       parentPort.on('message', () => process.exit(1));`,
    ),
    dyingOnce: (name, after) =>
      write(
        `${name}.mjs`,
        `import { existsSync, writeFileSync } from 'node:fs';
         import { parentPort } from 'node:worker_threads';
         import './engine-worker.mjs';
         const mark = new URL('./${name}.died', import.meta.url);
         let messages = 0;
         parentPort.on('message', () => {
           if (existsSync(mark) || messages++ < ${after}) return;
           writeFileSync(mark, '');
           process.exit(1);
         });`,
      ),
    remove: () => rm(folder, { recursive: true }),
  };
}
