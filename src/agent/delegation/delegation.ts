import { clipToTokens } from '../../compaction/clip.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import type { ToolAccess } from '../session-ports.ts';
import type { ActionContext, ToolResult } from '../tools/tool.ts';
import { runShards, type ShardOutcome, type ShardProgress } from './run-shards.ts';
import { oneAtATime } from './shard-approvals.ts';
import type { ShardHost } from './shard-host.ts';
import { shardTask } from './shard-prompt.ts';
import { runShardSession } from './shard-session.ts';
import { createShardTools, listOf } from './shard-tools.ts';
import type { Shard } from './shards.ts';
import { SharedFolder } from './shared-folder.ts';

export interface DelegationPorts {
  readonly host: ShardHost;
  /** What the tools of the session have that starts the shards. */
  readonly access: Pick<ToolAccess, 'approvals' | 'approve' | 'editor' | 'showShards'>;
  readonly mostAtOnce: number;
}

/** Shards that run at the same time, unless a setting says otherwise: a rate limit is shared by all of them. */
export const defaultMostAtOnce = 3;
/** Tokens of one report. */
const longestReport = 1_500;
/** Tokens of all reports together: with more, the result would not go into the view as it is. */
const allReports = 5_000;

/**
 * Runs shards as sessions of their own and tells what became of each.
 *
 * @param shards that nothing is wrong with
 * @returns when none of them runs any more, also where the signal was aborted
 */
export async function delegate(
  shards: readonly Shard[],
  { callKey, signal }: ActionContext,
  { host, access, mostAtOnce }: DelegationPorts,
): Promise<ToolResult> {
  const shared = new SharedFolder(host.sharedFolder(callKey), shards, () => host.ports.now());
  const approve = oneAtATime(access.approve);
  const longest = Math.min(longestReport, Math.floor(allReports / shards.length));
  const ended = await runShards(shards, {
    mostAtOnce,
    signal,
    show: (progress) => access.showShards(callKey, progress),
    run: async (shard, outcomes, tell, stop) => {
      const files = shared.accessOf(shard.name);
      let sessionId = '';
      const outcome = await runShardSession({
        shard,
        host,
        callKey,
        parent: access,
        task: shardTask(shard, outcomes, files.list()),
        ask: (request, signals) => approve(request, callKey, AbortSignal.any([stop, signals])),
        shardTools: createShardTools(shard.name, files),
        tell: (news) => {
          sessionId = news.sessionId ?? sessionId;
          tell(news);
        },
        signal: stop,
      });
      return { ...outcome, report: await clipped(outcome.report, longest, sessionId, host.ports.meter) };
    },
  });
  const summary = countsOf(ended);
  const sections = ended.map((shard) => sectionOf(shard, shared));
  return {
    content: [`${summary}.`, ...sections].join('\n\n'),
    isError: ended.every(({ state }) => state !== 'done'),
    summary,
  };
}

function clipped(report: string, tokens: number, sessionId: string, meter: UsageMeter): Promise<string> {
  return clipToTokens(
    report,
    tokens,
    (text) => meter.countText(text),
    (missing) => `\n[… ${missing} characters left out; all of it is in session ${sessionId} …]\n`,
  );
}

/** `3 done, 1 failed` */
function countsOf(ended: readonly ShardOutcome[]): string {
  const states = ['done', 'failed', 'stopped', 'skipped'] as const;
  return states
    .map((state) => ({ state, count: ended.filter((shard) => shard.state === state).length }))
    .filter(({ count }) => count > 0)
    .map(({ state, count }) => `${count} ${state}`)
    .join(', ');
}

function sectionOf(shard: ShardProgress & ShardOutcome, shared: SharedFolder): string {
  const { name, state, tokens, sessionId, report } = shard;
  const files = shared.filesOf(name);
  const facts = sessionId === '' ? '' : ` (${tokens} tokens in session ${sessionId})`;
  return [
    `## ${name}: ${state}${facts}`,
    ...(report === '' ? [] : [report]),
    ...(files.length === 0 ? [] : [`Shared files:\n${listOf(files)}`]),
  ].join('\n');
}
