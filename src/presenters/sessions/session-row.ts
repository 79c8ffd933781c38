import type { ModelFacts } from '../../compaction/budget/model-table.ts';
import { type Fullness, fullnessOf } from '../../insights/context-fullness.ts';
import { inLine } from '../../compaction/quoting/quoted.ts';
import { percentText } from '../../language/percent.ts';
import { agentTitles } from '../../language/agent-titles.ts';
import { liveSentences } from '../../language/english/live-english.ts';
import type { Wording } from '../../language/translated/wording.ts';
import { ageOf } from '../import/session-groups.ts';
import type { ListedSession } from '../import/found-sessions.ts';
import { isLive } from './session-catalogue.ts';
import { titleOfSession } from '../import/session-title.ts';

interface SessionRow {
  readonly label: string;
  /** Fill and age of the session. Short, because the agent is in the icon. */
  readonly description: string;
  /** The whole row as a screen reader says it. */
  readonly spoken: string;
  /** Agent and model, the agent's working folder, the session's file, and the fill of its context. */
  readonly details: readonly string[];
  /** Share of the smallest possible window that is full; undefined if unknown. */
  readonly share: number | undefined;
  readonly isLive: boolean;
}

export interface RowPorts {
  readonly factsOf: (model: string) => ModelFacts;
  readonly wording: Wording;
  /** Current time in milliseconds since 1970. */
  readonly now: number;
}

/** Title, fill and time of a session, with its agent and model. Unknown parts are left out. */
export function sessionRow(session: ListedSession, { factsOf, wording, now }: RowPorts): SessionRow {
  const { agent, path, usage, workspace, changedAt } = session;
  const goesOn = isLive(session, now);
  const model = usage?.model ?? session.model;
  const named = [workspace, path].map((name) => name && inLine(name));
  const age = goesOn ? wording.text(liveSentences.say('live')) : ageOf(now - changedAt, wording.language);
  const label = titleOfSession(session, wording);
  const fill = fillText(session, { factsOf, wording });
  const { tokens, window } = fullnessOfRow(session, factsOf) ?? {};
  const isShare = tokens !== undefined && window !== undefined;
  const spokenFill = isShare && fill !== undefined ? wording.text(liveSentences.say('full', { fill })) : fill;
  const ofAgent = told([agentTitles[agent], model && inLine(model)]);
  return {
    label,
    description: told([fill, age]).join(' · '),
    spoken: told([label, agentTitles[agent], spokenFill, age]).join(', '),
    details: told([ofAgent.join(' · '), ...named, usageText(session, factsOf, wording)]),
    share: isShare ? tokens / window : undefined,
    isLive: goesOn,
  };
}

function told(parts: readonly (string | undefined)[]): readonly string[] {
  return parts.filter((part) => part !== undefined);
}

type Filled = Pick<ListedSession, 'usage' | 'fullness' | 'limits' | 'model'>;
type FillWording = Pick<RowPorts, 'factsOf' | 'wording'>;

/** The fill of a context: a share of the window, a share of both possible windows, or tokens; undefined if unknown. */
export function fillText(session: Filled, { factsOf, wording }: FillWording): string | undefined {
  const fullness = fullnessOfRow(session, factsOf);
  if (fullness === undefined) return undefined;
  const { tokens, window, alternatives } = fullness;
  if (window === undefined) return wording.text(liveSentences.say('tokensReported', { tokens }));
  const [share, otherShare] = [window, ...alternatives].map((whole) => {
    return percentText(tokens / whole, wording.language);
  });
  return otherShare === undefined
    ? share
    : wording.text(liveSentences.say('either', { share: share ?? '', otherShare }));
}

/** The fill computed from the whole session, or else from the end of its file; undefined if unknown. */
function fullnessOfRow(
  { fullness, usage, limits, model: named }: Filled,
  factsOf: RowPorts['factsOf'],
): Fullness | undefined {
  if (fullness !== undefined || usage === undefined) return fullness;
  const { tokens, window: stated, hasOwnWindows, model = named } = usage;
  const facts = hasOwnWindows === true || model === undefined ? undefined : factsOf(model);
  const reported = { tokens, since: 0 };
  return fullnessOf({ counted: tokens, reported, stated, set: limits, model, facts, largest: tokens });
}

function usageText(
  session: ListedSession,
  factsOf: RowPorts['factsOf'],
  wording: Wording,
): string | undefined {
  const fullness = fullnessOfRow(session, factsOf);
  if (fullness === undefined) return undefined;
  const { tokens, window, alternatives, compactsAt } = fullness;
  const share = (whole: number) => percentText(tokens / whole, wording.language);
  const [other] = alternatives;
  const size =
    window === undefined
      ? liveSentences.say('tokensReported', { tokens })
      : other === undefined
        ? liveSentences.say('tokensOfWindow', { tokens, window, share: share(window) })
        : liveSentences.say('tokensOfEither', {
            tokens,
            window,
            other,
            share: share(window),
            otherShare: share(other),
          });
  const trigger =
    compactsAt === undefined
      ? []
      : [liveSentences.say('tokensOfTrigger', { share: share(compactsAt), trigger: compactsAt })];
  return [size, ...trigger].map((sentence) => wording.text(sentence)).join(' · ');
}
