import * as fc from 'fast-check';
import {
  chmod,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  rm,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { execFileSync } from 'node:child_process';
import { renameSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { parse, stringify } from 'smol-toml';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { lockFile } from '../../../src/agent/locks/shared-file.ts';
import {
  type ConfigFile,
  configFiles,
  type ConnectableAgent,
  connectableAgents,
} from '../../../src/bridge/connect/agent-config.ts';
import {
  applyConfigChanges,
  holdsConnection,
  planConnection,
  planDisconnection,
} from '../../../src/bridge/connect/config-changes.ts';
import { noteFile } from '../../../src/bridge/hooks/note-files.ts';
import { keepReceipt, readReceipt } from '../../../src/bridge/connect/receipts.ts';

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), 'connect-'));
});

afterEach(() => rm(home, { recursive: true, force: true }));

const notes = () => join(home, 'notes');
const filesOf = (agent: ConnectableAgent): readonly ConfigFile[] =>
  configFiles(
    agent,
    { program: 'node', script: '/state/bin/context-budget.mjs' },
    { home, platform: 'linux', environment: {} },
  );
const read = (path: string) => readFile(path, 'utf8').catch(() => undefined);

async function write(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await writeFile(path, text);
}

async function connect(agent: ConnectableAgent): Promise<void> {
  await applyConfigChanges(await planConnection(filesOf(agent)), notes());
}

async function disconnect(agent: ConnectableAgent): Promise<void> {
  await applyConfigChanges(await planDisconnection(filesOf(agent), notes()), notes());
}

function unlessChanged(error: Error): void {
  if (!error.message.includes('has changed in the meantime')) throw error;
}

describe.each(connectableAgents)('the configuration of %s', (agent) => {
  it('is created if it was missing, and removed again by disconnecting', async () => {
    expect(filesOf(agent).every(holdsConnection)).toBe(false);
    await connect(agent);
    expect(filesOf(agent).every(holdsConnection)).toBe(true);
    expect(await planConnection(filesOf(agent))).toEqual([]);
    await disconnect(agent);
    for (const { path } of filesOf(agent)) expect(await read(path), path).toBeUndefined();
    // Folders that were created are removed, too.
    expect(await readdir(home)).toEqual(['notes']);
    expect(await readdir(notes())).toEqual([]);
  });

  it('leaves folders that already existed or now contain other files', async () => {
    const folders = [...new Set(filesOf(agent).map(({ path }) => dirname(path)))];
    const [there, ...others] = folders.toSorted((one, other) => other.length - one.length);
    await mkdir(there!, { recursive: true });
    await connect(agent);
    for (const folder of others) await writeFile(join(folder, 'own.txt'), '');
    await disconnect(agent);
    expect(await readdir(there!)).toEqual([]);
    for (const folder of others) expect(await readdir(folder)).toContain('own.txt');
  });

  it('is removed after several versions have connected it to scripts in different places', async () => {
    await connect(agent);
    const later = configFiles(
      agent,
      { program: 'node', script: '/elsewhere/bin/context-budget.mjs' },
      { home, platform: 'linux', environment: {} },
    );
    await applyConfigChanges(await planConnection(later), notes());
    expect(await planConnection(later)).toEqual([]);
    await applyConfigChanges(await planDisconnection(later, notes()), notes());
    expect(await readdir(home)).toEqual(['notes']);
  });

  it('is restored if the user replaced our file before connecting again', async () => {
    await connect(agent);
    await disconnect(agent);
    const texts = filesOf(agent).map(({ path }) => (path.endsWith('.toml') ? '' : '{}\n'));
    for (const [index, { path }] of filesOf(agent).entries()) await write(path, texts[index]!);
    await connect(agent);
    await disconnect(agent);
    for (const [index, { path }] of filesOf(agent).entries()) expect(await read(path)).toBe(texts[index]);
  });

  it('contains hooks with commands that every shell can run', async () => {
    await connect(agent);
    const texts = await Promise.all(filesOf(agent).map(({ path }) => readFile(path, 'utf8')));
    const commands = texts.flatMap((text) => [...text.matchAll(/"command": "(.* hook .*)"/gu)]);
    for (const [, command = ''] of commands) {
      expect(command).toMatch(/^node -e \\"[^"]+\\" \\"\/state\/bin\/context-budget\.mjs\\" hook \w+$/u);
    }
    expect(commands.length).toBe({ 'claude-code': 4, codex: 2, 'gemini-cli': 0, copilot: 2 }[agent]);
  });

  it('is not changed before the plan is applied', async () => {
    const planned = await planConnection(filesOf(agent));
    expect(planned.length).toBeGreaterThan(0);
    for (const { file, before } of planned) expect(before ?? (await read(file.path))).toBeUndefined();
  });
});

