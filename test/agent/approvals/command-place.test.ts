import { afterAll, describe, expect, it } from 'vitest';
import { CommandPlace } from '../../../src/agent/approvals/command-place.ts';
import { TemporaryWorkspace } from '../tools/temporary-workspace.ts';

const files = await TemporaryWorkspace.create({
  'app/src/a.ts': 'a',
  'app/.env': 'secret',
  'app/keys/id_rsa': 'secret',
  'app/sub/b.ts': 'b',
  'app/node_modules/.bin/vitest': '',
  'app/sub/node_modules/.bin/own': '',
  'app/node_modules/.bin/two words': '',
  'app/node_modules/.bin/-option': '',
  'app/npm.cmd': '',
  'app/bare/HEAD': '',
  'app/bare/refs/x': '',
  'app/bare/below/x': '',
  'app/objects-only/objects/x': '',
  'app/head-only/HEAD': '',
  'app/shared/HEAD': '',
  'app/shared/commondir': '',
  'app/lower/head': '',
  'app/lower/OBJECTS': '',
  'app/repository/.git/HEAD': '',
  'app/repository/.git/refs/x': '',
  'app/repository/src/x': '',
  'lib/c.ts': 'c',
  'outside/d.ts': 'd',
  'outside/program': '',
});
await files.link('app/out', files.at('outside'));
await files.link('app/alias.txt', files.at('app/.env'));
await files.link('app/node_modules/.bin/foreign', files.at('outside/program'));
afterAll(() => files[Symbol.asyncDispose]());

const app = { name: 'app', path: files.at('app') };
const lib = { name: 'lib', path: files.at('lib') };
const place = new CommandPlace(app.path, [app], 'posix');
const at = (folder: string, shell: 'posix' | 'windows' = 'posix') =>
  new CommandPlace(files.at(folder), [app], shell);

describe('the directory of a command', () => {
  it('is shown relative to the workspace, with the name of the folder if there are several', () => {
    expect(place.shown).toBe('');
    expect(at('app/sub').shown).toBe('sub');
    expect(at('app/repository/src').shown).toBe('repository/src');
    expect(new CommandPlace(files.at('app/sub'), [lib, app], 'posix').shown).toBe('app/sub');
    expect(new CommandPlace(lib.path, [app, lib], 'posix').shown).toBe('lib');
  });

  it.each(['sub', './sub', 'sub/', 'src/../sub', 'repository/src'])('changes to %s', (given) => {
    expect(place.changedTo(given)?.shown).toBe(given.includes('repository') ? 'repository/src' : 'sub');
  });

  it.each(['..', '../lib', 'missing', 'src/a.ts', 'out', '/'])('does not change to %s', (given) => {
    expect(place.changedTo(given)).toBeUndefined();
  });
});

describe('a path among the words of a command', () => {
  it('is resolved with links and parents', () => {
    expect(place.resolve('src/a.ts')).toBe(files.at('app/src/a.ts'));
    expect(place.resolve('src/../sub/./b.ts')).toBe(files.at('app/sub/b.ts'));
    expect(place.resolve(files.at('app/src//a.ts'))).toBe(files.at('app/src/a.ts'));
    expect(place.resolve('alias.txt')).toBe(files.at('app/.env'));
    expect(at('app/sub').resolve('../src/a.ts')).toBe(files.at('app/src/a.ts'));
    expect(place.resolve('new/folder/x')).toBe(files.at('app/new/folder/x'));
    expect(place.resolve('')).toBe(app.path);
  });

  it.each(['..', '../lib/c.ts', 'out/d.ts', 'out/new', '/etc/passwd', 'sub/../../lib'])(
    'has no place if it leads out of the workspace: %s',
    (given) => {
      expect(place.resolve(given)).toBeUndefined();
      expect([place.holds(given), place.isThere(given), place.mayRead(given)]).toEqual([false, false, false]);
      expect([place.mayReadFile(given), place.maySearch(given, false)]).toEqual([false, false]);
    },
  );

  it('has no place if it goes up from a folder that does not exist yet', () => {
    expect(place.resolve('new/../src/a.ts')).toBeUndefined();
    expect(place.resolve('new/./x')).toBe(files.at('app/new/x'));
  });

  it('may lie in any folder of the workspace', () => {
    const both = new CommandPlace(app.path, [app, lib], 'posix');
    expect(both.holds('../lib/c.ts')).toBe(true);
    expect(both.mayRead('../lib/c.ts')).toBe(true);
    expect(both.holds('../outside/d.ts')).toBe(false);
  });

  it('is there if a file or folder exists', () => {
    expect(['src', 'src/a.ts', 'new.ts'].map((given) => place.isThere(given))).toEqual([true, true, false]);
    expect(place.holds('new.ts')).toBe(true);
  });

  it('may be read unless it or its target is named like a secret', () => {
    expect(['src/a.ts', 'new.ts', 'src'].map((given) => place.mayRead(given))).toEqual([true, true, true]);
    expect(['.env', 'keys/id_rsa', 'alias.txt'].map((given) => place.mayRead(given))).toEqual([
      false,
      false,
      false,
    ]);
  });

  it('may be read although the workspace is in a folder named like a secret', async () => {
    await using inside = await TemporaryWorkspace.create({ '.ssh/work/a.ts': '' });
    const root = { name: 'work', path: inside.at('.ssh/work') };
    expect(new CommandPlace(root.path, [root], 'posix').mayRead('a.ts')).toBe(true);
  });

  it('may be read as a file only if it is one', () => {
    const given = ['src/a.ts', 'src', 'new.ts', '.env'];
    expect(given.map((one) => place.mayReadFile(one))).toEqual([true, false, false, false]);
  });

  it('may be searched if it is a file, or a folder without secrets', () => {
    const given = ['src', 'src/a.ts', 'keys', '.env', 'new.ts', '.'];
    expect(given.map((one) => place.maySearch(one, true))).toEqual([true, true, false, false, false, false]);
    expect(at('app/sub').maySearch('.', false)).toBe(true);
  });
});

