import { beforeEach, describe, expect, it, vi } from 'vitest';
import { configureStrategy } from '../../../src/extension/settings/configure-strategy.ts';
import {
  answers,
  commandsRun,
  levels,
  questions,
  resetEditor,
  workspace,
} from '../../support/editor/vscode-settings.ts';

vi.mock('vscode', () => import('../../support/editor/vscode-settings.ts'));

const truncation = 'contextBudget.strategies.middle-truncation';
const masking = 'contextBudget.strategies.observation-masking';

beforeEach(() => {
  resetEditor();
  commandsRun.length = 0;
});

describe('the strategy to configure', () => {
  it('is chosen from the strategies with options, with the current one marked', async () => {
    await configureStrategy('middle-truncation');
    const [{ entries }] = questions as [(typeof questions)[0]];
    expect(entries[0]).toBe('Ladder');
    expect(entries.filter((entry) => entry.endsWith(' current'))).toEqual(['Middle Truncation current']);
    expect(entries).not.toContain('None');
  });

  it('is shown with its options and their current values', async () => {
    levels.workspace.set(truncation, { maxChars: 1_500 });
    answers.push('Middle Truncation');
    await configureStrategy('ladder');
    expect(questions[1]).toEqual({
      title: 'Middle Truncation',
      entries: ['maxChars 1500', 'keep ends', 'Reset to Defaults', 'Open in Settings'],
    });
  });
});

describe('an option', () => {
  it('is set in the workspace, next to the other options of its strategy', async () => {
    levels.workspace.set(masking, { minGain: 900 });
    answers.push('Observation Masking', 'preview', '3');
    await configureStrategy('ladder');
    expect(levels.workspace.get(masking)).toEqual({ minGain: 900, preview: 3 });
    expect(levels.global.size).toBe(0);
  });

  it('is set for every window if no folder is open', async () => {
    workspace.workspaceFolders = [];
    levels.workspace.set(truncation, { maxChars: 600 });
    answers.push('Middle Truncation', 'maxChars', '2,500');
    await configureStrategy('ladder');
    expect(levels.global.get(truncation)).toEqual({ maxChars: 2_500 });
  });

  it('refuses an invalid value in a sentence, and accepts the next', async () => {
    answers.push('Middle Truncation', 'maxChars', '12', 'many', '2500');
    await configureStrategy('ladder');
    expect(questions.flatMap(({ refused }) => refused ?? [])).toEqual([
      expect.stringMatching(/^maxChars must be a whole number from 500 to 10,?000,?000, not 12\.$/),
      expect.stringContaining('not "many"'),
    ]);
    expect(levels.workspace.get(truncation)).toEqual({ maxChars: 2_500 });
  });

  it('stays unchanged when its box is closed', async () => {
    answers.push('Middle Truncation', 'maxChars', undefined);
    await configureStrategy('ladder');
    expect(levels.workspace.size).toBe(0);
    expect(questions.at(-1)?.title).toBe('Middle Truncation');
  });

  it('with a choice of values is chosen from a list', async () => {
    answers.push('Observation Masking', 'early', 'true');
    await configureStrategy('ladder');
    expect(questions[2]).toEqual({ title: 'early', entries: ['true', 'false'] });
    expect(levels.workspace.get(masking)).toEqual({ early: true });
  });

  it('with several values is typed as a list in order', async () => {
    answers.push('Budgeted', 'order', 'documents, nothing', 'documents, toolOutput');
    await configureStrategy('ladder');
    expect(questions[2]?.refused).toMatch(/^order must be /);
    expect(levels.workspace.get('contextBudget.strategies.budgeted')).toEqual({
      order: ['documents', 'toolOutput'],
    });
  });

  it('is edited in the settings if it is too long for a line', async () => {
    answers.push('Budgeted', 'allocation');
    await configureStrategy('ladder');
    expect(commandsRun.at(-1)).toEqual([
      'workbench.action.openSettings',
      '@id:contextBudget.strategies.budgeted',
    ]);
  });
});

describe('the options of a strategy', () => {
  it('are reset to their defaults together', async () => {
    levels.workspace.set(truncation, { maxChars: 1_500 });
    answers.push('Middle Truncation', 'Reset to Defaults');
    await configureStrategy('ladder');
    expect(levels.workspace.has(truncation)).toBe(false);
  });
});
