import { describe, expect, it } from 'vitest';
import { findVscodeModel, vscodeModelName } from '../../../src/extension/models/vscode-choice.ts';

const models = [
  { vendor: 'copilot', id: 'gpt-5-mini-2', family: 'gpt-5-mini', name: 'GPT-5 mini' },
  { vendor: 'other', id: 'gpt-5-mini', family: 'gpt', name: 'Mine' },
];

describe('a model of VS Code’s', () => {
  it('is found by vendor and id, by id, by family and by what people call it', () => {
    const found = (name: string) => findVscodeModel(models, name)?.vendor;
    expect(found('copilot/gpt-5-mini-2')).toBe('copilot');
    expect(found('copilot/gpt-5-mini')).toBe('copilot');
    expect(found('GPT-5 mini')).toBe('copilot');
    expect(found('gpt')).toBe('other');
  });

  it('is the one whose id it is before the one whose family it is', () => {
    expect(findVscodeModel(models, 'gpt-5-mini')?.vendor).toBe('other');
  });

  it('is none where no name fits', () => {
    expect(findVscodeModel(models, 'gpt-5')).toBeUndefined();
  });

  it('is found again by the name that the settings keep', () => {
    for (const model of models) expect(findVscodeModel(models, vscodeModelName(model))).toBe(model);
  });
});
