import { describe, expect, it } from 'vitest';
import type { ModelSettings } from '../../../src/extension/models/model-provider.ts';
import {
  chooseModel,
  endpointOf,
  type FoundModel,
  isWorthAsking,
  type ProviderSettings,
} from '../../../src/presenters/models/model-choice.ts';
import { readSettings } from '../../../src/presenters/settings/read-settings.ts';
import { modelSettings } from './provider-settings.ts';

describe('the choice of a model', () => {
  const choose = (values: Readonly<Record<string, unknown>>, hasKey: boolean) =>
    chooseModel(
      readSettings((name) => values[name]),
      hasKey,
    );

  describe('chooseModel', () => {
    it('chooses the offline model until there is a key', () => {
      expect(choose({}, false)).toMatchObject({ isOffline: true, label: 'Offline model' });
      expect(choose({}, true)).toMatchObject({ isOffline: false, label: 'gpt-5-mini', window: 400_000 });
    });

    it('needs no key for an endpoint on this machine', () => {
      expect(choose({ baseUrl: 'http://localhost:11434/v1' }, false).isOffline).toBe(false);
      expect(choose({ baseUrl: 'http://127.0.0.1:1234/v1' }, false).isOffline).toBe(false);
      expect(choose({ baseUrl: 'http://localhost.example.com/v1' }, false).isOffline).toBe(true);
    });

    it('chooses a model by name', () => {
      expect(choose({ provider: 'offline' }, true).isOffline).toBe(true);
      expect(choose({ provider: 'openai' }, false).isOffline).toBe(false);
    });

    it('uses the window in the settings for an unknown model, and never guesses one', () => {
      expect(choose({ model: 'mine' }, true).window).toBeUndefined();
      expect(choose({ model: 'mine', window: 9_000 }, true).window).toBe(9_000);
      expect(choose({ window: 9_000 }, false).window).toBe(9_000);
    });

    it('prefers the settings of the model to the table, and the configured window to both', () => {
      const models = { mine: { window: 9_000, maxOutput: 500 } };
      expect(choose({ model: 'mine', models }, true)).toMatchObject({ window: 9_000, maxOutput: 500 });
      expect(choose({ model: 'mine', models, window: 7_000 }, true).window).toBe(7_000);
    });

    it("marks counts with another model's tokenizer", () => {
      expect(choose({ model: 'claude-sonnet-5' }, true).isStandIn).toBe(true);
      expect(choose({}, true).isStandIn).toBe(false);
      expect(choose({}, false).isStandIn).toBe(false);
    });

    it('counts older models with their own encoding', () => {
      expect(choose({ model: 'gpt-4-turbo' }, true).encoding).toBe('cl100k_base');
    });
  });

  describe('the window', () => {
    const windowOf = (set: Partial<ModelSettings>, found?: FoundModel) =>
      chooseModel(modelSettings(set), true, found).window;

    it('stated by a server that sets it takes precedence over the known window of the model', () => {
      const found = { window: 4_096 };
      expect(windowOf({ provider: 'ollama', model: 'gpt-oss:20b' }, found)).toBe(4_096);
      expect(windowOf({ provider: 'openai', baseUrl: 'http://localhost:9999/v1' }, found)).toBe(4_096);
      expect(windowOf({ provider: 'vscode', model: 'copilot/gpt-4.1' }, found)).toBe(4_096);
    });

    it('stated by any other provider is used if the table has no window', () => {
      expect(windowOf({ provider: 'openrouter', model: 'openai/gpt-5-mini' }, { window: 9_000 })).toBe(
        400_000,
      );
      expect(windowOf({ provider: 'openrouter', model: 'some/model' }, { window: 9_000 })).toBe(9_000);
    });

    it('in the settings takes precedence over all others', () => {
      const found = { window: 4_096 };
      expect(windowOf({ provider: 'ollama', model: 'a', window: 7_000 }, found)).toBe(7_000);
      expect(windowOf({ provider: 'ollama', model: 'a', models: { a: { window: 8_000 } } }, found)).toBe(
        8_000,
      );
    });

    it('is unknown while the server has not decided', () => {
      const set = { provider: 'ollama', model: 'gpt-oss:20b' } as const;
      expect(windowOf(set, { isUnsettled: true })).toBeUndefined();
      expect(windowOf(set)).toBe(131_072);
    });
  });

  describe('asking the provider for the window', () => {
    const isAsked = (set: Partial<ModelSettings>) =>
      isWorthAsking(modelSettings(set), set.model ?? 'gpt-5-mini');

    it('happens if the table has no entry or the server sets the window', () => {
      expect(isAsked({ provider: 'openrouter', model: 'some/model' })).toBe(true);
      expect(isAsked({ provider: 'ollama', model: 'gpt-oss' })).toBe(true);
      expect(isAsked({ provider: 'vscode', window: 9_000 })).toBe(true);
    });

    it('does not happen if the window is known or the provider could not answer', () => {
      expect(isAsked({ provider: 'openai' })).toBe(false);
      expect(isAsked({ provider: 'openrouter', model: 'some/model', window: 9_000 })).toBe(false);
      expect(isAsked({ provider: 'azure', model: 'deployment' })).toBe(false);
      expect(isAsked({ provider: 'offline', model: 'some/model' })).toBe(false);
    });
  });
});

