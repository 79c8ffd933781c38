import { agentTitles } from '../../language/agent-titles.ts';
import type { Wording } from '../../language/translated/wording.ts';
import { titleOfSession } from './session-title.ts';
import type { ListedSession } from './found-sessions.ts';

export interface SessionLine {
  readonly label: string;
  /** Age and size of the session, and its agent if the group does not name it. */
  readonly description: string;
  /** The agent's working folder; if unknown, the session's file. */
  readonly detail: string;
  readonly session: ListedSession;
}

interface GroupingOptions {
  /** Title of the group with the sessions of the open folders. */
  readonly here: string;
  /** Current time in milliseconds since 1970. */
  readonly now: number;
  readonly wording: Wording;
}

/** Sessions that belong together, in the order of the given list. */
interface SessionGroup {
  readonly title: string;
  readonly lines: readonly SessionLine[];
}

/** Prefix of the row of a sub-agent, which follows the session that started it. */
const subAgentMark = '↳ ';
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Groups the sessions of the open folders, and other sessions by agent. Sub-agents stay after their session. */
export function sessionGroups(
  sessions: readonly ListedSession[],
  { here, now, wording }: GroupingOptions,
): readonly SessionGroup[] {
  const groups = new Map<string, SessionLine[]>();
  let title = '';
  for (const session of sessions) {
    const agent = agentTitles[session.agent];
    if (session.parent === undefined) title = session.isOfWorkspace ? here : agent;
    const mark = session.parent === undefined ? '' : subAgentMark;
    const age = ageOf(now - session.changedAt, wording.language);
    const size = sizeOf(session.size, wording.language);
    const line = {
      label: `${mark}${titleOfSession(session, wording)}`,
      description: [...(title === here ? [agent] : []), age, size].join(', '),
      detail: session.workspace ?? session.path,
      session,
    };
    const group = groups.get(title);
    if (group === undefined) groups.set(title, [line]);
    else group.push(line);
  }
  return [...groups].map(([groupTitle, lines]) => ({ title: groupTitle, lines }));
}

/** The time that has passed, such as “5 minutes ago”. @param language a BCP 47 tag */
export function ageOf(milliseconds: number, language: string): string {
  const format = new Intl.RelativeTimeFormat(language, { numeric: 'auto' });
  const age = Math.max(0, milliseconds);
  if (age < hour) return format.format(-Math.floor(age / minute), 'minute');
  if (age < day) return format.format(-Math.floor(age / hour), 'hour');
  return format.format(-Math.floor(age / day), 'day');
}

function sizeOf(bytes: number, language: string): string {
  const isLarge = bytes >= 1_000_000;
  return new Intl.NumberFormat(language, {
    style: 'unit',
    unit: isLarge ? 'megabyte' : 'kilobyte',
    maximumFractionDigits: isLarge ? 1 : 0,
  }).format(isLarge ? bytes / 1_000_000 : Math.max(1, bytes / 1_000));
}
