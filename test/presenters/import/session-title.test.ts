import { describe, expect, it } from 'vitest';
import { englishWording } from '../../../src/language/translated/wording.ts';
import { titleOfSession } from '../../../src/presenters/import/session-title.ts';

describe('the title of a session of another agent', () => {
  const changedAt = new Date(2026, 10, 26, 14, 5).getTime();
  const session = { agent: 'claude-code', changedAt } as const;

  it('is the title in its file', () => {
    expect(titleOfSession({ ...session, title: 'Tidy up' }, englishWording)).toBe('Tidy up');
  });

  it('is the agent and the start time if nothing was typed', () => {
    const startedAt = new Date(2026, 10, 25, 9, 30).getTime();
    const untitled = { ...session, title: undefined };
    expect(titleOfSession(untitled, englishWording)).toBe('Claude Code session, Nov 26, 14:05');
    expect(titleOfSession({ ...untitled, startedAt }, englishWording)).toBe(
      'Claude Code session, Nov 25, 09:30',
    );
  });
});
