import { describe, expect, it } from 'vitest';
import { titleOfSession } from '../../../src/presenters/import/session-title.ts';
import { englishWording } from '../../../src/language/translated/wording.ts';
import type { ListedSession } from '../../../src/presenters/import/found-sessions.ts';
import { sessionGroups } from '../../../src/presenters/import/session-groups.ts';

describe('grouping sessions', () => {
  const now = Date.UTC(2026, 0, 10);
  const options = { here: 'Here', now, wording: englishWording };
  const session = (more: Partial<ListedSession>): ListedSession => ({
    agent: 'codex',
    path: '/sessions/rollout-1.jsonl',
    title: 'Tidy up',
    workspace: '/projects/here',
    isOfWorkspace: false,
    changedAt: now,
    size: 1_000,
    ...more,
  });
  const lineOf = (more: Partial<ListedSession>) => sessionGroups([session(more)], options)[0]!.lines[0]!;

  describe('the list of sessions', () => {
    it('has a group for each agent, in the order of the sessions', () => {
      const groups = sessionGroups(
        [
          session({ agent: 'cline', title: 'one' }),
          session({ agent: 'codex', title: 'two' }),
          session({ agent: 'cline', title: 'three' }),
        ],
        options,
      );
      expect(groups.map(({ title, lines }) => [title, ...lines.map(({ label }) => label)])).toEqual([
        ['Cline', 'one', 'three'],
        ['Codex', 'two'],
      ]);
    });

    it('begins with the sessions of the open folder, regardless of the agent', () => {
      const groups = sessionGroups(
        [
          session({ agent: 'cline', title: 'one', isOfWorkspace: true }),
          session({ agent: 'codex', title: 'two', isOfWorkspace: true }),
          session({ agent: 'codex', title: 'of two', parent: '/two' }),
          session({ agent: 'cline', title: 'three' }),
        ],
        options,
      );
      expect(groups.map(({ title, lines }) => [title, ...lines.map(({ label }) => label)])).toEqual([
        ['Here', 'one', 'two', '↳ of two'],
        ['Cline', 'three'],
      ]);
      expect(groups[0]!.lines[0]!.description).toBe('Cline, this minute, 1 kB');
    });

    it.each([
      [now, 1_000, 'this minute, 1 kB'],
      [now - 59 * 60_000, 10, '59 minutes ago, 1 kB'],
      [now - 5 * 3_600_000, 64_400, '5 hours ago, 64 kB'],
      [now - 24 * 3_600_000, 1_250_000, 'yesterday, 1.3 MB'],
      [now - 9 * 24 * 3_600_000, 104_000_000, '9 days ago, 104 MB'],
      [now + 60_000, 1_000, 'this minute, 1 kB'],
    ])('states the age and the size of a session (%d, %d)', (changedAt, size, description) => {
      expect(lineOf({ changedAt, size }).description).toBe(description);
    });

    it('marks the sub-agents of a session', () => {
      expect(lineOf({ title: 'Find it', parent: '/sessions/s.jsonl' }).label).toBe('↳ Find it');
    });

    it('shows agent, time and path for a session without title and folder', () => {
      expect(lineOf({ title: undefined, workspace: undefined })).toMatchObject({
        label: titleOfSession(session({ title: undefined }), englishWording),
        detail: '/sessions/rollout-1.jsonl',
      });
    });
  });
});
