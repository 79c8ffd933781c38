import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { truncate } from 'node:fs/promises';

/** Bytes at the beginning that are written one by one. */
const oneByOne = 3_000;
/** Maximum number of bytes that are written at once after them. */
const largestPiece = 40_000;

/**
 * Appends a text to a file like an agent: in a separate process, the beginning byte by byte, the rest in
 * random pieces.
 */
export async function appendByAnotherProcess(path: string, text: string, seed: number): Promise<void> {
  const child = spawn(process.execPath, ['-e', writer, path, String(seed)], {
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  child.stdin.end(text);
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`the writer ended with ${code}`);
}

/** Overwrites a file like a careless agent: in a separate process, truncated and then piece by piece. */
export async function rewriteByAnotherProcess(path: string, text: string, seed: number): Promise<void> {
  await truncate(path);
  await appendByAnotherProcess(path, text, seed);
}

const writer = `
const { appendFileSync, readFileSync } = require('node:fs');
const [path, seed] = process.argv.slice(1);
const bytes = readFileSync(0);
let state = Number(seed) + 1;
const random = () => (state = (state * 48271) % 2147483647) / 2147483647;
for (let from = 0; from < bytes.length; ) {
  const size = from < ${oneByOne} ? 1 : 1 + Math.floor(random() ** 4 * ${largestPiece});
  appendFileSync(path, bytes.subarray(from, from + size));
  from += size;
}
`;
