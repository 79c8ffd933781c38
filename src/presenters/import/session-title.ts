import { agentTitles } from '../../language/agent-titles.ts';
import { liveSentences } from '../../language/english/live-english.ts';
import type { Wording } from '../../language/translated/wording.ts';
import type { ListedSession } from './found-sessions.ts';

/** The title of another agent's session; without one, the first typed words, or the agent and the time. */
export function titleOfSession(
  { title, agent, startedAt, changedAt }: Pick<ListedSession, 'title' | 'agent' | 'startedAt' | 'changedAt'>,
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
