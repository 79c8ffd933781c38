import { fork } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { projectFolder } from '../../project.ts';
import { claudeCodeSession } from '../agent-session.ts';
import type { FollowedCosts } from '../follow-session.ts';
import { type BenchPart, type Measure, middleOf } from '../part.ts';

const sessionBytes = 20_000_000;
/** Number of lines that are appended, one at a time. */
const appends = 1_000;
/** Maximum milliseconds of processor time for an appended line. */
const mostPerAppend = 3;
const program = join(projectFolder, 'scripts', 'bench', 'follow-session.ts');

/** Measures a session of Claude Code that is open while its agent appends lines, in a fresh process. */
export const part: BenchPart = {
  title: 'Following a session of 20 MB',
  async measure() {
    const folder = await mkdtemp(join(tmpdir(), 'following-'));
    try {
      const { text, step } = claudeCodeSession(sessionBytes);
      const [session, added] = [join(folder, 'session.jsonl'), join(folder, 'added.jsonl')];
      await writeFile(session, text);
      await writeFile(added, linesOf(step));
      return measuresOf(await costsOf(session, added), Buffer.byteLength(text));
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

function linesOf(step: (index: number) => string): string {
  const lines: string[] = [];
  // Numbers that the session does not use.
  for (let index = 1_000_000; lines.length < appends; index++) lines.push(...step(index).split(/(?<=\n)/u));
  return lines.slice(0, appends).join('');
}

function costsOf(session: string, added: string): Promise<FollowedCosts> {
  return new Promise((resolve, reject) => {
    const child = fork(program, [session, added], { execArgv: ['--expose-gc'] });
    child.once('message', (costs) => resolve(costs as FollowedCosts));
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`Following a session failed with exit code ${code}.`)));
  });
}

function measuresOf({ opening, appending, memory, inUse }: FollowedCosts, bytes: number): readonly Measure[] {
  const slow = appending.toSorted((one, other) => one - other)[Math.floor(appending.length * 0.99)] ?? NaN;
  const target = { atMost: mostPerAppend };
  return [
    { name: 'Opening 20 MB', value: opening, unit: 'milliseconds' },
    { name: 'An appended line', ...middleOf(appending), unit: 'milliseconds', target },
    { name: '… 99 of 100', value: slow, unit: 'milliseconds' },
    { name: 'Memory in use, against the file', value: inUse / bytes, unit: 'times', target: { atMost: 3 } },
    { name: 'Most memory, against the file', value: memory / bytes, unit: 'times', target: { atMost: 3 } },
  ];
}