const json = `{
    // What I like
    "model": "opus", /* for now */
    "hooks": {
        "PreCompact": [
            { "hooks": [{ "type": "command", "command": "echo 'saved'" }] }, // mine
        ],
    },
}
`;
const toml = `model = "gpt-5" # the best

[mcp_servers.docs]
command = "docs-server"

# My project
[projects."/home/me"]
trust_level = "trusted"
`;

describe('an existing configuration', () => {
  const settings = () => filesOf('claude-code')[0]!.path;
  const config = () => filesOf('codex')[1]!.path;

  it('keeps its comments and hooks, and is restored byte for byte', async () => {
    await write(settings(), json);
    await write(config(), toml);
    await connect('claude-code');
    await connect('codex');
    const connected = (await read(settings())) ?? '';
    expect(connected).toContain('// What I like');
    expect(connected).toContain(`"echo 'saved'"`);
    expect(connected).toContain('hook SessionStart');
    expect(await read(config())).toContain('[mcp_servers.context-budget]');
    await disconnect('claude-code');
    await disconnect('codex');
    expect(await read(settings())).toBe(json);
    expect(await read(config())).toBe(toml);
  });

  it('keeps changes made after connecting', async () => {
    await write(settings(), json);
    await write(config(), toml);
    await connect('claude-code');
    await connect('codex');
    await write(settings(), ((await read(settings())) ?? '').replace('"opus"', '"sonnet"'));
    await write(config(), `${(await read(config())) ?? ''}\n[mcp_servers.later]\ncommand = "later"\n`);
    await disconnect('claude-code');
    await disconnect('codex');
    expect(await read(settings())).toBe(json.replace('"opus"', '"sonnet"'));
    expect(await read(config())).toBe(`${toml}\n[mcp_servers.later]\ncommand = "later"\n`);
  });

  it('is connected once, even if the user connects it twice', async () => {
    await write(settings(), json);
    await connect('claude-code');
    const once = await read(settings());
    await connect('claude-code');
    expect(await read(settings())).toBe(once);
  });

  it.each([
    ['begins with a byte order mark', '\uFEFF{\n  "model": "opus"\n}\n'],
    ['is empty', ''],
    ['is blank', '\n\n'],
    ['is on one line', '{"model":"opus","env":{"A":"1"},"list":[1,2]}'],
    ['has Windows line ends', '{\r\n  "model": "opus"\r\n}\r\n'],
    ['has comments at the end', '{\n  "model": "opus" // the best\n  // of all\n}\n'],
    ['is indented by tabs', '{\n\t"model": "opus"\n}'],
  ])('that %s is restored, with or without our receipt', async (_what, text) => {
    for (const isNoted of [true, false]) {
      await write(settings(), text);
      await connect('claude-code');
      expect(filesOf('claude-code').every(holdsConnection)).toBe(true);
      expect(await planConnection(filesOf('claude-code'))).toEqual([]);
      if (!isNoted) await rm(notes(), { recursive: true });
      await disconnect('claude-code');
      const left = await read(settings());
      if (isNoted || text.trim() !== '') expect(left).toBe(text);
      else expect(JSON.parse(left ?? '')).toEqual({});
    }
  });

  it('keeps the formatting around our addition', async () => {
    const servers = filesOf('claude-code')[1]!.path;
    const text = '{\n  "mcpServers": {\n    "docs": { "command": "docs" } // mine\n  }\n}\n';
    await write(servers, text);
    await connect('claude-code');
    expect(await read(servers)).toContain(
      '    "docs": { "command": "docs" }, // mine\n    "context-budget": {\n',
    );
  });

  it('with only part of a connection can be disconnected', async () => {
    await connect('claude-code');
    const { hooks } = JSON.parse((await read(settings())) ?? '') as { hooks: Record<string, unknown> };
    await write(settings(), JSON.stringify({ hooks: { PreCompact: hooks['PreCompact'] } }));
    expect(holdsConnection(filesOf('claude-code')[0]!)).toBe(true);
    expect(await planConnection(filesOf('claude-code'))).toHaveLength(1);
    await disconnect('claude-code');
    expect(await read(settings())).toBeUndefined();
  });

  it("of Codex loses Codex's note about our server, which would keep Codex from starting", async () => {
    await write(config(), toml);
    await connect('codex');
    const noted = '\n[mcp_servers.context-budget.tools.recall]\napproval_mode = "approve"\n';
    await write(config(), `${(await read(config())) ?? ''}${noted}`);
    expect(await planConnection(filesOf('codex'))).toEqual([]);
    await disconnect('codex');
    expect(await read(config())).toBe(toml);
  });

  it.each([
    ['large numbers', 'limit = 9223372036854775807\n'],
    ['our heading within a string', 'text = """\n[mcp_servers.context-budget]\n"""\n'],
    ['a byte order mark', '\uFEFFmodel = "gpt-5"\n'],
  ])('of Codex with %s is restored', async (_what, text) => {
    await write(config(), text);
    await connect('codex');
    expect(await read(config())).toContain('command = "node"');
    await disconnect('codex');
    expect(await read(config())).toBe(text);
  });

  it('may be a link, and stays a link', async () => {
    const own = join(home, 'dotfiles', 'settings.json');
    await write(own, json);
    await mkdir(dirname(settings()), { recursive: true });
    await symlink(own, settings());
    await connect('claude-code');
    expect(await read(own)).toContain('hook PreCompact');
    await disconnect('claude-code');
    expect(await read(own)).toBe(json);
  });

  it('keeps its permissions', async () => {
    await write(settings(), json);
    const { mode } = await stat(settings());
    await connect('claude-code');
    expect((await stat(settings())).mode).toBe(mode);
  });

  it.each([
    ['claude-code', 'with a syntax error', '{\n  "hooks": {,\n}', 'is not valid JSON: see line 2'],
    ['claude-code', 'with a list at the top', '[]', '“/” is not an object'],
    ['claude-code', 'with a list in place of the hooks', '{"hooks": []}', '“hooks” is not an object'],
    [
      'claude-code',
      'with an object in place of a list of hooks',
      '{"hooks": {"PreCompact": {}}}',
      '“hooks.PreCompact” is not an array',
    ],
    ['claude-code', 'with a duplicate key', '{"hooks": {}, "hooks": {}}', '“hooks” occurs twice'],
    ['claude-code', 'with too deep nesting', `${'['.repeat(100_000)}`, 'It cannot be read'],
    ['claude-code', 'that is too large', `{"a": "${'a'.repeat(10_000_000)}"}`, 'It is larger than 10 MB'],
  ] as const)(
    'of %s %s is not changed, and the error names the place',
    async (agent, _what, text, reason) => {
      await write(settings(), text);
      const refused = planConnection(filesOf(agent));
      await expect(refused).rejects.toThrow(reason);
      await expect(refused).rejects.toThrow(settings());
      expect(await read(settings())).toBe(text);
    },
  );

  it.each([
    ['model = ', 'is not valid TOML: see line 1'],
    ['mcp_servers = 3\n', '“mcp_servers” is not a table'],
  ])('of Codex is not changed if it is “%s”', async (text, reason) => {
    await write(config(), text);
    await expect(planConnection(filesOf('codex'))).rejects.toThrow(reason);
    expect(await read(config())).toBe(text);
  });

  it('gets the planned change even if its text changed after the preview', async () => {
    await write(settings(), json);
    const planned = await planConnection(filesOf('claude-code'));
    await write(settings(), '{ "model": "sonnet" }');
    await applyConfigChanges(planned, notes());
    expect(await read(settings())).toContain('hook PreCompact');
    await disconnect('claude-code');
    expect(await read(settings())).toBe('{ "model": "sonnet" }');
  });

  it('that has become invalid stays unchanged, as do the other files', async () => {
    await write(settings(), json);
    const planned = await planConnection(filesOf('claude-code'));
    await write(settings(), '{ "hooks": ');
    await expect(applyConfigChanges(planned, notes())).rejects.toThrow('is not valid JSON');
    expect(await read(settings())).toBe('{ "hooks": ');
    expect(await read(filesOf('claude-code')[1]!.path)).toBeUndefined();
  });

  it('keeps changes that its agent makes while we change it', async () => {
    const [, { path }] = filesOf('claude-code') as readonly [ConfigFile, ConfigFile];
    await write(path, '{ "turns": 0 }');
    let isOver = false;
    let turns = 0;
    const lost: number[] = [];
    // Like the agent: reads the file, changes its own part, and replaces the file.
    const agent = (async () => {
      while (!isOver) {
        const now = JSON.parse((await read(path)) ?? '') as { turns: number };
        if (now.turns !== turns) lost.push(now.turns);
        turns = now.turns + 1;
        await writeFile(`${path}.agent`, JSON.stringify({ ...now, turns }));
        renameSync(`${path}.agent`, path);
        for (let turn = 0; turn < 5; turn++) await nextTurn();
      }
    })();
    for (let time = 0; time < 20; time++) {
      // If the agent is quicker every time, nothing is changed.
      await connect('claude-code').catch(unlessChanged);
      await disconnect('claude-code').catch(unlessChanged);
    }
    isOver = true;
    await agent;
    expect(lost).toEqual([]);
    expect(turns).toBeGreaterThan(20);
  });

  it.each<readonly [string, ConnectableAgent, number, string]>([
    [
      'JSON',
      'gemini-cli',
      0,
      '{ "mcpServers": { "context-budget": { "command": "mine", "args": [] }, "b": {} } }',
    ],
    [
      'JSON with comments',
      'claude-code',
      1,
      '{\n  // Mine\n  "mcpServers": { "context-budget": { "url": "x" } },\n}',
    ],
    ['TOML', 'codex', 1, '[mcp_servers.context-budget]\ncommand = "mine"\n\n[a]\nb = 1'],
    ['TOML, inline', 'codex', 1, 'mcp_servers = { context-budget = { command = "mine" } }\n'],
  ])("gets back a user's entry with our name: %s", async (_what, agent, index, text) => {
    const { path } = filesOf(agent)[index]!;
    await write(path, text);
    await connect(agent);
    expect(await read(path)).toContain('context-budget.mjs');
    await disconnect(agent);
    expect(await read(path)).toBe(text);
    expect(
      filesOf(agent)
        .filter((file) => file.path === path)
        .every(holdsConnection),
    ).toBe(false);
    await disconnect(agent);
    expect(await read(path)).toBe(text);
  });

  it.each<readonly [string, ConnectableAgent, number, string, (text: string) => string]>([
    [
      'JSON',
      'gemini-cli',
      0,
      '{"mcpServers":{"context-budget":{"command":"mine","env":{"A":"1"}},"b":{}}}',
      (text) => JSON.stringify(JSON.parse(text), undefined, '\t'),
    ],
    [
      'TOML',
      'codex',
      1,
      '[mcp_servers.context-budget]\ncommand = "mine"\nenv = { A = "1" }\ntimeout = 9007199254740993\n',
      (text) => stringify(parse(text, { integersAsBigInt: 'asNeeded' })),
    ],
  ])(
    "gets back a user's entry even after the agent has rewritten the file: %s",
    async (what, agent, index, text, written) => {
      const { path } = filesOf(agent)[index]!;
      const parsed = (one = '') =>
        what === 'JSON' ? (JSON.parse(one) as unknown) : parse(one, { integersAsBigInt: 'asNeeded' });
      await write(path, text);
      await connect(agent);
      await write(path, written((await read(path))!));
      await disconnect(agent);
      expect(parsed(await read(path))).toEqual(parsed(text));
    },
  );

  it('keeps other hooks in the same group as ours', async () => {
    const [{ path } = { path: '' }] = filesOf('claude-code');
    await connect('claude-code');
    const settings = JSON.parse((await read(path))!) as { hooks: Record<string, { hooks: object[] }[]> };
    const [group] = settings.hooks['PreCompact']!;
    const other = { type: 'command', command: 'lint' };
    group!.hooks = [other, ...group!.hooks, other];
    await write(path, JSON.stringify(settings));
    expect(filesOf('claude-code')[0]!.isConnected((await read(path))!)).toBe(true);
    await disconnect('claude-code');
    expect(JSON.parse((await read(path))!)).toEqual({ hooks: { PreCompact: [{ hooks: [other, other] }] } });
  });

  it.each([
    '"/home/ann/tools/context-budget" hook PreCompact',
    'node "/home/ann/tools/context-budget.mjs" hook PreCompact',
    'lint && node "/state/bin/context-budget.mjs" hook PreCompact',
    'python "/state/bin/context-budget.sh" hook PreCompact',
    `/bin/sh -c 'lint; exec /bin/sh "$0" "$@"' '/state/bin/context-budget.sh' hook PreCompact`,
  ])("keeps a user's hook that only looks like ours: %s", async (command) => {
    const [{ path } = { path: '' }] = filesOf('claude-code');
    const text = JSON.stringify({ hooks: { PreCompact: [{ hooks: [{ type: 'command', command }] }] } });
    await write(path, text);
    expect(filesOf('claude-code')[0]!.isConnected(text)).toBe(false);
    await connect('claude-code');
    await disconnect('claude-code');
    expect(await read(path)).toBe(text);
  });

  it('is removed only together with folders made for it, even if its receipt lists others', async () => {
    const [{ path } = { path: '' }] = filesOf('gemini-cli');
    await mkdir(join(home, 'mine'));
    await connect('gemini-cli');
    const receipt = await readReceipt(notes(), path);
    await keepReceipt(notes(), { ...receipt!, path, folders: [...receipt!.folders, join(home, 'mine')] });
    await disconnect('gemini-cli');
    expect((await readdir(home)).toSorted()).toEqual(['mine', 'notes']);
  });

  it.each<readonly [string, (note: string, path: string) => unknown]>([
    ['a pipe', (note) => execFileSync('mkfifo', [note])],
    ['a device', (note) => symlink('/dev/zero', note)],
    ['a sparse file', (note) => writeFile(note, '').then(() => truncate(note, 1_500_000_000))],
    ...['{', 'null', '[]'].map((foreign) => {
      const kept = { wasMissing: false, added: 'x', replaced: 'y', folders: [], agents: [], foreign };
      return [foreign, (_note: string, path: string) => keepReceipt(notes(), { ...kept, path })] as const;
    }),
  ])('is disconnected without a valid receipt: %s', async (_what, replace) => {
    if (process.platform === 'win32') return;
    const [{ path } = { path: '' }] = filesOf('gemini-cli');
    await write(path, '{"mine":1}');
    await connect('gemini-cli');
    const note = noteFile(notes(), path, 'receipt');
    await rm(note);
    await replace(note, path);
    await disconnect('gemini-cli');
    expect(JSON.parse((await read(path))!)).toEqual({ mine: 1 });
  });

  it('that connecting created is emptied, but not deleted, if it has become a link', async () => {
    await connect('gemini-cli');
    const { path } = filesOf('gemini-cli')[0]!;
    const own = join(home, 'own.json');
    renameSync(path, own);
    await symlink(own, path);
    await disconnect('gemini-cli');
    expect(JSON.parse((await read(own)) ?? '')).toEqual({});
  });

  it('is restored after two agents used it, in either order of disconnecting', async () => {
    const [claude] = filesOf('claude-code');
    const gemini = filesOf('gemini-cli').map((file) => ({ ...file, path: claude!.path }));
    const orders: readonly (readonly [readonly ConfigFile[], readonly ConfigFile[]])[] = [
      [[claude!], gemini],
      [gemini, [claude!]],
    ];
    for (const [first, second] of orders) {
      await write(claude!.path, json);
      await applyConfigChanges(await planConnection([claude!]), notes());
      await applyConfigChanges(await planConnection(gemini), notes());
      await applyConfigChanges(await planDisconnection(first, notes()), notes());
      expect(first.every(holdsConnection)).toBe(false);
      expect(second.every(holdsConnection)).toBe(true);
      await applyConfigChanges(await planDisconnection(second, notes()), notes());
      expect(await read(claude!.path)).toBe(json);
      expect(await readdir(notes())).toEqual([]);
    }
  });

  it('is restored if only its receipt changed between the plan and the change', async () => {
    const text = '{\n  "mcpServers": { "docs": { "command": "docs" } },\n}';
    const files = (agent: ConnectableAgent) =>
      configFiles(
        agent,
        { program: 'node', script: '/state/bin/context-budget.mjs' },
        {
          home,
          platform: 'linux',
          environment: { CLAUDE_CONFIG_DIR: join(home, '.gemini'), GEMINI_CLI_HOME: home },
        },
      );
    const settings = join(home, '.gemini', 'settings.json');
    await write(settings, text);
    await applyConfigChanges(await planConnection(files('gemini-cli')), notes());
    await applyConfigChanges(await planConnection(files('claude-code')), notes());
    const shared = await readReceipt(notes(), settings);
    await applyConfigChanges(await planDisconnection(files('claude-code'), notes()), notes());
    const alone = await readReceipt(notes(), settings);

    await keepReceipt(notes(), { ...shared!, path: settings });
    const planned = await planDisconnection(files('gemini-cli'), notes());
    await keepReceipt(notes(), { ...alone!, path: settings });
    await applyConfigChanges(planned, notes());

    expect(await read(settings)).toBe(text);
  });

  it('is changed by only one window at a time', async () => {
    await mkdir(notes());
    const release = await lockFile(join(notes(), 'connections'), () => {});
    await expect(connect('gemini-cli')).rejects.toThrow('Another window is changing connections.');
    await release?.();
    await connect('gemini-cli');
  });

  it('is restored if another file of its agent cannot be written', async () => {
    await write(settings(), json);
    const [change] = await planConnection(filesOf('claude-code'));
    await symlink('/no/such/folder', join(home, 'nowhere'));
    const unwritable = {
      kind: 'connect',
      file: { ...change!.file, path: join(home, 'nowhere', 'a.json') },
      before: undefined,
      after: '{}',
      repeat: () => Promise.resolve('{}'),
    } as const;
    await expect(applyConfigChanges([change!, unwritable], notes())).rejects.toThrow('nowhere');
    expect(await read(settings())).toBe(json);
  });

  it('is not created, nor is its folder, if another file of its agent cannot be written', async () => {
    const [change] = await planConnection(filesOf('claude-code'));
    const folder = join(home, 'made', 'for', 'it');
    await symlink('/no/such/folder', join(home, 'nowhere'));
    const others = [join(folder, 'a.json'), join(home, 'nowhere', 'a.json')].map(
      (path) =>
        ({
          kind: 'connect',
          file: { ...change!.file, path },
          before: undefined,
          after: '{}',
          repeat: () => Promise.resolve('{}'),
        }) as const,
    );
    await expect(applyConfigChanges([change!, ...others], notes())).rejects.toThrow('nowhere');
    expect(await readdir(home)).toEqual(['notes', 'nowhere']);
    expect(await readdir(notes())).toEqual([]);
  });

  it('is restored byte for byte, even after a later version has connected it again', async () => {
    await write(settings(), json);
    await connect('claude-code');
    const later = configFiles(
      'claude-code',
      { program: 'node', script: '/elsewhere/bin/context-budget.mjs' },
      { home, platform: 'linux', environment: {} },
    );
    await applyConfigChanges(await planConnection(later), notes());
    expect(await read(settings())).toContain('/elsewhere/');
    await applyConfigChanges(await planDisconnection(later, notes()), notes());
    expect(await read(settings())).toBe(json);
  });

  it.each([
    ['is write-protected', (path: string) => chmod(path, 0o444)],
    [
      'is a link to nowhere',
      async (path: string) => {
        await rm(path);
        await symlink(join(home, 'nowhere.json'), path);
      },
    ],
  ])('that %s is not changed, and an error says why', async (_what, protect) => {
    await write(settings(), json);
    await protect(settings());
    const before = await read(settings());
    const planned = await planConnection(filesOf('claude-code'));
    const refused = applyConfigChanges(planned, notes());
    await expect(refused).rejects.toThrow(`${settings()} cannot be changed. It cannot be written.`);
    expect(await read(settings())).toBe(before);
    expect(await read(filesOf('claude-code')[1]!.path)).toBeUndefined();
  });

  it('that is not text is not changed', async () => {
    const bytes = Buffer.from([0x7b, 0x22, 0xff, 0xfe, 0x22, 0x3a, 0x31, 0x7d]);
    await mkdir(dirname(settings()), { recursive: true });
    await writeFile(settings(), bytes);
    await expect(planConnection(filesOf('claude-code'))).rejects.toThrow('cannot be read');
    expect(await readFile(settings())).toEqual(bytes);
  });

  it('keeps a change made after the preview of the disconnection', async () => {
    await write(settings(), json);
    await connect('claude-code');
    const planned = await planDisconnection(filesOf('claude-code'), notes());
    await write(settings(), (await read(settings()))!.replace('opus', 'sonnet'));
    await applyConfigChanges(planned, notes());
    expect(await read(settings())).toBe(json.replace('opus', 'sonnet'));
  });

  it('is not copied into the receipts', async () => {
    await write(settings(), json.replace('opus', 'secret-value'));
    await connect('claude-code');
    for (const name of await readdir(notes())) {
      expect(await read(join(notes(), name))).not.toContain('secret-value');
    }
  });
});

describe('any configuration', () => {
  it('of JSON is restored byte for byte', async () => {
    const [file] = filesOf('claude-code');
    const value = fc.dictionary(fc.constantFrom('model', 'env', 'hooks2', 'permissions'), fc.jsonValue());
    await fc.assert(
      fc.asyncProperty(
        value,
        fc.constantFrom(undefined, 2, 4, '\t'),
        fc.boolean(),
        async (fields, indent, ends) => {
          const text = JSON.stringify(fields, undefined, indent) + (ends ? '\n' : '');
          await write(file!.path, text);
          await connect('claude-code');
          // JSON has no negative zero.
          expect(JSON.parse((await read(file!.path)) ?? '')).toMatchObject(JSON.parse(text) as object);
          await disconnect('claude-code');
          expect(await read(file!.path)).toBe(text);
        },
      ),
      { numRuns: 60 },
    );
  });
});
