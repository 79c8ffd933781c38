import { spawnSync } from 'node:child_process';
import { cpSync, readdirSync, rmSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { build } from 'esbuild';
import type { NoteKind } from '../../../src/bridge/hooks/note-files.ts';
import { hookBundle, nodeBundles } from '../../build/build-options.ts';
import { projectFolder } from '../../project.ts';
import { type AgentSession, claudeCodeSession } from '../agent-session.ts';
import { type BenchPart, type Contender, type Measure, middleOf, timesInTurn } from '../part.ts';

/** Bytes of a session that was in use for days. */
const sessionBytes = 20_000_000;
/** Maximum milliseconds by which a hook may delay its agent, from the start to the end of its process. */
const mostTotal = 150;
const runs = 9;

/** Measures the hooks of Claude Code as processes, compared with a Node process that does nothing. */
export const part: BenchPart = {
  title: 'Hooks on sessions of 20 MB',
  async measure() {
    const folder = await mkdtemp(join(tmpdir(), 'hooks-'));
    try {
      return await measuresOf(claudeCodeSession(sessionBytes), folder, await buildProgram());
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** @returns path of the command-line program in its packaged form */
async function buildProgram(): Promise<string> {
  const outdir = join(projectFolder, 'out', 'bench', 'hooks');
  const choice = { isProduction: true };
  for (const options of [nodeBundles(choice), hookBundle(choice)]) await build({ ...options, outdir });
  return join(outdir, 'cli.js');
}

type Call = (state: string, event: string, more?: object) => void;

async function measuresOf(
  session: AgentSession,
  folder: string,
  program: string,
): Promise<readonly Measure[]> {
  const call: Call = (state, event, more = {}) => {
    const input = {
      hook_event_name: event,
      transcript_path: join(state, 's1.jsonl'),
      cwd: '/projects/printer',
      ...more,
    };
    const { status } = spawnSync(process.execPath, [program, 'hook', event], {
      input: JSON.stringify(input),
      env: { ...process.env, CONTEXT_BUDGET_STATE: join(state, 'notes') },
    });
    if (status !== 0) throw new Error(`The hook ended with ${status}.`);
  };
  const used = join(folder, 'used');
  const states = await statesOf(session, folder, used, call);
  const contender = (state: string, event: string, more: object = {}): Contender => ({
    prepare: async () => {
      await readingEnded(used);
      rmSync(used, { recursive: true, force: true });
      cpSync(state, used, { recursive: true });
    },
    run: () => call(used, event, more),
  });
  const { bare, reading, ...events } = await timesInTurn(
    {
      bare: { run: () => spawnSync(process.execPath, ['-e', '0']) },
      reading: contender(states.unread, 'Read'),
      'after a tool, no compaction before': contender(states.read, 'PostToolUse'),
      'PreCompact, first call of all': contender(states.unread, 'PreCompact'),
      'SessionStart after the compaction': contender(states.compacted, 'SessionStart', {
        source: 'compact',
      }),
    },
    { runs },
  );
  await readingEnded(used);
  return [
    { name: 'Bare start of Node', ...middleOf(bare), unit: 'milliseconds' },
    ...Object.entries(events).map(([event, times]): Measure => ({
      name: `Claude Code, ${event}`,
      ...middleOf(times),
      unit: 'milliseconds',
      target: { atMost: mostTotal },
    })),
    { name: 'Reading 20 MB in a separate process', ...middleOf(reading), unit: 'milliseconds' },
  ];
}

/** Waits for the process that a first call has started. It ends with the notes of the session. */
async function readingEnded(state: string): Promise<void> {
  const has = (kind: NoteKind) =>
    readdirSync(join(state, 'notes')).some((name) => name.endsWith(`.${kind}.json`));
  while (has('pending') && !has('notes')) await setTimeout(20);
}

/**
 * Folders with a session and its notes, as they are before a call.
 *
 * @param used path at which the folders are used, because notes are found by the path of their session
 */
async function statesOf(
  session: AgentSession,
  folder: string,
  used: string,
  call: Call,
): Promise<Readonly<Record<'unread' | 'read' | 'compacted', string>>> {
  const path = join(used, 's1.jsonl');
  const kept = (name: string) => {
    const state = join(folder, name);
    cpSync(used, state, { recursive: true });
    return state;
  };
  await mkdir(used, { recursive: true });
  await writeFile(path, session.text);
  const unread = kept('unread');
  call(used, 'Read');
  const read = kept('read');
  call(used, 'PreCompact');
  await appendFile(path, session.compaction);
  return { unread, read, compacted: kept('compacted') };
}
