import { describe, expect, it } from 'vitest';
import {
  longestTitle,
  ownTitleOf,
  shownStrategies,
  titleInRecord,
} from '../../../src/compaction/records/custom-strategy-title.ts';

describe('the own title of a custom strategy', () => {
  it('is one line without invisible characters', () => {
    expect(ownTitleOf(' Keep\n\u202EDeci\u200Bsions\u0007 ')).toBe('Keep Decisions');
  });

  it('is clipped, never inside a character', () => {
    const title = ownTitleOf('😀'.repeat(100)) ?? '';
    expect(title.length).toBeLessThanOrEqual(longestTitle);
    expect(title).toMatch(/^😀+…$/u);
  });

  it.each(['Ladder', 'llm-summary', 'hide', 'LLM Summary', 'Claude Code', '', ' \n', 7, null, undefined])(
    'is missing if it belongs to another strategy, or is empty: %o',
    (declared) => {
      expect(ownTitleOf(declared)).toBeUndefined();
    },
  );
});

describe('the strategies that a record shows', () => {
  const record = { requestedStrategy: 'custom', actualStrategy: 'custom' };

  it('have the title that was stored with it', () => {
    const shown = { requestedStrategy: 'Keep Decisions', actualStrategy: 'Keep Decisions' };
    expect(shownStrategies({ ...record, strategyTitle: 'Keep Decisions' })).toEqual(shown);
  });

  it('have their ids if there is none, or if the file has one that cannot be shown', () => {
    expect(shownStrategies(record)).toEqual(record);
    expect(shownStrategies({ ...record, strategyTitle: 'Ladder' })).toEqual(record);
  });

  it('do not confuse the title with another strategy', () => {
    const asked = { requestedStrategy: 'custom', actualStrategy: 'ladder', strategyTitle: 'Mine' };
    expect(shownStrategies(asked)).toEqual({ requestedStrategy: 'Mine', actualStrategy: 'ladder' });
  });
});

describe('the title of a strategy in a sentence', () => {
  it('is the own title of a custom strategy', () => {
    expect(titleInRecord('custom', { strategyTitle: 'Keep Decisions' })).toBe('Keep Decisions');
  });

  it('is the title from the catalogue if it declares none, and for every other strategy', () => {
    expect(titleInRecord('custom', {})).toMatchObject({ english: 'Custom' });
    expect(titleInRecord('ladder', { strategyTitle: 'Mine' })).toMatchObject({ english: 'Ladder' });
  });
});
