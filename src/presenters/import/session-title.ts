import { agentTitles } from '../../language/agent-titles.ts';
import { liveSentences } from '../../language/live-english.ts';
import type { Wording } from '../../language/wording.ts';
import type { FoundSession } from './found-sessions.ts';

/**
 * The title of a session of another agent, the same wherever it is shown: the agent's own, or the first words that were
 * typed. One in which nothing was typed goes by its agent and the time at which it began, or was changed if its file does
 * not tell.
 */
export function titleOfSession(
  { title, agent, startedAt, changedAt }: Pick<FoundSession, 'title' | 'agent' | 'startedAt' | 'changedAt'>,
  wording: Wording,
): string {
  if (title !== undefined) return title;
  const time = new Intl.DateTimeFormat(wording.language, {
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  }).format(startedAt ?? changedAt);
  return wording.text(liveSentences.say('untitledSession', { agent: agentTitles[agent], time }));
}
