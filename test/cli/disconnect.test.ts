import { spawn, spawnSync } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configFiles, type ConnectableAgent } from '../../src/bridge/connect/agent-config.ts';
import { applyConfigChanges, planConnection } from '../../src/bridge/connect/config-changes.ts';
import { launcherIn, writeLauncher } from '../../src/bridge/connect/launcher.ts';
import type { Surroundings } from '../../src/agent/files/surroundings.ts';
import { stateFolder } from '../../src/transcripts/session/state-folder.ts';

const program = fileURLToPath(new URL('../../src/cli/main.ts', import.meta.url));
const settingsBefore = '{\n  // Mine\n  "model": "opus"\n}\n';
const configBefore = 'model = "gpt-5" # the best\n';

/** The program as a separate process with its own home, after the connected extension was removed. */
describe('disconnect', () => {
  let home: string;
  let surroundings: Surroundings;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'disconnect-'));
    surroundings = { home, platform: process.platform, environment: {} };
    await write('.claude/settings.json', settingsBefore);
    await write('.codex/config.toml', configBefore);
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  const at = (name: string) => join(home, name);
  const read = (name: string) => readFile(at(name), 'utf8').catch(() => undefined);
  async function write(name: string, content: string): Promise<void> {
    await mkdir(dirname(at(name)), { recursive: true });
    await writeFile(at(name), content);
  }

  async function connect(agent: ConnectableAgent, environment = {}): Promise<void> {
    const folder = stateFolder(surroundings);
    await writeLauncher(folder, at('extension/dist/cli.js'), [process.execPath]);
    const files = configFiles(agent, launcherIn(folder, process.platform), { ...surroundings, environment });
    await applyConfigChanges(await planConnection(files), folder);
  }

  /** @param answer what the user types */
  async function run(words: readonly string[], answer = '', more: Readonly<Record<string, string>> = {}) {
    const own = {
      HOME: home,
      USERPROFILE: home,
      PATH: process.env['PATH'],
      SystemRoot: process.env['SystemRoot'],
    };
    const child = spawn(process.execPath, [program, 'disconnect', ...words], {
      env: { ...own, ...more },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    child.stdin.end(answer);
    const [out, notes] = await Promise.all([text(child.stdout), text(child.stderr)]);
    return { code: await ended, out: out.replaceAll(home, '~'), notes: notes.replaceAll(home, '~') };
  }

  it('lists connections, and how to disconnect them', async () => {
    expect(await run([])).toEqual({ code: 0, out: 'No agent is connected.\n', notes: '' });
    await connect('claude-code');
    await connect('codex');
    const { code, out } = await run([]);
    expect(code).toBe(0);
    expect(out.replaceAll('\\', '/')).toBe(
      [
        'Claude Code (claude-code)',
        '  ~/.claude/settings.json',
        '  ~/.claude.json',
        'Codex (codex)',
        '  ~/.codex/hooks.json',
        '  ~/.codex/config.toml',
        'Disconnect with: context-budget disconnect claude-code codex',
        '',
      ].join('\n'),
    );
  });

  it('shows what it removes, asks, and restores the original files', async () => {
    const before = await readdir(home, { recursive: true });
    await connect('claude-code');
    await connect('codex');
    const { code, out, notes } = await run(['claude-code', 'codex'], 'y\n');
    expect(notes).toContain('Make this change? [y/N]');
    expect(out).toContain('- [mcp_servers.context-budget]');
    expect(out).toContain('-   "hooks": {');
    expect(out).toContain('.claude.json: is deleted, because connecting made it');
    expect(out).toContain('Claude Code is disconnected.\n');
    expect(out).toContain('Codex is disconnected.\n');
    expect(code).toBe(0);
    expect(await read('.claude/settings.json')).toBe(settingsBefore);
    expect(await read('.codex/config.toml')).toBe(configBefore);
    const state = stateFolder(surroundings).slice(home.length + 1);
    const left = (await readdir(home, { recursive: true })).filter(
      (name) => !state.startsWith(name) && !name.startsWith(state),
    );
    expect(left).toEqual(before);
    expect(await readdir(at(state))).toEqual(['bin']);
  });

  it.each(['', 'n\n', 'what?\n'])('changes nothing if the answer is "%s"', async (answer) => {
    await connect('claude-code');
    const connected = await read('.claude/settings.json');
    const { code, notes } = await run(['claude-code'], answer);
    expect(code).toBe(1);
    expect(notes).toContain('Nothing was changed.');
    expect(await read('.claude/settings.json')).toBe(connected);
  });

  it('does not ask with --yes', async () => {
    await connect('claude-code');
    const { code, notes } = await run(['claude-code', '--yes']);
    expect({ code, notes }).toEqual({ code: 0, notes: '' });
    expect(await read('.claude/settings.json')).toBe(settingsBefore);
  });

  it('removes entries without receipts if the state folder is missing', async () => {
    await connect('claude-code');
    await rm(stateFolder(surroundings), { recursive: true });
    expect((await run(['claude-code', '--yes'])).code).toBe(0);
    expect(await read('.claude/settings.json')).toBe(settingsBefore);
    expect(JSON.parse((await read('.claude.json')) ?? '')).toEqual({});
  });

  it('finds configurations by their receipts if the environment no longer names them', async () => {
    await connect('codex', { CODEX_HOME: at('elsewhere') });
    expect((await run([])).out).toContain(join('~', 'elsewhere', 'config.toml'));
    expect((await run(['codex', '--yes'])).code).toBe(0);
    expect(await read('elsewhere/config.toml')).toBeUndefined();
    await connect('codex');
    expect((await run(['codex', '--yes'], '', { CODEX_HOME: at('elsewhere') })).code).toBe(0);
    expect(await read('.codex/config.toml')).toBe(configBefore);
  });

  it('reports a failure in one sentence, and changes nothing', async () => {
    expect(await run(['cursor'])).toMatchObject({
      code: 2,
      notes: expect.stringContaining('Unknown agent "cursor"') as string,
    });
    expect(await run(['codex', '--yes'])).toMatchObject({ code: 1, notes: 'Codex is not connected.\n' });
    await connect('claude-code');
    await write('.claude/settings.json', '{ "hooks": ');
    const { code, notes } = await run([]);
    expect(code).toBe(1);
    expect(notes.replaceAll('\\', '/')).toBe(
      '~/.claude/settings.json cannot be changed. It is not valid JSON: see line 1.\n',
    );
    expect(await read('.claude/settings.json')).toBe('{ "hooks": ');
  });

  it.skipIf(process.platform === 'win32')(
    'is optional, because hooks succeed without the extension',
    async () => {
      await connect('claude-code');
      const { hooks } = JSON.parse(((await read('.claude/settings.json')) ?? '').replace('// Mine', '')) as {
        hooks: Readonly<Record<string, readonly { hooks: readonly { command: string }[] }[]>>;
      };
      const commands = Object.values(hooks).flatMap((groups) =>
        groups.flatMap((group) => group.hooks.map(({ command }) => command)),
      );
      expect(commands).toHaveLength(4);
      const outcomes = () =>
        commands.map((command) => {
          const { status, stdout, stderr } = spawnSync('sh', ['-c', command], {
            encoding: 'utf8',
            input: '{}',
          });
          return `${status}${stdout}${stderr}`;
        });
      // The extension was never installed.
      expect(outcomes()).toEqual(['0', '0', '0', '0']);
      await rm(stateFolder(surroundings), { recursive: true });
      expect(outcomes()).toEqual(['0', '0', '0', '0']);
    },
  );
});
