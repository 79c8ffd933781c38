import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { hookBundle, nodeBundles } from '../../build/build-options.ts';
import { projectFolder } from '../../project.ts';
import { type AgentSession, claudeCodeSession, codexSession } from '../agent-session.ts';
import { medianTimes, type BenchPart, type Contender, type Measure } from '../part.ts';

/** Bytes of a session that has gone on for days. */
const sessionBytes = 20_000_000;
/** Steps since the last call: about 1 MB in Claude Code's form. */
const stepsSince = 50;
/** Milliseconds that a hook may hold its agent up, from the start of its process to its end. */
const mostTotal = 300;
const runs = 9;

/** The hooks of other agents, as processes, against a Node that does nothing. */
export const part: BenchPart = {
  title: 'Hooks on sessions of 20 MB',
  async measure() {
    const folder = await mkdtemp(join(tmpdir(), 'hooks-'));
    const program = await buildProgram();
    try {
      return [
        ...(await measuresOf('Claude Code', claudeCodeSession(sessionBytes), folder, program)),
        ...(await measuresOf('Codex', codexSession(sessionBytes), folder, program)),
      ];
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** @returns path of the command line program, as it is packaged */
async function buildProgram(): Promise<string> {
  const outdir = join(projectFolder, 'out', 'bench', 'hooks');
  const choice = { isProduction: true };
  for (const options of [nodeBundles(choice), hookBundle(choice)]) await build({ ...options, outdir });
  return join(outdir, 'cli.js');
}

async function measuresOf(
  agent: string,
  session: AgentSession,
  folder: string,
  program: string,
): Promise<readonly Measure[]> {
  const meter = processorMeter(folder);
  const call = (state: string, event: string, more: object = {}) => {
    const input = {
      hook_event_name: event,
      transcript_path: join(state, 's1.jsonl'),
      cwd: '/projects/printer',
    };
    const { status } = spawnSync(process.execPath, [program, 'hook', event], {
      input: JSON.stringify({ ...input, ...more }),
      env: { ...process.env, CONTEXT_BUDGET_STATE: join(state, 'notes'), ...meter.environment },
    });
    if (status !== 0) throw new Error(`The hook ended with ${status}.`);
  };
  const states = await statesOf(session, join(folder, agent), call);
  const processorTimes = new Map<string, number[]>();
  const contender = (name: string, state: string, event: string, more: object = {}) => {
    const used = join(folder, 'used');
    const times: number[] = [];
    processorTimes.set(name, times);
    const made: Contender = {
      prepare: () => {
        rmSync(used, { recursive: true, force: true });
        cpSync(state, used, { recursive: true });
      },
      run: () => {
        call(used, event, more);
        times.push(meter.last());
      },
    };
    return { [name]: made };
  };
  const times: Readonly<Record<string, number>> = await medianTimes<string>(
    {
      bare: { run: () => spawnSync(process.execPath, ['-e', '0']) },
      ...contender('after a tool, no compaction before', states.read, 'PostToolUse'),
      ...contender('PreCompact, first call of all', states.unread, 'PreCompact'),
      ...contender('Stop, 50 steps after the last call', states.goneOn, 'Stop'),
      ...contender('PreCompact, nothing new', states.read, 'PreCompact'),
      ...contender('SessionStart after the compaction', states.compacted, 'SessionStart', {
        source: 'compact',
      }),
    },
    { runs },
  );
  const { bare = NaN, ...events } = times;
  return Object.entries(events).flatMap(([event, time]): readonly Measure[] => [
    {
      name: `${agent}, ${event}`,
      value: time,
      unit: 'milliseconds',
      target: { atMost: mostTotal },
      note: `${Math.round(time - bare)} ms more than a bare start of Node (${Math.round(bare)} ms).`,
    },
    { name: `${agent}, ${event}, against a bare start`, value: time / bare, unit: 'times' },
    {
      name: `${agent}, ${event}, processor time`,
      value: Math.min(...(processorTimes.get(event) ?? [])),
      unit: 'milliseconds',
    },
  ]);
}

/** Folders with a session and the notes on it, to begin a call from. Notes go by the path: each is made in place. */
async function statesOf(
  session: AgentSession,
  folder: string,
  call: (state: string, event: string) => void,
): Promise<Readonly<Record<'unread' | 'read' | 'goneOn' | 'compacted', string>>> {
  const used = join(folder, '..', 'used');
  const path = join(used, 's1.jsonl');
  const kept = (name: string) => {
    const state = join(folder, name);
    mkdirSync(folder, { recursive: true });
    cpSync(used, state, { recursive: true });
    return state;
  };
  await rm(used, { recursive: true, force: true });
  await mkdir(used, { recursive: true });
  await writeFile(path, session.text);
  const unread = kept('unread');
  call(used, 'Stop');
  const read = kept('read');
  await appendFile(
    path,
    Array.from({ length: stepsSince }, (_, index) => session.step(1_000_000 + index)).join(''),
  );
  const goneOn = kept('goneOn');
  call(used, 'PreCompact');
  await appendFile(path, session.compaction);
  const compacted = kept('compacted');
  return { unread, read, goneOn, compacted };
}

/** Processor time of a process's main thread, which other programs on the machine change little. */
function processorMeter(folder: string) {
  const [script, result] = [join(folder, 'meter.cjs'), join(folder, 'processor-time')];
  const write = `const { user, system } = process.threadCpuUsage();
    require('node:fs').writeFileSync(${JSON.stringify(result)}, String((user + system) / 1000));`;
  writeFileSync(script, `process.on('exit', () => { ${write} });`);
  return {
    environment: { NODE_OPTIONS: `--require ${script}` },
    /** Milliseconds of the process that ended last. */
    last: () => Number(readFileSync(result, 'utf8')),
  };
}
