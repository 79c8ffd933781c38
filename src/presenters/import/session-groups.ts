import { basename } from 'node:path';
import { agentTitles } from '../../language/strategy-titles-english.ts';
import type { FoundSession } from './found-sessions.ts';

/** A session as a line of a list. */
export interface SessionLine {
  readonly label: string;
  /** Age and size. */
  readonly description: string;
  /** The folder it was held in, or its file if the folder is unknown. */
  readonly detail: string;
  readonly session: FoundSession;
}

/** The sessions of an agent, in the order of the list that they come from. */
export interface SessionGroup {
  readonly title: string;
  readonly lines: readonly SessionLine[];
}

/** Prefix of a sub-agent's line, below the session that started it. */
const subAgentMark = '↳ ';
const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/**
 * Groups sessions by agent; the agent of the first session comes first.
 *
 * @param now milliseconds since 1970
 * @param language BCP 47, for ages and sizes
 */
export function sessionGroups(
  sessions: readonly FoundSession[],
  now: number,
  language: string,
): readonly SessionGroup[] {
  const lineOf = (session: FoundSession): SessionLine => ({
    label: `${session.parent === undefined ? '' : subAgentMark}${session.title ?? basename(session.path)}`,
    description: `${ageOf(now - session.changedAt, language)}, ${sizeOf(session.size, language)}`,
    detail: session.workspace ?? session.path,
    session,
  });
  return [...new Set(sessions.map(({ agent }) => agent))].map((agent) => ({
    title: agentTitles[agent],
    lines: sessions.filter((session) => session.agent === agent).map(lineOf),
  }));
}

/**
 * Time since something happened, such as “5 minutes ago”.
 *
 * @param language BCP 47
 */
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
