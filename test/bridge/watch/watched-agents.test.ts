import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { watchedAgents } from '../../../src/bridge/watch/watched-agents.ts';

const proxy = 'http://127.0.0.1:4000/token';
const claude = 'https://api.anthropic.com';
const chatGpt = 'https://chatgpt.com/backend-api/codex';
const google = 'https://generativelanguage.googleapis.com';
const gateway = 'https://gateway.example.com/v1';

let home: string;
let folder: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'watch-'));
  folder = join(home, 'shop');
});
afterEach(() => rm(home, { recursive: true }));

/** Returns where an agent sends its requests, and what sends them to the proxy. */
async function watched(
  id: string,
  environment: Readonly<Record<string, string>> = {},
  files: Readonly<Record<string, unknown>> = {},
) {
  for (const [name, content] of Object.entries(files)) {
    const path = join(home, name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, typeof content === 'string' ? content : JSON.stringify(content));
  }
  const agent = watchedAgents.find((one) => one.id === id)!;
  const way = await agent.wayOf({ home, platform: 'linux', environment, folder });
  return way && { upstream: way.upstream, ...way.through(proxy) };
}

describe('Claude Code', () => {
  it('is redirected by a variable, and still searches the tools of MCP servers', async () => {
    expect(await watched('claude-code')).toEqual({
      upstream: claude,
      environment: { ANTHROPIC_BASE_URL: proxy, ENABLE_TOOL_SEARCH: 'true' },
      args: [],
    });
  });

  it('keeps the user’s gateway and choice of tools', async () => {
    expect(await watched('claude-code', { ANTHROPIC_BASE_URL: gateway })).toEqual({
      upstream: gateway,
      environment: { ANTHROPIC_BASE_URL: proxy },
      args: [],
    });
    const chosen = await watched('claude-code', { ENABLE_TOOL_SEARCH: 'false' });
    expect(chosen?.environment).toEqual({ ANTHROPIC_BASE_URL: proxy });
  });

  it('is redirected on the command line if a settings file names an address', async () => {
    const files = {
      '.claude/settings.json': { env: { ANTHROPIC_BASE_URL: 'https://user.example.com' } },
      'shop/.claude/settings.json': { env: { ANTHROPIC_BASE_URL: gateway } },
    };
    expect(await watched('claude-code', {}, files)).toEqual({
      upstream: gateway,
      environment: { ANTHROPIC_BASE_URL: proxy },
      args: ['--settings', JSON.stringify({ env: { ANTHROPIC_BASE_URL: proxy } })],
    });
  });

  it('cannot be watched at services with addresses of their own', async () => {
    expect(await watched('claude-code', { CLAUDE_CODE_USE_BEDROCK: '1' })).toBeUndefined();
    expect((await watched('claude-code', { CLAUDE_CODE_USE_BEDROCK: '0' }))?.upstream).toBe(claude);
  });

  it('cannot be watched at an address that holds a password', async () => {
    expect(await watched('claude-code', { ANTHROPIC_BASE_URL: 'https://me:pw@example.com' })).toBeUndefined();
  });
});

describe('Codex', () => {
  const override = ['-c', `openai_base_url=${proxy}`];

  it('sends to the service of its sign-in', async () => {
    expect(await watched('codex', {}, { '.codex/auth.json': { tokens: { id_token: 'x' } } })).toEqual({
      upstream: chatGpt,
      environment: {},
      args: override,
    });
    const key = { auth_mode: 'apikey', OPENAI_API_KEY: 'sk-x' };
    expect(await watched('codex', {}, { '.codex/auth.json': key })).toMatchObject({
      upstream: 'https://api.openai.com/v1',
      args: override,
    });
  });

  it('cannot be watched while its sign-in is unknown', async () => {
    expect(await watched('codex')).toBeUndefined();
  });

  it('keeps everything but the address of the user’s provider', async () => {
    const config = `model_provider = "mine"\n[model_providers.mine]\nbase_url = "${gateway}"\nenv_key = "KEY"\n`;
    expect(await watched('codex', {}, { '.codex/config.toml': config })).toEqual({
      upstream: gateway,
      environment: {},
      args: ['-c', `model_providers.mine.base_url=${proxy}`],
    });
  });

  it('sends to the provider of the chosen profile', async () => {
    const config = `profile = "work"\nopenai_base_url = "${gateway}"\n[profiles.work]\nmodel_provider = "ollama"\n`;
    expect(await watched('codex', {}, { '.codex/config.toml': config })).toBeUndefined();
  });
});

