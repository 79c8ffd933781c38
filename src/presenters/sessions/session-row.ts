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
  /** Meter, age, agent and model of the session. */
  readonly description: string;
  /** The agent's working folder, the session's file, and the fill of its context. */
  readonly details: readonly string[];
  readonly isLive: boolean;
}

interface RowPorts {
  readonly factsOf: (model: string) => ModelFacts;
  readonly wording: Wording;
  /** Current time in milliseconds since 1970. */
  readonly now: number;
  /** True if the row names the agent, because rows of other agents are next to it. */
  readonly namesAgent?: boolean;
}

/** Title, model, meter and time of a session. Unknown parts are left out. */
export function sessionRow(
  session: ListedSession,
  { factsOf, wording, now, namesAgent }: RowPorts,
): SessionRow {
  const { path, usage, workspace, changedAt } = session;
  const goesOn = isLive(session, now);
  const model = usage?.model ?? session.model;
  const named = [workspace, path].map((name) => name && inLine(name));
  const age = goesOn ? wording.text(liveSentences.say('live')) : ageOf(now - changedAt, wording.language);
  const parts = [
    meterText(session, { factsOf, wording }),
    age,
    namesAgent === true ? agentTitles[session.agent] : undefined,
    model && inLine(model),
  ];
  return {
    label: titleOfSession(session, wording),
    description: parts.filter((part) => part !== undefined).join(' · '),
    details: [...named, usageText(session, factsOf, wording)].filter((detail) => detail !== undefined),
    isLive: goesOn,
  };
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

const steps = 5;

/** Five blocks and a percentage of the smallest possible window, because a tree view cannot draw a bar. */
function meterText(session: Filled, { factsOf, wording }: FillWording): string | undefined {
  const text = fillText(session, { factsOf, wording });
  const { tokens, window } = fullnessOfRow(session, factsOf) ?? {};
  if (text === undefined || tokens === undefined || window === undefined) return text;
  const full = Math.min(steps, Math.round((tokens / window) * steps));
  return `${'▰'.repeat(full)}${'▱'.repeat(steps - full)} ${text}`;
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
