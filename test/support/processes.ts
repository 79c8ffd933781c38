import { execFileSync } from 'node:child_process';

/** Command lines of running processes that contain a word. */
export function processesWith(word: string): readonly string[] {
  const all = execFileSync('ps', ['-A', '-o', 'args'], { encoding: 'utf8' }).split('\n');
  return all.filter((line) => line.includes(word));
}
