import { createHash } from 'node:crypto';
import { lutimes, readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  applyConfigChanges,
  planConnection,
  planDisconnection,
} from '../../../src/bridge/connect/config-changes.ts';
import { findViolations } from '../../../src/compaction/messages/validity.ts';
import { transcriptOf } from '../../../src/compaction/transcript/transcript.ts';
import { ApprovalStore } from '../../../src/presenters/storage/approval-store.ts';
import { SessionStore } from '../../../src/presenters/storage/session-store.ts';
import { StateFile } from '../../../src/presenters/storage/state-file.ts';
import { busyPlaces, configuration } from './busy-places.ts';

/** Everything acknowledged in one folder so far. */
export interface Acknowledged {
  readonly entries: string[];
  readonly imports: Map<string, number>;
  approval: string | undefined;
  draft: string | undefined;
}

export function note(acknowledged: Acknowledged, lines: readonly string[]): void {
  for (const line of lines) {
    const [what, value = '', size = ''] = line.split(' ');
    if (what === 'entry') acknowledged.entries.push(value);
    if (what === 'imported') acknowledged.imports.set(value, Number(size));
    if (what === 'approved') acknowledged.approval = value;
    if (what === 'draft') acknowledged.draft = value;
  }
}

/** The state before any acknowledgement. */
export function nothingAcknowledged(): Acknowledged {
  return { entries: [], imports: new Map(), approval: undefined, draft: undefined };
}

/** Compares the state at the next start. @returns lost entries; unacknowledged ones may exist, too */
export async function lostIn(
  home: string,
  id: string,
  acknowledged: Acknowledged,
): Promise<readonly string[]> {
  const { sessions, approvals, state } = busyPlaces(home);
  const store = new SessionStore(sessions);
  const lost: string[] = [];
  const { contents } = (await store.open(id))!;
  const found = contents.entries.map((entry) =>
    createHash('sha1').update(JSON.stringify(entry)).digest('hex'),
  );
  let at = -1;
  for (const entry of acknowledged.entries) {
    const next = found.indexOf(entry, at + 1);
    if (next < 0) lost.push(`entry ${entry} is ${found.includes(entry) ? 'out of order' : 'gone'}`);
    else at = next;
  }
  // Written but unacknowledged entries count from now on.
  acknowledged.entries.splice(0, Infinity, ...found);
  const [violation] = findViolations(transcriptOf(contents.entries).view);
  if (violation !== undefined) lost.push(`the view is not valid: ${violation.code}`);
  for (const [imported, size] of acknowledged.imports) {
    const entries = (await store.open(imported))?.contents.entries.length;
    if (entries !== size) lost.push(`import ${imported} has ${entries} of ${size}`);
  }
  acknowledged.imports.clear();
  const reports: string[] = [];
  const rules = new ApprovalStore(approvals, ({ english }) => reports.push(english)).load();
  // Each process keeps twenty of the existing rules.
  const isKnown = rules.length >= 20 || rules.some(({ pattern }) => pattern === acknowledged.approval);
  if (acknowledged.approval !== undefined && !isKnown) lost.push('an approval is gone');
  lost.push(...reports);
  const draft = await new StateFile(state).draftOf('s1');
  if (acknowledged.draft !== undefined && draft === '') lost.push('the draft is gone');
  return lost;
}

/** Connects and disconnects after a kill, like the user. @returns what cannot be repaired */
export async function connectionsIn(home: string): Promise<readonly string[]> {
  const { agentFiles, notes } = busyPlaces(home);
  // The lock of a killed process can be taken after ten seconds.
  await lutimes(join(notes, 'connections.lock'), 1, 1).catch(() => {});
  const harm: string[] = [];
  const textsOf = () => Promise.all(agentFiles.map(({ path }) => readFile(path, 'utf8')));
  await applyConfigChanges(await planDisconnection(agentFiles, notes), notes);
  if ((await textsOf()).some((text) => text !== configuration)) harm.push('not as before once disconnected');
  await applyConfigChanges(await planConnection(agentFiles), notes);
  if ((await planConnection(agentFiles)).length > 0) harm.push('not connected again');
  await applyConfigChanges(await planDisconnection(agentFiles, notes), notes);
  if ((await textsOf()).some((text) => text !== configuration)) harm.push('not as before in the end');
  const folders = [...new Set(agentFiles.map(({ path }) => dirname(path)))];
  const left = (await Promise.all(folders.map((one) => readdir(one)))).flat();
  harm.push(...left.filter((name) => name.endsWith('.tmp')).map((name) => `left ${name}`));
  return harm;
}