describe('a path on Windows', () => {
  const windows = at('app', 'windows');

  it('is relative, with either slash', () => {
    expect(windows.resolve('src\\a.ts')).toBe(files.at('app/src/a.ts'));
    expect(windows.resolve('.\\src/a.ts')).toBe(files.at('app/src/a.ts'));
    expect(windows.resolve('src\\..\\sub')).toBe(files.at('app/sub'));
    expect(place.resolve('src\\a.ts')).toBe(files.at('app/src\\a.ts'));
  });

  it.each([
    ['a root', '\\src'],
    ['a server', '\\\\server\\share'],
    ['a drive', 'C:src'],
    ['a stream', 'a.ts:secret'],
    ['a device', 'nul'],
    ['a device with an ending', 'src\\CON.txt'],
    ['a numbered device', 'com1'],
    ['a printer', 'LPT9.x'],
    ['a console', 'CONIN$'],
    ['a short name', 'PROGRA~1'],
    ['a dot at the end, which Windows removes', 'src\\a.ts.'],
    ['a blank at the end, which Windows removes', 'src \\a.ts'],
  ])('has no place if it has %s: %s', (_what, given) => {
    expect(windows.resolve(given)).toBeUndefined();
  });

  it.each(['console', 'com', 'com12x', 'nullable.ts', 'auxiliary', 'a~b'])(
    'may begin like a device: %s',
    (given) => {
      expect(windows.holds(given)).toBe(true);
    },
  );
});

describe('a program', () => {
  it('is shadowed on Windows by a file of the directory', () => {
    const windows = at('app', 'windows');
    expect(['npm', 'NPM', 'npm.cmd', 'np', 'cmd'].map((name) => windows.shadows(name))).toEqual([
      true,
      true,
      true,
      false,
      false,
    ]);
    expect(place.shadows('npm')).toBe(false);
  });

  it('of a package is one that is installed in the workspace', () => {
    expect(place.hasPackageProgram('vitest')).toBe(true);
    expect(at('app/sub').hasPackageProgram('vitest')).toBe(true);
    expect(at('app/sub').hasPackageProgram('own')).toBe(true);
    expect(place.hasPackageProgram('own')).toBe(false);
  });

  it.each(['missing', 'foreign', '../vitest', '.bin', 'Vitest', '', '-option', 'two words'])(
    'of a package is not %j',
    (name) => {
      expect(place.hasPackageProgram(name)).toBe(false);
    },
  );

  it('of a package is not searched above the workspace', async () => {
    await using above = await TemporaryWorkspace.create({
      'node_modules/.bin/vitest': '',
      'w/a.ts': '',
    });
    const root = { name: 'w', path: above.at('w') };
    expect(new CommandPlace(root.path, [root], 'posix').hasPackageProgram('vitest')).toBe(false);
    expect(new CommandPlace(above.path, [root], 'posix').hasPackageProgram('vitest')).toBe(false);
  });
});

describe('a bare repository', () => {
  it.each(['bare', 'bare/below', 'shared', 'lower'])('is %s, for git', (folder) => {
    expect(at(`app/${folder}`).isBareRepository).toBe(true);
  });

  it.each(['', 'src', 'objects-only', 'head-only', 'repository', 'repository/src'])('is not %j', (folder) => {
    expect(at(folder === '' ? 'app' : `app/${folder}`).isBareRepository).toBe(false);
  });

  it('is not searched above the workspace', () => {
    const below = { name: 'below', path: files.at('app/bare/below') };
    expect(new CommandPlace(below.path, [below], 'posix').isBareRepository).toBe(false);
  });
});

describe('the index of a repository', () => {
  it('is uncertain if it cannot be read, or if there is none in the workspace', () => {
    expect(at('app/repository/src').tracksNoSecrets).toBe(false);
    expect(place.tracksNoSecrets).toBe(false);
    expect(at('outside').tracksNoSecrets).toBe(false);
  });
});
