import { agentTitles } from '../../language/agent-titles.ts';
import { liveSentences } from '../../language/english/live-english.ts';
import type { Sentence } from '../../language/sentence.ts';
import type { FoundAgent } from '../../transcripts/found-agents.ts';
import { fillText, type RowPorts } from './session-row.ts';
import type { SessionCatalogue } from './session-catalogue.ts';

/** The sessions of other agents, as a new chat describes them. */
export interface FoundSessions {
  readonly sentence: Sentence;
  /** Path of the session to open; undefined if none is about the open folders, so that the user chooses. */
  readonly path: string | undefined;
}

/** Number of sessions about the open folders that are read. The newest may turn out to be empty. */
const mostRead = 3;

/** Describes the sessions about the open folders, or else those on this computer; undefined if there are none. */
export async function foundSessions(
  catalogue: SessionCatalogue,
  ports: RowPorts,
): Promise<FoundSessions | undefined> {
  const agents = await catalogue.listOnce();
  if (agents.length === 0) return undefined;
  await catalogue.readAll();
  const [newest] = (await catalogue.ofWorkspace(mostRead)).sessions;
  if (newest === undefined) {
    const sentence = liveSentences.say('startElsewhere', counted(agents));
    return { sentence, path: undefined };
  }
  const here = counted(catalogue.agentsOfWorkspace);
  const live = (await catalogue.growing(ports.now)).length;
  const fill = fillText(newest, ports);
  const isOne = here.count === 1 || live === 1;
  const facts = [
    liveSentences.say('startHere', here),
    ...(live === 0
      ? []
      : [live === 1 ? liveSentences.say('oneLive') : liveSentences.say('someLive', { live })]),
    ...(fill === undefined ? [] : [liveSentences.say(isOne ? 'full' : 'newestFull', { fill })]),
  ];
  return { sentence: liveSentences.say('start', { facts }), path: newest.path };
}

function counted(agents: readonly { readonly agent: FoundAgent; readonly count: number }[]): {
  readonly count: number;
  readonly agents: string | Sentence;
} {
  const count = agents.reduce((sum, one) => sum + one.count, 0);
  return { count, agents: named(agents.map(({ agent }) => agentTitles[agent])) };
}

function named(titles: readonly string[]): string | Sentence {
  const [first = '', last, ...others] = titles;
  if (last === undefined) return first;
  if (others.length > 0) return liveSentences.say('agentCount', { count: titles.length });
  return liveSentences.say('lostAndLost', { first, last });
}
