import { describe, expect, it } from 'vitest';
import { extractLedger } from '../../../src/compaction/ledger/extract.ts';
import type { Ledger } from '../../../src/compaction/messages/ledger.ts';
import type { Message } from '../../../src/compaction/messages/message.ts';
import { said, typed } from '../../support/messages.ts';

function conversation(...texts: readonly string[]): Ledger {
  return extractLedger(
    texts.flatMap((text, index) => [typed(`u${index}`, text), said(`a${index}`, 'Noted.')]),
  );
}

/** All statements that a ledger lists as valid. */
function current({ requests, decisions, constraints }: Ledger): string {
  return [...requests, ...decisions, ...constraints].join('\n');
}

describe('a sentence that a model repeats', () => {
  const chosen = 'We decided to use Postgres.';

  it('remains a decision of the user', () => {
    const ledger = extractLedger([typed('u1', chosen), said('a1', `Noted.\n${chosen}`)]);
    expect(ledger).toMatchObject({ decisions: [chosen], choices: [] });
  });

  it('does not make a replaced decision valid again', () => {
    const newer = 'Use MySQL instead of Postgres.';
    const ledger = extractLedger([typed('u1', chosen), typed('u2', newer), said('a1', chosen)]);
    expect(ledger).toMatchObject({ decisions: [newer], replaced: [{ text: chosen, by: newer }] });
  });
});

describe('a later statement of the user', () => {
  it.each([
    ['a value that is stated again', 'The port is 8080.', 'The port is 9090 now.'],
    ['a value that has changed', 'The deadline is March 3.', 'The deadline has moved to March 17.'],
    [
      'a value in other words',
      'The project codename is ABCDE-123.',
      'We are calling the project FGHIJ-456 now.',
    ],
    ['a value of the same thing', 'Decision: the port is 8080.', 'Decision: the port is 9090.'],
    ['a choice that names the old one', 'Use Jest for the tests.', 'Use Vitest instead of Jest.'],
    ['a second thought', "Let's use Redux for state.", "On second thought, let's go with Zustand."],
    [
      'a plan that is scratched',
      "For the portal, let's rewrite it in Rust.",
      "Actually, scratch that. Let's instead add a cache.",
    ],
    [
      'a proposal',
      'I think we should hire a contractor.',
      "Wait. Let me revise. Let's train the team instead.",
    ],
    [
      'a total reset',
      'Current plan: run a closed pilot.',
      'Ignore everything so far. New plan: ship it to everyone.',
    ],
    ['a rule and its contrary', 'Never push to main.', 'You may push to main now.'],
    [
      'a rule with another value',
      'Report all times in UTC.',
      'From now on, report all times in Pacific time.',
    ],
    ['a choice in Chinese', '我们决定用 MySQL。', '改用 PostgreSQL，不再用 MySQL。'],
  ])('replaces %s', (_case, before, after) => {
    const ledger = conversation(before, after);
    expect(ledger.replaced.map(({ text }) => text)).toEqual([before]);
    expect(current(ledger)).not.toContain(before);
    expect(current(ledger)).toContain(ledger.replaced[0]!.by);
  });

  it('replaces all earlier statements of a chain', () => {
    const { replaced } = conversation('The port is 1.', 'The port is 2 now.', 'The port is 3 now.');
    expect(replaced).toEqual([
      { text: 'The port is 1.', by: 'The port is 3 now.' },
      { text: 'The port is 2 now.', by: 'The port is 3 now.' },
    ]);
  });

  it('replaces a statement that only a summary still contains', () => {
    const before = conversation('Decision: listen on port 8080.', 'Never push to main.');
    const summary: Message = {
      ...typed('s', 'notes'),
      origin: 'strategy',
      kind: 'summary',
      carried: { ledger: before },
    };
    const { replaced, constraints } = extractLedger([
      summary,
      typed('u', 'Scratch that: listen on port 9090.'),
    ]);
    expect(replaced).toEqual([
      { text: 'Decision: listen on port 8080.', by: 'Scratch that: listen on port 9090.' },
    ]);
    expect(constraints).toEqual(['Never push to main.']);
  });
});

describe('two sentences that only look alike', () => {
  it.each([
    ['The production database is Postgres 14.', 'The staging database is MySQL 8.'],
    ['The primary deployment region is eu-north-2.', 'The backup deployment region is us-west-3.'],
    ['Run unit tests with pytest before pushing.', 'Run integration tests with make before release.'],
    ['The project spending ceiling is $500.', 'The new conference spending ceiling is $300.'],
    ['Never touch the vendor folder.', 'Never touch the generated files.'],
    ["Let's use Postgres for the store.", "Let's use Redis for the queue."],
  ])('are both valid: %s / %s', (one, other) => {
    const ledger = conversation(one, other);
    expect(ledger.replaced).toEqual([]);
    expect(current(ledger)).toContain(one);
    expect(current(ledger)).toContain(other);
  });

  it.each([
    [
      'Fix the notes of the skill loader in the log.',
      'Actually, the notes of the skill loader are in the log.',
    ],
    [
      'Make the search of the list use the index.',
      'Also fix the search of the list, which will use the index instead.',
    ],
  ])('are both valid, but not decisions: %s / %s', (one, other) => {
    expect(conversation(one, other)).toMatchObject({ replaced: [], decisions: [] });
  });

  it("are both valid if the second is the model's", () => {
    const { replaced } = extractLedger([
      typed('u', 'Use tabs for indentation.'),
      said('a', 'I decided to use spaces instead of tabs for indentation.'),
    ]);
    expect(replaced).toEqual([]);
  });
});