describe('endpoints of models', () => {
  const endpoint = (set: Partial<ProviderSettings>) => endpointOf(modelSettings(set));

  describe('an endpoint', () => {
    it('is the provider’s own if no base URL is set', () => {
      expect(endpoint({ provider: 'openrouter' })).toMatchObject({
        baseUrl: 'https://openrouter.ai/api/v1',
        api: 'chat',
        authentication: 'bearer',
        dialect: 'models',
        setsItsOwnWindow: false,
      });
      expect(endpoint({ provider: 'ollama' })?.baseUrl).toBe('http://localhost:11434/v1');
    });

    it('is the endpoint in the settings, if any', () => {
      const baseUrl = 'http://gpu.example.com:9000/v1';
      expect(endpoint({ provider: 'ollama', baseUrl })).toMatchObject({
        baseUrl,
        dialect: 'ollama',
        setsItsOwnWindow: true,
      });
    });

    it('is the base URL for the OpenAI provider', () => {
      const baseUrl = 'https://gateway.example.com/v1';
      for (const provider of ['auto', 'openai'] as const) {
        expect(endpoint({ provider, baseUrl })).toEqual({
          baseUrl,
          api: 'chat',
          authentication: 'bearer',
          defaultQuery: {},
          dialect: 'models',
          cacheMarks: false,
          setsItsOwnWindow: false,
        });
      }
    });

    it('at a well-known address is used in the API form of its server', () => {
      expect(endpoint({ provider: 'auto', baseUrl: 'http://127.0.0.1:1234/v1' })?.dialect).toBe('lmstudio');
      expect(endpoint({ provider: 'openai', baseUrl: 'http://localhost:9999/v1' })).toMatchObject({
        dialect: 'models',
        setsItsOwnWindow: true,
      });
    });

    it('uses the API chosen in the settings', () => {
      expect(endpoint({ provider: 'openai', model: 'gpt-5-mini' })?.api).toBe('responses');
      expect(endpoint({ provider: 'openai', model: 'gpt-5-mini', api: 'chat' })?.api).toBe('chat');
      expect(endpoint({ provider: 'lmstudio', api: 'responses' })?.api).toBe('responses');
    });

    it('gets cache marks for Claude models if the gateway passes them on', () => {
      const marks = (set: Partial<ProviderSettings>) => endpoint(set)?.cacheMarks;
      const claude = 'anthropic/claude-sonnet-4.5';
      expect(marks({ provider: 'openrouter', model: claude })).toBe(true);
      expect(marks({ provider: 'openrouter', baseUrl: 'http://localhost:9999/v1', model: claude })).toBe(
        true,
      );
      expect(marks({ provider: 'auto', baseUrl: 'https://openrouter.ai/api/v1', model: claude })).toBe(true);
      expect(marks({ provider: 'openai', baseUrl: 'https://ai-gateway.vercel.sh/v1', model: claude })).toBe(
        true,
      );
      expect(marks({ provider: 'openrouter', model: '~anthropic/claude-sonnet-latest' })).toBe(true);
      expect(marks({ provider: 'openrouter', model: 'openai/gpt-5' })).toBe(false);
      expect(marks({ provider: 'openrouter', model: 'someone/not-claude-7b' })).toBe(false);
      expect(marks({ provider: 'openai', baseUrl: 'https://gateway.example.com/v1', model: claude })).toBe(
        false,
      );
      expect(marks({ provider: 'vllm', model: claude })).toBe(false);
      expect(marks({ provider: 'azure', baseUrl: 'https://openai.example.com', model: claude })).toBe(false);
    });

    it('gets cache marks always or never, depending on the setting', () => {
      const baseUrl = 'https://gateway.example.com/v1';
      expect(endpoint({ provider: 'openai', baseUrl, cacheMarks: 'on' })?.cacheMarks).toBe(true);
      const claude = 'anthropic/claude-sonnet-4.5';
      expect(endpoint({ provider: 'openrouter', model: claude, cacheMarks: 'off' })?.cacheMarks).toBe(false);
    });

    it('is missing for models that have no endpoint', () => {
      expect(endpoint({ provider: 'vscode' })).toBeUndefined();
      expect(endpoint({ provider: 'offline' })).toBeUndefined();
    });
  });

  describe('an endpoint of Azure', () => {
    const azure = (set: Partial<ProviderSettings>) =>
      endpoint({ provider: 'azure', model: 'my gpt', ...set });
    const baseUrl = 'https://mine.openai.azure.com';

    it('is below the address of the resource, with its own header for the key', () => {
      expect(azure({ baseUrl })).toMatchObject({
        baseUrl: `${baseUrl}/openai/v1`,
        authentication: 'api-key',
        defaultQuery: {},
      });
      expect(azure({ baseUrl, azureApiVersion: 'preview' })).toMatchObject({
        baseUrl: `${baseUrl}/openai/v1`,
        defaultQuery: { 'api-version': 'preview' },
      });
    });

    it('with a dated API version is below the address of the deployment', () => {
      expect(azure({ baseUrl: `${baseUrl}/`, azureApiVersion: '2024-10-21' })).toMatchObject({
        baseUrl: `${baseUrl}/openai/deployments/my%20gpt`,
        defaultQuery: { 'api-version': '2024-10-21' },
      });
    });

    it('is used unchanged if a path is given', () => {
      const whole = `${baseUrl}/gateway/openai/v1`;
      expect(azure({ baseUrl: whole })?.baseUrl).toBe(whole);
    });

    it('is never the endpoint of OpenAI', () => {
      expect(azure({})?.baseUrl).toBe('');
    });
  });
});
