import type { Fullness } from '../../insights/context-fullness.ts';
import { LiveSession } from './live-session.ts';
import type { ReadingPorts } from './session-reader.ts';

/** Sessions that are kept, so that of one that grows only what is new is read. */
const mostKept = 4;

/**
 * Tells how full sessions are by all that is in them, one after another: a list asks about many at once.
 *
 * @returns asks about a session, by its path; undefined if it cannot be read
 */
export function fullnessReader(ports: ReadingPorts): (path: string) => Promise<Fullness | undefined> {
  /** The latest last. */
  const kept = new Map<string, LiveSession>();
  let turn: Promise<unknown> = Promise.resolve();
  const read = async (path: string): Promise<Fullness> => {
    const known = kept.get(path);
    await known?.look();
    const live = known ?? (await openSession(path, ports));
    kept.delete(path);
    kept.set(path, live);
    for (const [earliest, session] of [...kept].slice(0, -mostKept)) {
      session.dispose();
      kept.delete(earliest);
    }
    return live.session.foreign.fullness();
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
  // What cannot be read for a moment, because it is being written, stays as it was.
  return LiveSession.open({ ...ports, reader, name: '', quietTime: 0, failed: () => {} }, signal);
}
