/**
 * Runs one agent through its turns inside the sandbox: serves the model, connects, starts the agent for each turn,
 * disconnects. Writes `run.json` and every request to `/log`.
 *
 * Usage: node scripts/agents/run-inside.ts AGENT
 */
import { spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { glob, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { configFiles } from '../../src/bridge/connect/agent-config.ts';
import {
  applyConfigChanges,
  planConnection,
  planDisconnection,
} from '../../src/bridge/connect/config-changes.ts';
import { runtimesHere } from '../../src/bridge/connect/find-node.ts';
import { launcherIn, writeLauncher } from '../../src/bridge/connect/launcher.ts';
import { stateFolder } from '../../src/transcripts/session/state-folder.ts';
import { loadEncoding } from '../../src/compaction/tokens/token-counter.ts';
import { runMain } from '../run-main.ts';
import { type Agent, type Command, serverPort, turnNames } from './agent.ts';
import { agents } from './agents.ts';
import { longTaskSteps } from './long-task.ts';
import type { AgentRun, ConfigOutcome, TurnRun } from './run-record.ts';
import { ScriptedModel } from './server/scripted-model.ts';
import { type LoggedRequest, serveModel } from './server/model-server.ts';
import { prompts, stepsOf, workFolder } from './task.ts';
import { startWire } from './wire-proxy.ts';

/** Maximum seconds for a turn, even on a busy machine. */
const patience = 300;
const home = '/home/user';
const bareHome = '/tmp/user';
const barePrompt = 'Say hello.';
const log = '/log';
/** The options of the run, which come through the environment. */
const wireMode = process.env['AGENTS_WIRE'];
const isLong = process.env['AGENTS_TASK'] === 'long';

await runMain(async () => {
  const agent = agents.find(({ id }) => id === process.argv[2]);
  if (agent === undefined) throw new Error(`There is no agent ${process.argv[2]}.`);
  const model = new ScriptedModel();
  let requests = 0;
  const count = await loadEncoding('o200k_base');
  const note = (request: LoggedRequest) => {
    requests = request.number;
    const name = `${String(request.number).padStart(4, '0')}.json`;
    writeFileSync(join(log, name), JSON.stringify(request));
  };
  const server = await serveModel(model, count, note, wireMode === undefined ? serverPort : 0);
  const state = stateFolder({ home, platform: process.platform, environment: process.env });
  const wire =
    wireMode === undefined ? undefined : await startWire(wireMode, server.port, join(state, 'wire'));
  const turns: TurnRun[] = [];
  const take = async (name: TurnRun['name'], command: Command, home: string) => {
    const first = requests + 1;
    const began = Date.now();
    const outcome = await run(command, agent, home);
    const seconds = Math.round((Date.now() - began) / 1000);
    turns.push({ name, ...outcome, seconds, requests: [first, requests] });
  };
  // Requests without our server are measured in another home folder, so that this folder holds only the sessions of
  // the turns.
  await prepare(agent, agent.files, bareHome);
  await take('bare', agent.turns.first({ prompt: barePrompt, session: '' }), bareHome);
  await prepare(agent, { ...agent.files, ...agent.serverFiles }, home);
  const connection = await connect(agent);
  let session = '';
  for (const name of turnNames) {
    const command = agent.turns[name];
    const steps = isLong ? longTaskSteps(name) : stepsOf(name, agent.script);
    if (command === undefined || (isLong && steps.length === 0)) continue;
    const prompt = name === 'compacted' ? '' : prompts[name];
    // A user who resumes a session often starts the proxy again.
    await wire?.restart();
    model.begin(prompt, steps);
    await take(name, command({ prompt, session }), home);
    session ||= await firstSession(agent);
  }
  const config = await connection.disconnect();
  const tapped = await wire?.close();
  await server.close();
  const result: AgentRun = {
    ...{ agent: agent.id, version: agent.version, session, turns, config },
    ...(tapped !== undefined && { tapped }),
  };
  await writeFile(join(log, 'run.json'), JSON.stringify(result, null, 1));
});

/** Creates the agent's home folder and sets it up as a user would. */
async function prepare(agent: Agent, files: Agent['files'], home: string): Promise<void> {
  for (const [path, text] of Object.entries(files)) await writeAt(join(home, path), text);
  if (agent.prepare !== undefined) await run(agent.prepare, agent, home);
}

/** Runs a program in the project's folder, without a terminal. Stops the program at the time limit. */
function run(
  [program = '', ...rest]: Command,
  { environment }: Agent,
  HOME: string,
): Promise<Pick<TurnRun, 'code' | 'output'>> {
  return new Promise((resolve) => {
    const child = spawn(program, rest, {
      cwd: workFolder,
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...environment, HOME },
      detached: true,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        output = (output + text).slice(-8_000);
      });
    }
    const stop = () => {
      try {
        process.kill(-(child.pid ?? 0), 'SIGKILL');
      } catch {
        // The program has already exited.
      }
    };
    const timer = setTimeout(stop, patience * 1000);
    child.on('error', (error) => resolve({ code: 127, output: error.message }));
    // Child processes that are still running would keep the output open.
    child.on('exit', (code) => {
      clearTimeout(timer);
      stop();
      resolve({ code: code ?? 137, output });
    });
  });
}

/** Id of the oldest session. File names begin with the time, or there is only one file. */
async function firstSession({ sessionFiles, sessionId }: Agent): Promise<string> {
  if (sessionId === undefined) return '';
  const ids: string[] = [];
  for await (const path of glob(sessionFiles, { cwd: home })) ids.push(sessionId.exec(path)?.[1] ?? '');
  return ids.filter((id) => id !== '').sort()[0] ?? '';
}

/** Connects the agent in the same way as the editor's command. */
async function connect(agent: Agent): Promise<{ disconnect: () => Promise<readonly ConfigOutcome[]> }> {
  if (agent.connects === undefined) return { disconnect: () => Promise.resolve([]) };
  const surroundings = {
    home,
    platform: process.platform,
    environment: { ...process.env, ...agent.environment },
  };
  const folder = stateFolder(surroundings);
  const files = configFiles(agent.connects, launcherIn(folder, process.platform), surroundings);
  const bytesOf = () => Promise.all(files.map(({ path }) => readFile(path, 'utf8').catch(() => undefined)));
  const before = await bytesOf();
  await writeLauncher(folder, '/opt/context-budget/dist/cli.js', await runtimesHere([]));
  await applyConfigChanges(await planConnection(files), folder);
  const connected = await bytesOf();
  return {
    async disconnect() {
      const left = await bytesOf();
      await applyConfigChanges(await planDisconnection(files, folder), folder);
      const after = await bytesOf();
      return files.map(({ path }, index) => ({
        path: path.replace(`${home}/`, '~/'),
        isRestored: after[index] === before[index],
        isRewritten: left[index] !== connected[index],
        isGone: !/context-budget/.test(after[index] ?? ''),
      }));
    },
  };
}

async function writeAt(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}
