import { describe, expect, it } from 'vitest';
import { factsOfModel } from '../../../src/compaction/budget/model-table.ts';
import { foundSessions } from '../../../src/presenters/sessions/start-sentence.ts';
import type { SessionCatalogue } from '../../../src/presenters/sessions/session-catalogue.ts';
import type { ListedSession } from '../../../src/presenters/import/found-sessions.ts';
import { englishWording } from '../../../src/language/translated/wording.ts';
import type { FoundAgent } from '../../../src/transcripts/found-agents.ts';

const now = Date.UTC(2026, 1, 3);
const minute = 60_000;

interface Made {
  readonly agent?: FoundAgent;
  readonly isElsewhere?: boolean;
  /** Minutes since the last change. */
  readonly age?: number;
  readonly tokens?: number;
}

function session({ agent = 'claude-code', isElsewhere = false, age = 60, tokens }: Made): ListedSession {
  return {
    ...{ agent, path: `/${agent}/${age}.jsonl`, title: 'a', workspace: undefined, size: 1 },
    ...{ isOfWorkspace: !isElsewhere, changedAt: now - age * minute },
    usage: tokens === undefined ? undefined : { tokens, model: 'claude-sonnet-4-5' },
  };
}

function counts(sessions: readonly ListedSession[]) {
  const agents = new Set(sessions.map(({ agent }) => agent));
  return [...agents].map((agent) => ({
    agent,
    count: sessions.filter((one) => one.agent === agent).length,
    changedAt: now,
  }));
}

/** The sentence and the session to open, with these sessions on the computer, newest first. */
async function start(...made: readonly Made[]) {
  const sessions = made.map(session);
  const here = sessions.filter(({ isOfWorkspace }) => isOfWorkspace);
  const found = await foundSessions(
    {
      listOnce: () => Promise.resolve(counts(sessions)),
      readAll: () => Promise.resolve(),
      ofWorkspace: (count: number) => Promise.resolve({ sessions: here.slice(0, count), left: 0 }),
      agentsOfWorkspace: counts(here),
      growing: () => Promise.resolve(here.filter(({ changedAt }) => now - changedAt < 5 * minute)),
    } as unknown as SessionCatalogue,
    { factsOf: (model) => factsOfModel(model), wording: englishWording, now },
  );
  return found && { text: englishWording.text(found.sentence), path: found.path };
}

describe('the sessions that a new chat begins with', () => {
  it('are those about the open folder: how many, which is live, and how full it is', async () => {
    expect(await start({ age: 0, tokens: 138_000 }, { age: 90 }, { isElsewhere: true })).toEqual({
      text: '2 sessions of Claude Code in this folder, one live, 69% full.',
      path: '/claude-code/0.jsonl',
    });
  });

  it.each([
    [[{ agent: 'codex', age: 9 }], '1 session of Codex in this folder.'],
    [[{ tokens: 100_000 }], '1 session of Claude Code in this folder, 50% full.'],
    [
      [{ tokens: 100_000 }, { agent: 'codex' }],
      '2 sessions of Claude Code and Codex in this folder, the newest 50% full.',
    ],
    [
      [{ age: 0, tokens: 20_000 }, { age: 1 }, { agent: 'pi' }, { agent: 'cline' }],
      '4 sessions of 3 agents in this folder, 2 live, the newest 10% full.',
    ],
  ] as const)('have a sentence for each number of agents and live sessions: %#', async (made, text) => {
    expect((await start(...made))?.text).toBe(text);
  });

  it('are all on the computer, to choose from, if none is about the open folder', async () => {
    const made = { isElsewhere: true };
    expect(await start(made, { ...made, agent: 'codex' })).toEqual({
      text: '2 sessions of Claude Code and Codex on this computer.',
      path: undefined,
    });
  });

  it('are absent without sessions of other agents', async () => {
    expect(await start()).toBeUndefined();
  });
});
