import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, it } from 'vitest';
import { wayOfExtension } from '../../../src/bridge/watch/claude-code-extension.ts';

const proxy = 'http://127.0.0.1:4000/token';
const gateway = 'https://gateway.example.com';

describe('the extension of Claude Code', () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'extension-'));
    return () => rm(home, { recursive: true });
  });

  const watched = async (value: unknown, environment: Readonly<Record<string, string>> = {}) => {
    const way = await wayOfExtension({ home, platform: 'linux', environment, folder: undefined }, value);
    return way && { upstream: way.upstream, variables: way.variables(proxy) };
  };
  const address = { name: 'ANTHROPIC_BASE_URL', value: proxy };

  it('is redirected by variables', async () => {
    expect(await watched([])).toEqual({
      upstream: 'https://api.anthropic.com',
      variables: [address, { name: 'ENABLE_TOOL_SEARCH', value: 'true' }],
    });
  });

  it('keeps the gateway in its setting, which wins over the environment', async () => {
    const value = [{ name: 'ANTHROPIC_BASE_URL', value: gateway }];
    expect(await watched(value, { ANTHROPIC_BASE_URL: 'https://other.example.com' })).toEqual({
      upstream: gateway,
      variables: [address],
    });
  });

  it('cannot be watched if a settings file names an address, because the file wins', async () => {
    await mkdir(join(home, '.claude'));
    const settings = JSON.stringify({ env: { ANTHROPIC_BASE_URL: gateway } });
    await writeFile(join(home, '.claude', 'settings.json'), settings);
    expect(await watched([])).toBeUndefined();
  });

  it('cannot be watched at other services', async () => {
    expect(await watched([{ name: 'CLAUDE_CODE_USE_BEDROCK', value: '1' }])).toBeUndefined();
  });

  it('cannot be watched without the setting, or with one of another form', async () => {
    expect(await watched(undefined)).toBeUndefined();
    expect(await watched({ ANTHROPIC_BASE_URL: gateway })).toBeUndefined();
    expect(await watched(['A=b', { name: 7 }])).toMatchObject({ upstream: 'https://api.anthropic.com' });
  });
});
