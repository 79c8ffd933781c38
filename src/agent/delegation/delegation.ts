import { clipToTokens } from '../../compaction/text/clip.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import type { SubAgentProgress, ToolAccess } from '../session/session-ports.ts';
import type { ActionContext, ToolResult } from '../tools/support/tool.ts';
import { runSubAgents, type SubAgentOutcome, subAgentTask } from './run-sub-agents.ts';
import { oneAtATime, runSubAgentSession, type SubAgentHost } from './sub-agent-session.ts';
import { createSubAgentTools, subAgentFileList, SharedFolder } from './shared-files.ts';
import type { SubAgent } from './sub-agents.ts';
import { agentSentences } from '../../language/english/agent-english.ts';
import type { Sentence } from '../../language/sentence.ts';

interface DelegationPorts {
  readonly host: SubAgentHost;
  readonly access: Pick<ToolAccess, 'approvals' | 'approve' | 'editor' | 'showSubAgents'>;
  readonly mostAtOnce: number;
}

/** Default number of sub-agents that run at the same time, because they share one rate limit. */
export const defaultMostAtOnce = 3;
const longestReport = 1_500;
/** Maximum tokens of all reports together. A longer result would be shortened before it enters the context. */
const allReports = 5_000;

/** Runs valid sub-agents in separate sessions. @returns their reports when all have ended, even after an abort */
export async function delegate(
  subAgents: readonly SubAgent[],
  { callKey, signal }: ActionContext,
  { host, access, mostAtOnce }: DelegationPorts,
): Promise<ToolResult> {
  const shared = new SharedFolder(host.sharedFolder(callKey), subAgents, () => host.ports.now());
  const approve = oneAtATime(access.approve);
  const longest = Math.min(longestReport, Math.floor(allReports / subAgents.length));
  const ended = await runSubAgents(subAgents, {
    mostAtOnce,
    signal,
    show: (progress) => access.showSubAgents(callKey, progress),
    run: async (subAgent, outcomes, tell, stop) => {
      const files = shared.accessOf(subAgent.name);
      let sessionId = '';
      const outcome = await runSubAgentSession({
        subAgent,
        host,
        callKey,
        parent: access,
        task: subAgentTask(subAgent, outcomes, files.list()),
        ask: (request, signals) => approve(request, callKey, AbortSignal.any([stop, signals])),
        subAgentTools: createSubAgentTools(subAgent.name, files),
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
  const sections = ended.map((subAgent) => sectionOf(subAgent, shared));
  return {
    content: [`${summary.english}.`, ...sections].join('\n\n'),
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

function countsOf(ended: readonly SubAgentOutcome[]): Sentence {
  const keys = [
    ['done', 'subAgentsDone'],
    ['failed', 'subAgentsFailed'],
    ['stopped', 'subAgentsStopped'],
    ['skipped', 'subAgentsSkipped'],
  ] as const;
  const counts = keys.flatMap(([end, key]) => {
    const count = ended.filter(({ state }) => state === end).length;
    return count === 0 ? [] : [agentSentences.say(key, { count })];
  });
  return agentSentences.say('subAgentsEnded', { counts });
}

function sectionOf(subAgent: SubAgentProgress & SubAgentOutcome, shared: SharedFolder): string {
  const { name, state, tokens, sessionId, report } = subAgent;
  const files = shared.filesOf(name);
  const facts = sessionId === '' ? '' : ` (${tokens} tokens in session ${sessionId})`;
  return [
    `## ${name}: ${state}${facts}`,
    ...(report === '' ? [] : [report]),
    ...(files.length === 0 ? [] : [`Shared files:\n${subAgentFileList(files)}`]),
  ].join('\n');
}
