import { describe, expect, it, vi } from 'vitest';
import type { ProviderSettings } from '../../../src/presenters/models/model-choice.ts';
import { baseUrlToAsk, modelPicks, providerPicks } from '../../../src/extension/models/select-model.ts';
import type { ProviderName } from '../../../src/presenters/settings/general-settings.ts';
import { modelSettings } from '../../presenters/models/provider-settings.ts';

vi.mock('vscode', () => import('../../support/editor/vscode-texts.ts'));

describe('the list of providers', () => {
  const stateOf = (
    name: ProviderName,
    set: Partial<ProviderSettings> = {},
    keysFor: readonly string[] = [],
  ) =>
    providerPicks(modelSettings(set), (baseUrl) => keysFor.includes(baseUrl)).find(
      (pick) => pick.name === name,
    )?.description;

  it('shows the address and requirements of each', () => {
    expect(stateOf('openai')).toBe('api.openai.com · needs a key');
    expect(stateOf('openai', {}, ['https://api.openai.com/v1'])).toBe('api.openai.com · key set');
    expect(stateOf('ollama')).toBe('localhost:11434');
    expect(stateOf('azure')).toBe('needs a base URL');
    expect(stateOf('vscode')).toBe('');
  });

  it('marks the current provider', () => {
    expect(stateOf('offline', { provider: 'offline' })).toBe('current');
    expect(stateOf('ollama', { provider: 'ollama' })).toBe('localhost:11434 · current');
  });

  it('requires no key for a server on this machine', () => {
    expect(stateOf('openai', { baseUrl: 'http://localhost:9999/v1' })).toBe('localhost:9999');
  });
});

describe('the list of models', () => {
  const models = [
    { id: 'maker/gemma', label: 'Gemma', window: 131_072 },
    { id: 'plain', label: undefined, window: undefined },
  ];

  it('shows windows, and marks the current model', () => {
    expect(modelPicks(models, 'plain', '')).toEqual([
      { model: 'maker/gemma', label: 'Gemma', description: 'maker/gemma · 131,072 tokens' },
      { model: 'plain', label: 'plain', description: 'current' },
    ]);
  });

  it('accepts any typed name', () => {
    expect(modelPicks([], '', ' my-deployment ')).toEqual([
      { model: 'my-deployment', label: 'Use “my-deployment”', description: '', alwaysShow: true },
    ]);
    expect(modelPicks(models, '', 'plain')).toHaveLength(2);
  });
});

describe('the base URL', () => {
  const asked = (next: ProviderName, set: Partial<ProviderSettings>) =>
    baseUrlToAsk(modelSettings(set), next);
  const gateway = 'https://gateway.example.com/v1';

  it('is not requested if the provider has a fixed address', () => {
    expect(asked('openrouter', {})).toBeUndefined();
    expect(asked('vscode', { baseUrl: gateway })).toBeUndefined();
  });

  it('is requested if each user has a different address', () => {
    expect(asked('azure', {})).toBe('');
    const baseUrl = 'https://mine.openai.azure.com';
    expect(asked('azure', { provider: 'azure', baseUrl })).toBeUndefined();
    expect(asked('azure', { provider: 'auto', baseUrl })).toBe(baseUrl);
  });

  it('is not silently reused for another provider', () => {
    expect(asked('ollama', { provider: 'auto', baseUrl: gateway })).toBe('http://localhost:11434/v1');
    expect(asked('openai', { provider: 'auto', baseUrl: gateway })).toBe(gateway);
  });
});
