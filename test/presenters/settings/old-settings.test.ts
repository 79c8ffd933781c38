import { describe, expect, it } from 'vitest';
import { strategyIds, strategyOf } from '../../../src/compaction/strategies/index.ts';
import {
  generalSettings,
  groupSettings,
  ownOptions,
} from '../../../src/presenters/settings/general-settings.ts';
import { isOldSetting, oldSettings, settingsMove } from '../../../src/presenters/settings/old-settings.ts';
import { readSettings } from '../../../src/presenters/settings/read-settings.ts';

const read = (values: Readonly<Record<string, unknown>>) => readSettings((name) => values[name]);
const move = (values: Readonly<Record<string, unknown>>) => settingsMove((name) => values[name]);

describe('settings of earlier versions', () => {
  it('are all read under their current names', () => {
    const now = new Set([
      ...Object.keys(generalSettings),
      ...Object.keys(groupSettings),
      ...strategyIds.map((id) => `strategies.${id}`),
    ]);
    expect(oldSettings.filter(({ setting }) => !now.has(setting))).toEqual([]);
    expect(oldSettings.filter(({ name }) => now.has(name))).toEqual([]);
    for (const id of strategyIds.filter((other) => other !== 'custom')) {
      const moved = oldSettings.filter(({ setting }) => setting === `strategies.${id}`);
      expect(moved.map(({ field }) => field)).toEqual(Object.keys(ownOptions(strategyOf(id).options)));
    }
  });

  it('still take effect', () => {
    expect(
      read({
        strategy: 'llm-summary',
        'llmSummary.preserveMessages': 4,
        triggerTokens: 50_000,
        triggerPlanStep: true,
        background: false,
        reservedOutput: 9_000,
        commandSandbox: 'off',
        durability: 'none',
        maxSummaryRequests: 3,
        api: 'chat',
        azureApiVersion: '2024-10-21',
        cacheMarks: 'off',
        customStrategy: './mine.mjs#Mine',
      }),
    ).toMatchObject({
      options: { preserveMessages: 4 },
      triggers: { triggerTokens: 50_000 },
      triggerPlanStep: true,
      background: false,
      reservedOutput: 9_000,
      commandSandbox: 'off',
      durability: 'none',
      spendingLimit: { requests: 3, tokens: 10_000_000 },
      api: 'chat',
      azureApiVersion: '2024-10-21',
      cacheMarks: 'off',
      customStrategy: './mine.mjs#Mine',
      problems: [],
    });
  });

  it('are overridden by current settings', () => {
    const values = { 'triggers.tokens': 1, triggerTokens: 50_000, triggers: { tokens: 70_000 } };
    expect(read(values).triggers.triggerTokens).toBe(70_000);
  });

  it('of a single strategy add to the shared focus, and replace the shared model', () => {
    const values = {
      strategy: 'ladder',
      focus: 'errors',
      'ladder.focus': 'names',
      compactionModel: 'large',
      'ladder.model': 'small',
      'chunked.model': 'other',
    };
    expect(read(values)).toMatchObject({ focus: 'names\nerrors', compactionModel: 'small' });
  });

  it('are reported like other settings if a value is invalid', () => {
    expect(read({ triggerTurns: -1 }).problems.map(({ english }) => english)).toEqual([
      'contextBudget.triggers: turns must be a whole number from 0 to 100,000, not -1. The default is used.',
    ]);
  });

  it('are recognised by their names', () => {
    const names = ['ladder.preview', 'customStrategy', 'ladder', 'focus'];
    expect(names.filter(isOldSetting)).toEqual(['ladder.preview', 'customStrategy']);
  });
});

describe('the move of old settings', () => {
  it('is empty without old settings', () => {
    expect(move({ focus: 'errors', triggers: { tokens: 1 } })).toBeUndefined();
  });

  it('writes one object of current settings for each strategy, and removes the old settings', () => {
    expect(
      move({
        'ladder.preview': 5,
        'ladder.early': false,
        'strategies.ladder': { early: true },
        'chunked.size': 10,
      }),
    ).toEqual({
      write: [
        ['strategies.chunked', { size: 10 }],
        ['strategies.ladder', { preview: 5, early: true }],
      ],
      remove: ['chunked.size', 'ladder.preview', 'ladder.early'],
    });
  });

  it('keeps a setting for all strategies, or else combines the settings of single strategies', () => {
    expect(move({ focus: 'all', 'ladder.focus': 'names' })?.write).toEqual([['focus', 'all']]);
    expect(
      move({ 'chunked.focus': 'names', 'ladder.focus': 'errors', 'ladder.model': 'small' })?.write,
    ).toEqual([
      ['focus', 'names\nerrors'],
      ['compactionModel', 'small'],
    ]);
  });
});
