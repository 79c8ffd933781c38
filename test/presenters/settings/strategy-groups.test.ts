import { describe, expect, it } from 'vitest';
import { strategyIds, strategyOf } from '../../../src/compaction/strategies/index.ts';
import { strategyChoiceChinese } from '../../../src/language/chinese/strategy-choice-chinese.ts';
import { strategyChoice } from '../../../src/language/english/strategy-choice-english.ts';
import { defaultStrategy } from '../../../src/presenters/settings/general-settings.ts';
import { strategyGroups } from '../../../src/presenters/settings/strategy-groups.ts';

describe('the groups of strategies', () => {
  it('contain every strategy once', () => {
    expect(strategyGroups.flatMap(({ ids }) => ids).toSorted()).toEqual(strategyIds.toSorted());
  });

  it('begin with the default strategy, and end with “none”', () => {
    expect(strategyGroups[0]?.ids[0]).toBe(defaultStrategy);
    expect(strategyGroups.at(-1)?.ids).toEqual(['none']);
  });

  it('separate strategies that use a model from those that do not', () => {
    const withoutModel = strategyGroups.find(({ group }) => group === 'withoutModel');
    expect(withoutModel?.ids.filter((id) => strategyOf(id).needsModel)).toEqual([]);
  });

  it.each([
    ['English', strategyChoice.english, 64],
    ['Chinese', strategyChoiceChinese.table, 32],
  ])('describe each strategy on one line in %s', (_language, table, most) => {
    expect(Object.values(table).filter((line) => line.length > most)).toEqual([]);
  });
});
