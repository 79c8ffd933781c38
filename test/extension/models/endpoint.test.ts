import { describe, expect, it } from 'vitest';
import { endpointOf, type ProviderSettings } from '../../../src/extension/models/endpoint.ts';
import { modelSettings } from './provider-settings.ts';

const endpoint = (set: Partial<ProviderSettings>) => endpointOf(modelSettings(set));

describe('an endpoint', () => {
  it('is the provider’s own where no base URL is set', () => {
    expect(endpoint({ provider: 'openrouter' })).toMatchObject({
      baseUrl: 'https://openrouter.ai/api/v1',
      api: 'chat',
      authentication: 'bearer',
      dialect: 'models',
      setsItsOwnWindow: false,
    });
    expect(endpoint({ provider: 'ollama' })?.baseUrl).toBe('http://localhost:11434/v1');
  });

  it('is the one that is set where one is', () => {
    const baseUrl = 'http://gpu.example.com:9000/v1';
    expect(endpoint({ provider: 'ollama', baseUrl })).toMatchObject({
      baseUrl,
      dialect: 'ollama',
      setsItsOwnWindow: true,
    });
  });

  it('of OpenAI’s provider is whatever the base URL names, as it always was', () => {
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

  it('at a well-known address is asked in the way of whoever lives there', () => {
    expect(endpoint({ provider: 'auto', baseUrl: 'http://127.0.0.1:1234/v1' })?.dialect).toBe('lmstudio');
    expect(endpoint({ provider: 'openai', baseUrl: 'http://localhost:9999/v1' })).toMatchObject({
      dialect: 'models',
      setsItsOwnWindow: true,
    });
  });

  it('is asked through the API that is set', () => {
    expect(endpoint({ provider: 'openai', model: 'gpt-5-mini' })?.api).toBe('responses');
    expect(endpoint({ provider: 'openai', model: 'gpt-5-mini', api: 'chat' })?.api).toBe('chat');
    expect(endpoint({ provider: 'lmstudio', api: 'responses' })?.api).toBe('responses');
  });

  it('is sent cache marks for Claude models by way of gateways that hand them on', () => {
    const marks = (set: Partial<ProviderSettings>) => endpoint(set)?.cacheMarks;
    const claude = 'anthropic/claude-sonnet-4.5';
    expect(marks({ provider: 'openrouter', model: claude })).toBe(true);
    expect(marks({ provider: 'openrouter', baseUrl: 'http://localhost:9999/v1', model: claude })).toBe(true);
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

  it('is sent cache marks always or never where that is set', () => {
    const baseUrl = 'https://gateway.example.com/v1';
    expect(endpoint({ provider: 'openai', baseUrl, cacheMarks: 'on' })?.cacheMarks).toBe(true);
    const claude = 'anthropic/claude-sonnet-4.5';
    expect(endpoint({ provider: 'openrouter', model: claude, cacheMarks: 'off' })?.cacheMarks).toBe(false);
  });

  it('is none for models that are asked in another way', () => {
    expect(endpoint({ provider: 'vscode' })).toBeUndefined();
    expect(endpoint({ provider: 'offline' })).toBeUndefined();
  });
});

describe('an endpoint of Azure’s', () => {
  const azure = (set: Partial<ProviderSettings>) => endpoint({ provider: 'azure', model: 'my gpt', ...set });
  const baseUrl = 'https://mine.openai.azure.com';

  it('stands below the resource, with a header of its own for the key', () => {
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

  it('with a dated version stands below the deployment', () => {
    expect(azure({ baseUrl: `${baseUrl}/`, azureApiVersion: '2024-10-21' })).toMatchObject({
      baseUrl: `${baseUrl}/openai/deployments/my%20gpt`,
      defaultQuery: { 'api-version': '2024-10-21' },
    });
  });

  it('is taken as it is where a path is given', () => {
    const whole = `${baseUrl}/gateway/openai/v1`;
    expect(azure({ baseUrl: whole })?.baseUrl).toBe(whole);
  });

  it('is never OpenAI’s', () => {
    expect(azure({})?.baseUrl).toBe('');
  });
});
