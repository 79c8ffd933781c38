import { execFileSync } from 'node:child_process';

/** Command lines of processes of this machine that have a word in them. */
export function processesWith(word: string): readonly string[] {
  const all = execFileSync('ps', ['-A', '-o', 'args'], { encoding: 'utf8' }).split('\n');
  return all.filter((line) => line.includes(word));
}
