import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ModelError } from '../../../src/agent/model/chat-model.ts';
import { type ApiKeys, ClearTextConsent } from '../../../src/extension/models/endpoint-access.ts';
import { ModelProvider } from '../../../src/extension/models/model-provider.ts';
import { englishOf } from '../../../src/compaction/records/reason.ts';
import { readSettings } from '../../../src/presenters/settings/read-settings.ts';
import { choices, notices } from '../../support/editor/vscode-window.ts';

vi.mock('vscode', () => import('../../support/editor/vscode-window.ts'));

const server = 'http://models.example.com:8080/v1';
const origin = 'http://models.example.com:8080';

function remembered(): Map<string, unknown> & ConstructorParameters<typeof ClearTextConsent>[0] {
  const values = new Map<string, unknown>();
  const update = (name: string, value: unknown) => Promise.resolve(void values.set(name, value));
  return Object.assign(values, { update }) as ReturnType<typeof remembered>;
}

beforeEach(() => {
  notices.length = 0;
  choices.length = 0;
});

describe('consent to send without encryption', () => {
  test('is requested once, with the origin, and remembered', async () => {
    const memory = remembered();
    const consent = new ClearTextConsent(memory);
    expect(consent.allows(server)).toBe(false);
    choices.push('Send Unencrypted');
    expect(await Promise.all([consent.ask(server), consent.ask(`${origin}/other`)])).toEqual([true, true]);
    expect(notices).toEqual([`Send to ${origin} without encryption?`]);
    expect(new ClearTextConsent(memory).allows(server)).toBe(true);
  });

  test('covers one origin only', async () => {
    const consent = new ClearTextConsent(remembered());
    choices.push('Send Unencrypted');
    await consent.ask(server);
    expect(consent.allows('http://models.example.com/v1')).toBe(false);
    expect(consent.allows('http://models.example.com.evil.example:8080/v1')).toBe(false);
  });

  test('is not given by closing the question, which is then asked again', async () => {
    const consent = new ClearTextConsent(remembered());
    expect(await consent.ask(server)).toBe(false);
    expect(await consent.ask(server)).toBe(false);
    expect(notices).toHaveLength(2);
  });

  test('can be withdrawn', async () => {
    const consent = new ClearTextConsent(remembered());
    choices.push('Send Unencrypted');
    await consent.ask(server);
    await consent.withdraw(origin);
    expect(consent.allows(server)).toBe(false);
  });

  test.each([
    'https://models.example.com/v1',
    'http://localhost:1/v1',
    'http://127.0.0.9/v1',
    'http://[::1]/v1',
  ])('is not required for %s', async (address) => {
    expect(await new ClearTextConsent(remembered()).ask(address)).toBe(true);
    expect(notices).toEqual([]);
  });

  test.each(['http://0.0.0.0/v1', 'http://localhost.example.com/v1', 'http://127.0.0.1.example.com/v1'])(
    'is required for %s',
    (address) => expect(new ClearTextConsent(remembered()).allows(address)).toBe(false),
  );
});

describe('an endpoint without consent', () => {
  const sent: unknown[] = [];

  beforeEach(() => {
    sent.length = 0;
    vi.stubGlobal('fetch', (address: unknown) => {
      sent.push(address);
      return Promise.reject(new Error('Nothing is there.'));
    });
  });

  afterEach(() => vi.unstubAllGlobals());

  function providerWith(
    values: Readonly<Record<string, unknown>>,
    changed: (provider: ModelProvider) => void = () => undefined,
  ) {
    const consent = new ClearTextConsent(remembered());
    const keys = { get: () => Promise.resolve('sk-secret') } as unknown as ApiKeys;
    const settings = () => readSettings((name) => values[name]);
    const provider: ModelProvider = new ModelProvider(keys, settings, {
      changed: () => changed(provider),
      now: () => 0,
      consent,
    });
    return provider;
  }

  test('receives nothing, neither a request for models nor a message', async () => {
    const values = { provider: 'openai', baseUrl: server, model: 'some-model' };
    const provider = providerWith(values);
    await provider.refresh();
    const found = await provider.discover(
      readSettings((name) => values[name as keyof typeof values]),
      'some-model',
    );
    expect(found).toMatchObject({ problem: 'refused' });
    await expect(provider.models()).rejects.toThrow('because it would not be encrypted');
    expect(notices).toHaveLength(1);
    expect(sent).toEqual([]);
  });

  test('is asked for its models again once consent is given', async () => {
    const provider = providerWith({ provider: 'openai', baseUrl: server, model: 'some-model' });
    await provider.refresh();
    // A module that is loaded on demand words the refusal.
    await vi.dynamicImportSettled();
    choices.push('Send Unencrypted');
    await provider.models();
    expect(sent).not.toEqual([]);
  });

  test('is asked for its models if consent arrives before the refusal is shown', async () => {
    const provider = providerWith({ provider: 'openai', baseUrl: server, model: 'some-model' });
    await provider.refresh();
    choices.push('Send Unencrypted');
    await provider.models();
    expect(sent).not.toEqual([]);
  });

  test('has no refusal in its label once consent is given', async () => {
    const labels: string[] = [];
    const provider = providerWith({ provider: 'openai', baseUrl: server, model: 'some-model' }, (changed) =>
      labels.push(englishOf(changed.choice.note ?? '')),
    );
    await provider.refresh();
    await vi.dynamicImportSettled();
    expect(labels).toEqual([expect.stringContaining('because it would not be encrypted')]);
    choices.push('Send Unencrypted');
    await provider.mayConnect(server);
    expect(labels.at(-1)).toBe('');
  });
});

describe('a base URL with a secret in it', () => {
  test.each([
    'https://user:PASSWORD@api.example.com/v1',
    'https://PASSWORD@api.example.com/v1',
    'ftp://user:PASSWORD@api.example.com/v1',
    'https://user:PASSWORD@api example com/v1',
    'https://api.example.com/v1?key=PASSWORD',
    'https://api.example.com/v1#PASSWORD',
  ])('is refused, shown nowhere and stored nowhere: %s', async (baseUrl) => {
    const settings = readSettings((name) => ({ provider: 'openai', baseUrl })[name]);
    expect(settings.problems).toHaveLength(1);
    expect(JSON.stringify(settings)).not.toContain('PASSWORD');
    const keys = { get: () => Promise.resolve('sk-secret') } as unknown as ApiKeys;
    const { chat } = await new ModelProvider(keys, () => settings).models();
    const reply = chat.stream({ messages: [], tools: [] }, new AbortController().signal);
    await expect(reply[Symbol.asyncIterator]().next()).rejects.toThrow(ModelError);
  });
});
