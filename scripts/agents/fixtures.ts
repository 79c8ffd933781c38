import { cp, glob, mkdir, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { projectFolder } from '../project.ts';
import type { AgentMeasure } from './measure-run.ts';
import { requestsOf } from './measure-run.ts';
import type { FinishedRun } from './run-agent.ts';
import type { Fields } from './server/wires/wire.ts';

export const fixturesFolder = join(projectFolder, 'test', 'fixtures', 'agents');

/** The last request that the model received, kept next to the agent's session. */
export interface LastRequest {
  readonly version: string;
  /** Path of the session in the form of `readSessionText`, relative to the agent's folder. */
  readonly session: string;
  /** Id of the wire over which the request was sent. */
  readonly wire: string;
  /** Input tokens that the server reported. */
  readonly reported: number;
  /** Number of the agent's compactions before the request. */
  readonly compactions: number;
  readonly subAgents: number;
  readonly body: Fields;
}

/** Copies the sessions of a run unchanged, with the last request of the first session. */
export async function keepSessions(measure: AgentMeasure, run: FinishedRun): Promise<void> {
  const { agent, session, compactions, subAgents } = measure;
  const last = requestsOf(run).findLast(({ kind }) => kind === 'main');
  if (session === undefined || last === undefined) return;
  const folder = join(fixturesFolder, agent.id);
  await rm(folder, { recursive: true, force: true });
  for await (const path of glob(agent.sessionFiles, { cwd: run.home })) {
    if (path.endsWith('.db')) await emptyLog(join(run.home, path));
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await cp(join(run.home, path), join(folder, path));
  }
  const request: LastRequest = {
    version: agent.version,
    session: session.file.replace('~/', ''),
    wire: last.wire,
    reported: last.reported,
    compactions: compactions.made,
    subAgents: subAgents.made,
    body: last.body,
  };
  await writeFile(join(folder, 'last-request.json'), `${JSON.stringify(request, null, 1)}\n`);
}

/** Moves the contents of a database's log into the database, as the agent does from time to time. */
async function emptyLog(path: string): Promise<void> {
  // Imported here, because Node prints a warning when the module is loaded.
  const { DatabaseSync } = await import('node:sqlite');
  const database = new DatabaseSync(path);
  database.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE;');
  database.close();
}