describe('Gemini CLI', () => {
  const signedIn = (selectedType: string) => ({
    '.gemini/settings.json': { security: { auth: { selectedType } } },
  });

  it('is redirected with a key', async () => {
    expect(await watched('gemini-cli', {}, signedIn('gemini-api-key'))).toEqual({
      upstream: google,
      environment: { GOOGLE_GEMINI_BASE_URL: proxy },
      args: [],
    });
  });

  it('is redirected with a Google account', async () => {
    expect(await watched('gemini-cli', {}, signedIn('oauth-personal'))).toMatchObject({
      upstream: 'https://cloudcode-pa.googleapis.com',
      environment: { CODE_ASSIST_ENDPOINT: proxy },
    });
  });

  it('keeps the address in a file of variables', async () => {
    const files = { ...signedIn('gemini-api-key'), '.gemini/.env': `GOOGLE_GEMINI_BASE_URL=${gateway}\n` };
    expect((await watched('gemini-cli', {}, files))?.upstream).toBe(gateway);
  });

  it('cannot be watched with Vertex AI, or before the sign-in', async () => {
    expect(await watched('gemini-cli', {}, signedIn('vertex-ai'))).toBeUndefined();
    expect(await watched('gemini-cli', { GEMINI_API_KEY: 'x' }, signedIn(''))).toBeUndefined();
  });
});

describe('Qwen Code', () => {
  const settings = (more: object = {}) => ({
    '.qwen/settings.json': { security: { auth: { selectedType: 'openai', baseUrl: gateway } }, ...more },
  });

  it('is redirected by a variable', async () => {
    expect(await watched('qwen-code', {}, settings())).toEqual({
      upstream: gateway,
      environment: { OPENAI_BASE_URL: proxy },
      args: [],
    });
    const own = { OPENAI_BASE_URL: 'https://own.example.com' };
    expect((await watched('qwen-code', own, settings()))?.upstream).toBe('https://own.example.com');
  });

  it('cannot be watched if its list of models names addresses', async () => {
    const models = settings({ modelProviders: { openai: [{ id: 'm', baseUrl: gateway }] } });
    expect(await watched('qwen-code', {}, models)).toBeUndefined();
  });
});

describe.each([
  ['opencode', 'OPENCODE_CONFIG_CONTENT', 'opencode'],
  ['kilo-code', 'KILO_CONFIG_CONTENT', 'kilo'],
])('%s', (id, variable, name) => {
  const config = {
    model: 'mine/large',
    provider: { mine: { options: { baseURL: gateway, apiKey: 'x' } } },
  };

  it('is redirected by a configuration in a variable', async () => {
    expect(await watched(id, {}, { [`.config/${name}/${name}.json`]: config })).toEqual({
      upstream: gateway,
      environment: { [variable]: JSON.stringify({ provider: { mine: { options: { baseURL: proxy } } } }) },
      args: [],
    });
  });

  it('keeps the user’s own configuration in the variable', async () => {
    const { provider, ...rest } = config;
    const redirected = { provider: { mine: { options: { ...provider.mine.options, baseURL: proxy } } } };
    const found = await watched(id, { [variable]: JSON.stringify(config) });
    expect(JSON.parse(found?.environment[variable] ?? '')).toEqual({ ...rest, ...redirected });
  });

  it('sends to the provider that was used last', async () => {
    const used = { recent: [{ providerID: 'anthropic', modelID: 'opus' }] };
    const found = await watched(id, {}, { [`.local/state/${name}/model.json`]: used });
    expect(found?.upstream).toBe('https://api.anthropic.com/v1');
  });

  it('cannot be watched after a sign-in with an account', async () => {
    const files = {
      [`.config/${name}/${name}.json`]: { model: 'openai/gpt' },
      [`.local/share/${name}/auth.json`]: { openai: { type: 'oauth' } },
    };
    expect(await watched(id, {}, files)).toBeUndefined();
  });
});

describe('Copilot CLI', () => {
  it('can be watched only with a provider of the user', async () => {
    expect(await watched('copilot-cli')).toBeUndefined();
    expect(await watched('copilot-cli', { COPILOT_PROVIDER_BASE_URL: gateway })).toEqual({
      upstream: gateway,
      environment: { COPILOT_PROVIDER_BASE_URL: proxy },
      args: [],
    });
  });
});
