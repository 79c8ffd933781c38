import { describe, expect, it } from 'vitest';
import { chooseModel } from '../../../src/extension/models/model-choice.ts';
import { readSettings } from '../../../src/extension/settings/read-settings.ts';

const choose = (values: Readonly<Record<string, unknown>>, hasKey: boolean) =>
  chooseModel(
    readSettings((name) => values[name]),
    hasKey,
  );

describe('chooseModel', () => {
  it('is the offline model until there is a key', () => {
    expect(choose({}, false)).toMatchObject({ isOffline: true, label: 'Offline model' });
    expect(choose({}, true)).toMatchObject({ isOffline: false, label: 'gpt-5-mini', window: 400_000 });
  });

  it('needs no key for an endpoint on this machine', () => {
    expect(choose({ baseUrl: 'http://localhost:11434/v1' }, false).isOffline).toBe(false);
    expect(choose({ baseUrl: 'http://127.0.0.1:1234/v1' }, false).isOffline).toBe(false);
    expect(choose({ baseUrl: 'http://localhost.example.com/v1' }, false).isOffline).toBe(true);
  });

  it('can be told', () => {
    expect(choose({ provider: 'offline' }, true).isOffline).toBe(true);
    expect(choose({ provider: 'openai' }, false).isOffline).toBe(false);
  });

  it('makes up no window for a model nobody knows, and takes the one that is set', () => {
    expect(choose({ model: 'mine' }, true).window).toBeUndefined();
    expect(choose({ model: 'mine', window: 9_000 }, true).window).toBe(9_000);
    expect(choose({ window: 9_000 }, false).window).toBe(9_000);
  });

  it('believes what is set of a model, and the window that is set more than that', () => {
    const models = { mine: { window: 9_000, maxOutput: 500 } };
    expect(choose({ model: 'mine', models }, true)).toMatchObject({ window: 9_000, maxOutput: 500 });
    expect(choose({ model: 'mine', models, window: 7_000 }, true).window).toBe(7_000);
  });

  it('says where counts are approximate', () => {
    expect(choose({ model: 'claude-sonnet-5' }, true).isStandIn).toBe(true);
    expect(choose({}, true).isStandIn).toBe(false);
    expect(choose({}, false).isStandIn).toBe(false);
  });

  it('counts older models with their own encoding', () => {
    expect(choose({ model: 'gpt-4-turbo' }, true).encoding).toBe('cl100k_base');
  });
});
