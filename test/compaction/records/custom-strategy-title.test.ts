import { describe, expect, it } from 'vitest';
import {
  longestTitle,
  declaredTitleOf,
  shownStrategies,
  titleInRecord,
} from '../../../src/compaction/records/custom-strategy-title.ts';

describe('the title that a custom strategy declares', () => {
  it('is one line without invisible characters', () => {
    expect(declaredTitleOf(' Keep\n\u202EDeci\u200Bsions\u0007 ')).toBe('Keep Decisions');
  });

  it('is clipped, but never within a character', () => {
    const title = declaredTitleOf('😀'.repeat(100)) ?? '';
    expect(title.length).toBeLessThanOrEqual(longestTitle);
    expect(title).toMatch(/^😀+…$/u);
  });

  it.each(['Ladder', 'llm-summary', 'hide', 'LLM Summary', 'Claude Code', '', ' \n', 7, null, undefined])(
    'is ignored if it belongs to another strategy or is empty: %o',
    (declared) => {
      expect(declaredTitleOf(declared)).toBeUndefined();
    },
  );
});

describe('the strategies named in a record', () => {
  const record = { requestedStrategy: 'custom', actualStrategy: 'custom' };

  it('are shown by the title stored in the record', () => {
    const shown = { requestedStrategy: 'Keep Decisions', actualStrategy: 'Keep Decisions' };
    expect(shownStrategies({ ...record, strategyTitle: 'Keep Decisions' })).toEqual(shown);
  });

  it('are shown by id if the stored title is missing or invalid', () => {
    expect(shownStrategies(record)).toEqual(record);
    expect(shownStrategies({ ...record, strategyTitle: 'Ladder' })).toEqual(record);
  });

  it('use the stored title only for the custom strategy', () => {
    const asked = { requestedStrategy: 'custom', actualStrategy: 'ladder', strategyTitle: 'Mine' };
    expect(shownStrategies(asked)).toEqual({ requestedStrategy: 'Mine', actualStrategy: 'ladder' });
  });
});

describe('the title of a strategy in a sentence', () => {
  it('is the declared title of a custom strategy', () => {
    expect(titleInRecord('custom', { strategyTitle: 'Keep Decisions' })).toBe('Keep Decisions');
  });

  it('is the title from the catalogue for other strategies, or if no title is declared', () => {
    expect(titleInRecord('custom', {})).toMatchObject({ english: 'Custom' });
    expect(titleInRecord('ladder', { strategyTitle: 'Mine' })).toMatchObject({ english: 'Ladder' });
  });
});
