import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { installer, installOnce } from '../test/install-once.ts';
import { projectFolder } from '../project.ts';
import { runCommand } from '../test/run-command.ts';
import type { Agent } from './agent.ts';
import { longTaskFiles } from './long-task.ts';
import type { AgentRun } from './run-record.ts';
import { sandboxArguments } from './sandbox.ts';
import type { LoggedRequest } from './server/model-server.ts';
import { projectFiles } from './task.ts';

/** A run and its output. */
export interface FinishedRun extends AgentRun {
  /** Path of the agent's home folder. */
  readonly home: string;
  /** All requests, oldest first. */
  readonly requests: readonly LoggedRequest[];
}

/** Options of a run. */
export interface RunOptions {
  /** Mode of the proxy between agent and server: `record`, or a strategy and a window; no proxy if undefined. */
  readonly wire?: string;
  /** True for the task that fills a window. */
  readonly isLong?: boolean;
}

/** Folder of the last run. Git ignores all of `out`. */
function folderOf({ id }: Agent, wire: string | undefined): string {
  const runs = wire === undefined ? 'agents' : `agents-${wire.replaceAll(/\W/g, '-')}`;
  return join(projectFolder, 'out', runs, id);
}

/** Installs an agent into the cache folder, without running scripts of packages. */
export function installAgent({ id, version, packages }: Agent): Promise<string> {
  return installOnce({
    name: `agent-${id}-${version}`,
    marker: join('node_modules', '.package-lock.json'),
    async build(building) {
      await writeFile(join(building, 'package.json'), '{ "private": true }\n');
      const options = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
      await installer('npm', ['install', ...options, ...packages], building);
      return building;
    },
  });
}

/**
 * Runs an agent through all turns in a new home folder.
 *
 * @throws Error with the end of the output if the run itself fails; a turn that the agent fails is a valid result
 */
export async function runAgent(
  agent: Agent,
  { wire, isLong = false }: RunOptions = {},
): Promise<FinishedRun> {
  const installed = await installAgent(agent);
  const folder = folderOf(agent, wire);
  const [home, log] = [join(folder, 'home'), join(folder, 'log')];
  await rm(folder, { recursive: true, force: true });
  await mkdir(log, { recursive: true });
  const files = { ...projectFiles, ...(isLong && (await longTaskFiles())) };
  for (const [path, text] of Object.entries(files)) await writeAt(join(home, 'project', path), text);
  const inside = ['/opt/node/node', '/opt/context-budget/scripts/agents/run-inside.ts', agent.id];
  const { code, output } = await runCommand(
    'bwrap',
    sandboxArguments(
      { agent: installed, home, log },
      {
        ...agent.environment,
        ...(wire !== undefined && { AGENTS_WIRE: wire }),
        ...(isLong ? { AGENTS_TASK: 'long' } : agent.compactingEnvironment),
      },
      inside,
    ),
  );
  if (code !== 0) throw new Error(`The run of ${agent.title} failed: ${output.trim().slice(-500)}`);
  return readRun(folder);
}

/**
 * The last run of an agent.
 *
 * @returns undefined if the agent has not been run
 */
export async function lastRun(agent: Agent, wire?: string): Promise<FinishedRun | undefined> {
  const folder = folderOf(agent, wire);
  return existsSync(join(folder, 'log', 'run.json')) ? readRun(folder) : undefined;
}

async function readRun(folder: string): Promise<FinishedRun> {
  const [home, log] = [join(folder, 'home'), join(folder, 'log')];
  const names = (await readdir(log)).filter((name) => /^\d+\.json$/.test(name)).sort();
  const texts = await Promise.all(names.map((name) => readFile(join(log, name), 'utf8')));
  const run = JSON.parse(await readFile(join(log, 'run.json'), 'utf8')) as AgentRun;
  return { ...run, home, requests: texts.map((text) => JSON.parse(text) as LoggedRequest) };
}

async function writeAt(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
