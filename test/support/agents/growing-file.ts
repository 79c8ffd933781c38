import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { truncate } from 'node:fs/promises';

/** Bytes at the beginning that are written one by one. */
const oneByOne = 3_000;
/** Maximum number of bytes that are later written at once. */
const largestPiece = 40_000;

/**
 * Appends a text to a file as an agent does, in a separate process. Writes the beginning byte by byte, and the rest in
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

/** Overwrites a file as a careless agent does: truncates it, then writes it piece by piece in a separate process. */
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
