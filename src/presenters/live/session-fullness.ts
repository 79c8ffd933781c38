import type { Fullness } from '../../insights/context-fullness.ts';
import { LiveSession } from './live-session.ts';
import type { ReadingPorts } from './session-reader.ts';

/** Number of sessions that stay in memory, so that only new parts of growing sessions are read. */
const mostKept = 4;

/** Returns a function that computes the fill of a session from all of its messages, one session at a time. */
export function fullnessReader(ports: ReadingPorts): (path: string) => Promise<Fullness | undefined> {
  /** Path → session in memory, the most recent last. */
  const kept = new Map<string, LiveSession>();
  let turn: Promise<unknown> = Promise.resolve();
  const read = async (path: string): Promise<Fullness> => {
    const known = kept.get(path);
    // A session that cannot be read for a moment, because it is being written, keeps its last fill.
    await known?.readNew().catch(() => {});
    const live = known ?? (await openSession(path, ports));
    kept.delete(path);
    kept.set(path, live);
    for (const [earliest, session] of [...kept].slice(0, -mostKept)) {
      session.dispose();
      kept.delete(earliest);
    }
    return live.foreign.fullness();
  };
  return (path) => {
    const answer = turn.then(() => read(path)).catch(() => undefined);
    turn = answer;
    return answer;
  };
}

async function openSession(path: string, ports: ReadingPorts): Promise<LiveSession> {
  const reader = await ports.readerOf({ path });
  const { signal } = new AbortController();
  return LiveSession.open({ ...ports, reader, name: '', failed: () => {} }, signal);
}
