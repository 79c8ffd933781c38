import { execFile, execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { constants, readFileSync } from 'node:fs';
import {
  chmod,
  chown,
  lchown,
  link,
  lstat,
  mkdir,
  mkdtemp,
  readdir,
  readFile,
  readlink,
  rm,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe } from 'vitest';
import { type ConfigFile, configFiles, connectableAgents } from '../../src/bridge/connect/agent-config.ts';
import {
  applyConfigChanges,
  planConnection,
  planDisconnection,
} from '../../src/bridge/connect/config-changes.ts';
import { ConfigError } from '../../src/bridge/connect/json-config.ts';
import { soak } from '../support/soak.ts';
import { randomConfig } from './support/random-config.ts';
import { fault } from './support/fault.ts';
import { seeded } from './support/seeded.ts';

const run = promisify(execFile);
const connector = fileURLToPath(new URL('support/connector.ts', import.meta.url));
const nobody = 65_534;
const launcher = { program: '/bin/sh', script: '/state/bin/context-budget.sh' };

describe('connections survive', () => {
  let home: string;
  beforeEach(async () => {
    home = await mkdtemp(join(tmpdir(), 'connection-faults-'));
  });
  afterEach(() => rm(home, { recursive: true, force: true }));

  const read = (path: string) => readFile(path, 'utf8').catch(() => undefined);
  const write = async (path: string, text: string) => {
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  };

  fault('connections: any configuration is connected and disconnected', async (count) => {
    const random = seeded(13);
    for (let round = 0; round < soak(150, 2_000); round++) {
      const place = join(home, String(round));
      const agent = connectableAgents[Math.floor(random() * connectableAgents.length)]!;
      const files = configFiles(agent, launcher, { home: place, platform: 'linux', environment: {} });
      const before = files.map(({ path }) => (random() < 0.2 ? undefined : randomConfig(path, random)));
      for (const [index, text] of before.entries()) {
        if (text !== undefined) await write(files[index]!.path, text);
      }
      const isRefused = await connectedAndBack(files, join(place, 'state'));
      for (const [index, file] of files.entries()) {
        const now = await read(file.path);
        const [was] = [before[index]];
        // Entries of an earlier connection without a receipt are removed, too.
        if (now !== (isRefused ? was : withoutOurs(was, file))) {
          count.harmed(`${agent}: ${JSON.stringify(was)} became ${JSON.stringify(now)}`);
        }
      }
      count.tried();
    }
  });

  const users = process.getuid?.() === 0 ? [0, nobody] : [process.getuid?.()];
  fault('connections: configurations that are not a regular file of the user', async (count) => {
    if (process.platform === 'win32') return count.skip('Windows has neither of them.');
    for (const user of users) {
      for (const [what, prepare] of Object.entries(oddFiles)) {
        const place = join(home, `${user} ${what}`);
        const path = join(place, '.gemini', 'settings.json');
        await mkdir(dirname(path), { recursive: true });
        try {
          await prepare(path, place);
        } catch (error) {
          // Only root gives files away.
          if ((error as NodeJS.ErrnoException).code !== 'EPERM') throw error;
          continue;
        }
        if (user === nobody) await ownedBy(user, place, what);
        const before = await snapshotOf(place);
        const said = await run(process.execPath, [connector, 'gemini-cli', place, 'once'], {
          ...(user === undefined ? {} : { uid: user, gid: user }),
          timeout: 60_000,
        }).catch((error: unknown) => ({ stdout: `failed: ${String(error)}` }));
        const lines = said.stdout.trim().split('\n');
        const isRefused = lines.length === 1 && / cannot be changed\. [^\n]+\.$/u.test(said.stdout.trim());
        if (!isRefused && said.stdout.trim() !== 'connected') count.harmed(`${user} ${what}: ${said.stdout}`);
        if ((await snapshotOf(place)) !== before)
          count.harmed(`${user} ${what}: ${before}\nbecame ${await snapshotOf(place)}`);
        count.tried();
      }
    }
  });

  fault('connections: a state folder that belongs to another user', async (count) => {
    if (process.getuid?.() !== 0) return count.skip('Only root can make one.');
    const odd: Readonly<Record<string, (state: string) => Promise<unknown>>> = {
      'a folder': (state) => mkdir(state, { mode: 0o777 }),
      'a link to one': async (state) => {
        await mkdir(join(home, 'theirs'), { mode: 0o777 });
        await symlink(join(home, 'theirs'), state);
      },
    };
    for (const [what, prepare] of Object.entries(odd)) {
      const place = join(home, what);
      await write(join(place, '.gemini', 'settings.json'), plain);
      await ownedBy(nobody, place, what);
      await chmod(home, 0o755);
      await prepare(join(place, 'state'));
      await chmod(join(place, 'state'), 0o777);
      const { stdout } = await run(process.execPath, [connector, 'gemini-cli', place, 'once'], {
        uid: nobody,
        gid: nobody,
      });
      if (!stdout.endsWith('It belongs to another user.\n')) count.harmed(`${what}: ${stdout}`);
      if ((await read(join(place, '.gemini', 'settings.json'))) !== plain) count.harmed(`${what}: changed`);
      if ((await readdir(join(place, 'state'))).length > 0) count.harmed(`${what}: written to`);
      count.tried();
    }
  });

  fault(
    'connections: two windows at once, with the same agent and with two agents in one file',
    async (count) => {
      const rounds = soak(20, 250);
      const settings = join(home, '.gemini', 'settings.json');
      const text =
        '\uFEFF{\r\n  // Mine\r\n  "theme": "dark", "mcpServers": { "docs": { "command": "docs" } },\r\n}';
      for (const pair of [
        ['gemini-cli', 'gemini-cli'],
        ['gemini-cli', 'claude-code'],
        ['claude-code', 'claude-code'],
      ] as const) {
        await write(settings, text);
        let isOver = false;
        const looks = (async () => {
          while (!isOver) {
            if (!isWhole(readFileSync(settings, 'utf8'))) count.harmed('half a file was seen');
            await new Promise(setImmediate);
          }
        })();
        await Promise.all(
          pair.map((agent) => run(process.execPath, [connector, agent, home, String(rounds)])),
        );
        isOver = true;
        await looks;
        for (const agent of new Set(pair)) {
          const environment = { CLAUDE_CONFIG_DIR: join(home, '.gemini'), GEMINI_CLI_HOME: home };
          const files = configFiles(agent, launcher, { home, platform: 'linux', environment });
          const now = await read(settings);
          if (now?.includes(agent === 'gemini-cli' ? '"mcp"' : 'hook PreCompact') !== true)
            count.harmed(`${agent} is not connected`);
          await applyConfigChanges(await planDisconnection(files, join(home, 'state')), join(home, 'state'));
        }
        if ((await read(settings)) !== text)
          count.harmed(`${pair.join(' and ')} left ${JSON.stringify(await read(settings))}`);
        const left = (await readdir(join(home, 'state'))).concat(await readdir(join(home, '.gemini')));
        if (left.join() !== 'settings.json') count.harmed(`left behind: ${left.join()}`);
        count.tried(2 * rounds);
      }
    },
  );
});

/** Files of an agent that are no plain file of their user, by how they are made. */
const oddFiles: Readonly<Record<string, (path: string, home: string) => unknown>> = {
  'a link to a file': (path, home) => linked(path, join(home, 'dotfiles', 'a.json')),
  'a relative link': async (path, home) => {
    await linked(path, join(home, 'dotfiles', 'a.json'));
    await rm(path);
    await symlink('../dotfiles/a.json', path);
  },
  'a chain of links': async (path, home) => {
    await linked(join(home, 'second'), join(home, 'dotfiles', 'a.json'));
    await symlink(join(home, 'second'), path);
  },
  'a link to nowhere': (path, home) => symlink(join(home, 'nowhere', 'a.json'), path),
  'a link to itself': (path) => symlink(path, path),
  'a link to a folder': (path, home) => symlink(home, path),
  'a link to a protected folder': async (path, home) => {
    await linked(path, join(home, 'dotfiles', 'a.json'));
    await chmod(join(home, 'dotfiles'), 0o555);
  },
  'a folder that is a link': async (path, home) => {
    await rm(dirname(path), { recursive: true });
    await mkdir(join(home, 'dotfiles'));
    await symlink(join(home, 'dotfiles'), dirname(path));
    await writeFile(path, plain);
  },
  'a file with two names': async (path, home) => {
    await writeFile(path, plain);
    await link(path, join(home, 'other name'));
  },
  'a protected file': (path) => writeFile(path, plain, { mode: 0o444 }),
  'a file that others may write': async (path) => {
    await writeFile(path, plain);
    await chmod(path, 0o666);
  },
  'a file for its owner alone': (path) => writeFile(path, plain, { mode: 0o600 }),
  'a protected folder': async (path) => {
    await writeFile(path, plain);
    await chmod(dirname(path), 0o555);
  },
  'a protected folder without the file': (path) => chmod(dirname(path), 0o555),
  'a file in place of the folder': async (path) => {
    await rm(dirname(path), { recursive: true });
    await writeFile(dirname(path), '');
  },
  'a folder': (path) => mkdir(path),
  'a pipe': (path) => execFileSync('mkfifo', [path]),
  'a device': (path) => symlink('/dev/zero', path),
  'a file of another owner': async (path) => {
    await writeFile(path, plain, { mode: 0o666 });
    await chown(path, 12_345, 12_345);
  },
  'a file of a group': async (path) => {
    await writeFile(path, plain);
    await chown(path, process.getuid!(), 12_345);
    await chmod(path, 0o660);
  },
  'an empty file': (path) => writeFile(path, ''),
  'a byte order mark alone': (path) => writeFile(path, '\uFEFF'),
  'bytes that are no text': (path) => writeFile(path, Buffer.from([0x7b, 0xff, 0x7d])),
  'UTF-16': (path) => writeFile(path, Buffer.from('\uFEFF{}', 'utf16le')),
  'a file of 50 MB': (path) => writeFile(path, `{"a":"${'x'.repeat(50_000_000)}"}`),
  'a file of 5 MB': (path) => writeFile(path, `{"a":[${'[1,2],'.repeat(720_000)}1]}`),
  'a sparse file of 5 GB': async (path) => {
    await writeFile(path, plain);
    await truncate(path, 5_000_000_000);
  },
  'objects 100,000 deep': (path) => writeFile(path, `${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`),
  'our field twice': (path) => writeFile(path, '{"mcpServers":{},"mcpServers":{"docs":{}}}'),
  'our server twice': (path) =>
    writeFile(path, '{"mcpServers":{"context-budget":{},"context-budget":{"a":1}}}'),
  'another field twice': (path) => writeFile(path, '{"a":1,"a":2}'),
  'fields named __proto__': (path) =>
    writeFile(path, '{"__proto__":{"mcpServers":{}},"mcpServers":{"__proto__":{"a":1}}}'),
};

const plain = '{\n  "theme": "dark", // mine\n}';

async function linked(path: string, target: string): Promise<void> {
  await mkdir(dirname(target), { recursive: true });
  await writeFile(target, plain);
  await symlink(target, path);
}

/** Changes the owner of a folder with its content, except for files in tests about owners. */
async function ownedBy(user: number, place: string, what: string): Promise<void> {
  const names = await namesBelow(place);
  const given = names.filter(
    (name) => !(name.endsWith('settings.json') && /of another owner|of a group/u.test(what)),
  );
  await chmod(dirname(place), 0o755);
  for (const name of ['', ...given]) await lchown(join(place, name), user, user);
}

/**
 * Paths of everything below a folder, relative to it, without following links. Without types, `readdir` would
 * follow them.
 */
async function namesBelow(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}

/** Everything about the files below a folder, except the notes of connections and times. */
async function snapshotOf(home: string): Promise<string> {
  const names = (await namesBelow(home)).filter((name) => !/^state(?:\/|$)/u.test(name));
  const told = names.toSorted().map(async (name) => {
    const path = join(home, name);
    const { mode, uid, gid, nlink, size } = await lstat(path);
    const kind = mode & constants.S_IFMT;
    const isFile = kind === constants.S_IFREG;
    const content =
      isFile && size < 1e9
        ? createHash('sha256')
            .update(await readFile(path))
            .digest('hex')
        : size;
    const target = kind === constants.S_IFLNK ? await readlink(path) : '';
    return [name, mode, uid, gid, isFile ? nlink : '', isFile ? content : '', target].join(' ');
  });
  return (await Promise.all(told)).join('\n');
}

/** @returns true if that was refused in a sentence */
async function connectedAndBack(files: readonly ConfigFile[], state: string): Promise<boolean> {
  try {
    await applyConfigChanges(await planConnection(files), state);
  } catch (error) {
    if (error instanceof ConfigError && !error.message.includes('\n')) return true;
    throw error;
  }
  await applyConfigChanges(await planDisconnection(files, state), state);
  return false;
}

function withoutOurs(text: string | undefined, file: ConfigFile): string | undefined {
  const mark = text?.startsWith('\uFEFF') === true ? '\uFEFF' : '';
  return text === undefined ? undefined : mark + file.disconnect(text.slice(mark.length));
}

function isWhole(text: string): boolean {
  return text.startsWith('\uFEFF{') && text.endsWith('}') && text.includes('"docs"');
}
