import { describe, expect, it } from 'vitest';
import { extractLedger } from '../../../src/compaction/ledger/extract.ts';
import { emptyLedger } from '../../../src/compaction/messages/ledger.ts';
import { toMessage } from '../../../src/compaction/messages/message.ts';
import { lostLedger, writeLostFacts } from '../../../src/insights/handoff/lost-facts.ts';

const typedMessage = (content: string) =>
  toMessage({ role: 'user', content }, { id: 'm1', origin: 'person', createdAt: '2026-01-01T00:00:00.000Z' });
const after = (...written: readonly string[]) => written.map(typedMessage);
const byCharacters = (texts: readonly string[]) => Promise.resolve(texts.map((text) => text.length));

describe('lostLedger', () => {
  const history = { ...emptyLedger, filesRead: ['/home/me/proj/packages/a/src/store.ts'] };
  const folder = '/home/me/proj/packages/a';
  const isLost = (summary: string, from: string | undefined = folder) =>
    lostLedger(history, after(summary), from).filesRead.length > 0;

  it.each([
    'See /home/me/proj/packages/a/src/store.ts.',
    'See `src/store.ts`.',
    'See ./src/store.ts.',
    'See packages/a/src/store.ts.',
  ])('does not list a file that the summary names as “%s”', (summary) => {
    expect(isLost(summary)).toBe(false);
  });

  it.each([
    'See store.ts.',
    'See src/old-store.ts.',
    'See other/src/store.ts.',
    'See packages/b/src/store.ts.',
  ])('lists a file if the summary only contains “%s”', (summary) => {
    expect(isLost(summary)).toBe(true);
  });

  it('recognises only the absolute path if the folder is unknown or different', () => {
    expect(lostLedger(history, after('See src/store.ts.')).filesRead).toHaveLength(1);
    expect(isLost('See src/store.ts.', '/home/me/other')).toBe(true);
  });

  it('recognises the absolute path for a relative path in the session', () => {
    const relative = { ...emptyLedger, filesModified: [{ path: 'src/store.ts' }] };
    expect(lostLedger(relative, after('See /p/src/store.ts.'), '/p').filesModified).toEqual([]);
    expect(lostLedger(relative, after('See /q/src/store.ts.'), '/p').filesModified).toHaveLength(1);
  });

  it.each([
    'never edit files under gen/',
    '- **Never edit files under `gen/`**',
    'He said: “Never edit files under gen/”!',
  ])('does not list a sentence that the summary contains as “%s”', (summary) => {
    const said = { ...emptyLedger, constraints: ['Never edit files under gen/.'] };
    expect(lostLedger(said, after(summary)).constraints).toEqual([]);
  });

  it('lists a long request unless the summary repeats all of it', () => {
    const request = `Fix this:\n\n${'one two three four '.repeat(40)}`;
    const { requests } = extractLedger([typedMessage(request)]);
    expect(lostLedger({ ...emptyLedger, requests }, after(`[user] ${request}`)).requests).toEqual([]);
    expect(lostLedger({ ...emptyLedger, requests }, after('[user] Fix this:')).requests).toHaveLength(1);
  });

  it('lists a sentence if the summary contains only part of it', () => {
    const said = { ...emptyLedger, decisions: ['Use pnpm, not npm.'] };
    expect(lostLedger(said, after('Use pnpm.')).decisions).toHaveLength(1);
  });
});

describe('writeLostFacts', () => {
  it('lists requests without the sentences that are already listed', async () => {
    const ledger = {
      ...emptyLedger,
      constraints: ['Never push.', 'Also never touch package.json.'],
      decisions: ['Use pnpm, not npm.'],
      requests: ['Never push. Use pnpm, not npm. Fix the login.', 'Also never touch package.json.'],
    };
    const text = await writeLostFacts(ledger, 10_000, byCharacters);
    expect(text).toContain('## Asked earlier (by the user)\n\n- Fix the login.');
    for (const sentence of [...ledger.constraints, ...ledger.decisions]) {
      expect(text.split(sentence), sentence).toHaveLength(2);
    }
  });

  it('drops facts that can be found again before it drops rules', async () => {
    const many = (text: string) => Array.from({ length: 200 }, (_, index) => `${text} ${index} of them all.`);
    const ledger = {
      ...emptyLedger,
      filesRead: many('File'),
      constraints: many('Rule'),
      requests: many('Task'),
    };
    const text = await writeLostFacts(ledger, 4_000, byCharacters);
    const shown = (word: string) => text.split(`${word} `).length - 1;
    expect(text.length).toBeLessThanOrEqual(4_000);
    expect(shown('Rule')).toBeGreaterThan(2 * shown('File'));
    expect(shown('File')).toBeGreaterThan(0);
    expect(shown('Task')).toBeGreaterThan(0);
  });

  it('begins with the facts that an agent needs most', async () => {
    const ledger = {
      ...emptyLedger,
      filesRead: ['src/read.ts'],
      requests: ['Fix the login.'],
      constraints: ['Never push.'],
      errors: [{ text: 'TypeError: x', tool: 'Bash' }],
      filesModified: [{ path: 'src/changed.ts', edits: 1 }],
    };
    const text = await writeLostFacts(ledger, 10_000, byCharacters);
    const places = ['Never push.', 'src/changed.ts', 'TypeError: x', 'src/read.ts', 'Fix the login.'].map(
      (fact) => text.indexOf(fact),
    );
    expect(places).toEqual(places.toSorted((one, other) => one - other));
    expect(places[0]).toBeGreaterThan(0);
  });
});
