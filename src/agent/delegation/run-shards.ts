import { messageOf } from '../../compaction/failure.ts';
import type { Shard } from './shards.ts';

/** How a shard ended. `stopped`: with the call that started it. `skipped`: what it depends on was not done. */
export type ShardEnd = 'done' | 'failed' | 'stopped' | 'skipped';

export interface ShardOutcome {
  readonly state: ShardEnd;
  /** What it has to say for itself, or why it has nothing to say. */
  readonly report: string;
}

/** How far a shard is. */
export interface ShardProgress {
  /** Id of its session. Empty until it has begun. */
  readonly sessionId: string;
  readonly name: string;
  readonly task: string;
  readonly dependsOn: readonly string[];
  readonly state: 'waiting' | 'running' | ShardEnd;
  /** Tokens of its view. */
  readonly tokens: number;
  /** What it is doing now, in a few words, or how it ended. */
  readonly note: string;
}

/** What a running shard tells of itself. */
export type ShardNews = Partial<Pick<ShardProgress, 'sessionId' | 'tokens' | 'note'>>;

export interface ShardRun {
  /**
   * Does the work of one shard.
   *
   * @param outcomes how the shards it depends on ended: all are done
   * @param signal when it is aborted, the work ends as soon as it can, and then resolves
   */
  readonly run: (
    shard: Shard,
    outcomes: ReadonlyMap<string, ShardOutcome>,
    tell: (news: ShardNews) => void,
    signal: AbortSignal,
  ) => Promise<ShardOutcome>;
  readonly mostAtOnce: number;
  /** Hears of all shards, in the order given, whenever one of them is further. */
  readonly show: (shards: readonly ShardProgress[]) => void;
  readonly signal: AbortSignal;
}

/** Characters of a note: what a row of the chat shows. */
const longestNote = 200;

/**
 * Runs shards side by side, each as soon as those it depends on are done. One that fails takes only those with it
 * that depend on it. When the signal is aborted, no other begins; resolves when nothing runs any more.
 *
 * @param shards without cycles
 * @returns how each ended, in the order given
 */
export async function runShards(
  shards: readonly Shard[],
  { run, mostAtOnce, show, signal }: ShardRun,
): Promise<readonly (ShardProgress & ShardOutcome)[]> {
  const progress = new Map(shards.map((shard) => [shard.name, beginningOf(shard)]));
  const outcomes = new Map<string, ShardOutcome>();
  const running = new Map<string, Promise<void>>();
  const tell = (name: string, change: Partial<ShardProgress>) => {
    const before = progress.get(name);
    if (before === undefined) return;
    progress.set(name, { ...before, ...change });
    show([...progress.values()]);
  };
  const end = (name: string, outcome: ShardOutcome) => {
    outcomes.set(name, outcome);
    tell(name, { state: outcome.state, note: noteOf(outcome) });
  };
  const begin = async (shard: Shard) => {
    const { name } = shard;
    tell(name, { state: 'running', note: 'Begins' });
    try {
      const news = (change: ShardNews) => {
        if (!outcomes.has(name)) tell(name, change);
      };
      end(name, await run(shard, outcomes, news, signal));
    } catch (error) {
      end(name, { state: signal.aborted ? 'stopped' : 'failed', report: messageOf(error) });
    }
    running.delete(name);
  };

  show([...progress.values()]);
  for (;;) {
    const waiting = shards.filter(({ name }) => !outcomes.has(name) && !running.has(name));
    const hopeless = waiting.flatMap((shard) => reasonToSkip(shard, outcomes, signal));
    for (const { name, outcome } of hopeless) end(name, outcome);
    // What was skipped may take others with it.
    if (hopeless.length > 0) continue;
    const ready = waiting.filter(({ dependsOn }) => dependsOn.every((name) => outcomes.has(name)));
    for (const shard of ready.slice(0, Math.max(0, mostAtOnce - running.size))) {
      running.set(shard.name, begin(shard));
    }
    if (running.size === 0) break;
    await Promise.race(running.values());
  }
  return shards.map(({ name }) => ({ ...progress.get(name)!, ...outcomes.get(name)! }));
}

function beginningOf({ name, task, dependsOn }: Shard): ShardProgress {
  const note = dependsOn.length === 0 ? '' : `Waits for ${dependsOn.join(', ')}`;
  return { sessionId: '', name, task, dependsOn, state: 'waiting', tokens: 0, note };
}

function reasonToSkip(
  { name, dependsOn }: Shard,
  outcomes: ReadonlyMap<string, ShardOutcome>,
  signal: AbortSignal,
): readonly { readonly name: string; readonly outcome: ShardOutcome }[] {
  if (signal.aborted) {
    return [{ name, outcome: { state: 'stopped', report: 'It was stopped before it began.' } }];
  }
  for (const dependency of dependsOn) {
    const state = outcomes.get(dependency)?.state;
    if (state === undefined || state === 'done') continue;
    const what = state === 'failed' ? 'failed' : `was ${state}`;
    return [{ name, outcome: { state: 'skipped', report: `It depends on ${dependency}, which ${what}.` } }];
  }
  return [];
}

function noteOf({ report }: ShardOutcome): string {
  const line = report.trim().split('\n', 1)[0] ?? '';
  return line.length <= longestNote ? line : `${line.slice(0, longestNote - 1)}…`;
}
