import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { agentLimitsIn } from '../../../src/bridge/settings/agent-settings.ts';

describe('the settings of an agent', () => {
  let home: string;
  let folder: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'settings-'));
    folder = join(home, 'shop');
  });
  afterEach(() => rm(home, { recursive: true }));

  const write = async (path: string, text: string) => {
    await mkdir(dirname(join(home, path)), { recursive: true });
    await writeFile(join(home, path), text);
  };
  const reader = (environment: Readonly<Record<string, string>> = {}) =>
    agentLimitsIn({ home, platform: 'linux', environment });
  const claude = () => ({ agent: 'claude-code', model: 'claude-opus-4-6', folder });

  it('are the user’s, unless the session’s folder overrides them', async () => {
    await write('.claude/settings.json', '{"autoCompactWindow": 400000, "model": "opus[1m]"}');
    await write('shop/.claude/settings.local.json', '{"autoCompactWindow": 300000}');
    expect(await reader()(claude())).toMatchObject({ window: 1_000_000, compactsAt: 300_000 });
    expect((await reader()({ ...claude(), folder: undefined }))?.compactsAt).toBe(400_000);
  });

  it('are read from the folder that the environment names', async () => {
    await write(
      'elsewhere/config.toml',
      'model_auto_compact_token_limit = 200_000\n[profiles.x]\nmodel = "y"\n',
    );
    const codex = { agent: 'codex', model: undefined, folder: undefined };
    const limits = await reader({ CODEX_HOME: join(home, 'elsewhere') })(codex);
    expect(limits?.compactsAt).toBe(200_000);
  });

  it('are read again once they have changed', async () => {
    const limitsOf = reader();
    await write('.claude/settings.json', '{"autoCompactWindow": 400000}');
    expect((await limitsOf(claude()))?.compactsAt).toBe(400_000);
    await write('.claude/settings.json', '{"autoCompactWindow": 2500000 /* more */}');
    expect((await limitsOf(claude()))?.compactsAt).toBe(2_500_000);
    await rm(join(home, '.claude/settings.json'));
    expect((await limitsOf(claude()))?.compactsAt).toBeUndefined();
  });

  it('are left out if they cannot be read', async () => {
    await write('.claude/settings.json', '[1, 2');
    await mkdir(join(folder, '.claude/settings.json'), { recursive: true });
    expect(await reader()(claude())).toMatchObject({ window: undefined, compactsAt: undefined });
  });

  it('are unknown for other agents', async () => {
    expect(await reader()({ ...claude(), agent: 'constructor' })).toBeUndefined();
  });
});
