import type { ModelFacts } from '../../compaction/budget/model-table.ts';
import { percentText } from '../../language/percent.ts';
import { agentTitles } from '../../language/agent-titles.ts';
import { liveSentences } from '../../language/live-english.ts';
import type { Wording } from '../../language/wording.ts';
import type { LastUsage } from '../../transcripts/head-fields.ts';
import { ageOf } from '../import/session-groups.ts';
import { isLive, type ListedSession } from './session-catalogue.ts';
import { titleOfSession } from '../import/session-title.ts';

/** A session of another agent as a row of the tree. */
export interface SessionRow {
  readonly label: string;
  /** Meter, age, agent and model. */
  readonly description: string;
  /** The folder it was held in, its file, and the fill of its context. */
  readonly details: readonly string[];
  readonly isLive: boolean;
}

export interface RowPorts {
  readonly factsOf: (model: string) => ModelFacts;
  readonly wording: Wording;
  /** Milliseconds since 1970. */
  readonly now: number;
  /** The row stands among those of other agents. */
  readonly namesAgent?: boolean;
}

/** Title, model, meter and time of a session. What its file does not say is left out. */
export function sessionRow(
  session: ListedSession,
  { factsOf, wording, now, namesAgent }: RowPorts,
): SessionRow {
  const { path, usage, workspace, changedAt } = session;
  const goesOn = isLive(session, now);
  const model = usage?.model ?? session.model;
  const age = goesOn ? wording.text(liveSentences.say('live')) : ageOf(now - changedAt, wording.language);
  const share = shareOf(session, factsOf);
  const meter = share === undefined ? undefined : meterText(share, wording);
  const parts = [
    meter ?? fillText(session, { factsOf, wording }),
    age,
    namesAgent === true ? agentTitles[session.agent] : undefined,
    model,
  ];
  return {
    label: titleOfSession(session, wording),
    description: parts.filter((part) => part !== undefined).join(' · '),
    details: [workspace, path, usageText(session, factsOf, wording)].filter((detail) => detail !== undefined),
    isLive: goesOn,
  };
}

/**
 * The fill of a session's context: its share of the window, or the tokens alone if the window is not known.
 *
 * @returns undefined if its file reports none
 */
export function fillText(
  session: Pick<ListedSession, 'usage' | 'model'>,
  { factsOf, wording }: Pick<RowPorts, 'factsOf' | 'wording'>,
): string | undefined {
  const { usage } = session;
  const share = shareOf(session, factsOf);
  if (share !== undefined) return percentText(share, wording.language);
  return usage && wording.text(liveSentences.say('tokensReported', { tokens: usage.tokens }));
}

/** Part of the window that the context of a session fills, 0 to 1; undefined if either is unknown. */
function shareOf(
  { usage, model }: { readonly usage: LastUsage | undefined; readonly model?: string | undefined },
  factsOf: RowPorts['factsOf'],
): number | undefined {
  const window = windowOf(usage, usage?.model ?? model, factsOf);
  return usage === undefined || window === undefined ? undefined : usage.tokens / window;
}

function windowOf(
  usage: LastUsage | undefined,
  model: string | undefined,
  factsOf: RowPorts['factsOf'],
): number | undefined {
  if (usage?.window !== undefined || usage?.hasOwnWindows === true) return usage.window;
  const { window } = model === undefined ? {} : factsOf(model);
  // A request that was larger than the table's window shows that the table does not know this one.
  return window !== undefined && (usage?.tokens ?? 0) <= window ? window : undefined;
}

const steps = 5;

/** Five steps and a number: a tree shows no drawing. */
function meterText(share: number, { language }: Wording): string {
  const full = Math.min(steps, Math.round(share * steps));
  return `${'▰'.repeat(full)}${'▱'.repeat(steps - full)} ${percentText(share, language)}`;
}

function usageText(
  session: ListedSession,
  factsOf: RowPorts['factsOf'],
  wording: Wording,
): string | undefined {
  const { usage } = session;
  if (usage === undefined) return undefined;
  const { tokens } = usage;
  const window = windowOf(usage, usage.model ?? session.model, factsOf);
  if (window === undefined) return wording.text(liveSentences.say('tokensReported', { tokens }));
  const share = percentText(tokens / window, wording.language);
  return wording.text(liveSentences.say('tokensOfWindow', { tokens, window, share }));
}
