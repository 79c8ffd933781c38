import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { isInside, Workspace } from '../../../src/agent/files/workspace.ts';
import { TemporaryWorkspace } from '../tools/temporary-workspace.ts';

async function shownIn(workspace: Workspace, given: string): Promise<string | undefined> {
  const resolution = await workspace.resolve(given);
  return 'place' in resolution ? resolution.place.shown : undefined;
}

async function refusalIn(workspace: Workspace, given: string): Promise<string | undefined> {
  const resolution = await workspace.resolve(given);
  return 'refusal' in resolution ? resolution.refusal.english : undefined;
}

describe('a path inside the workspace', () => {
  it.each(['src/a.ts', './src/a.ts', 'src/../src/a.ts', 'src//a.ts'])('may be written %s', async (given) => {
    await using files = await TemporaryWorkspace.create({ 'src/a.ts': '' });
    expect(await shownIn(new Workspace([files.path]), given)).toBe('src/a.ts');
  });

  it('may be absolute', async () => {
    await using files = await TemporaryWorkspace.create({ 'src/a.ts': '' });
    expect(await shownIn(new Workspace([files.path]), files.at('src/a.ts'))).toBe('src/a.ts');
  });

  it('may be the root itself', async () => {
    await using files = await TemporaryWorkspace.create();
    expect(await shownIn(new Workspace([files.path]), '.')).toBe('.');
  });

  it('need not exist', async () => {
    await using files = await TemporaryWorkspace.create();
    expect(await shownIn(new Workspace([files.path]), 'no/such/file')).toBe('no/such/file');
  });

  it('may lead through a symbolic link to another place inside', async () => {
    await using files = await TemporaryWorkspace.create({ 'src/a.ts': '' });
    await files.link('alias', files.at('src'));
    expect(await shownIn(new Workspace([files.path]), 'alias/a.ts')).toBe('src/a.ts');
  });

  it('may have a name that begins with two dots', async () => {
    await using files = await TemporaryWorkspace.create({ '..data/a': '' });
    expect(await shownIn(new Workspace([files.path]), '..data/a')).toBe('..data/a');
  });

  it('is found if the root itself is given through a symbolic link', async () => {
    await using files = await TemporaryWorkspace.create({ 'real/a.ts': '' });
    await files.link('open', files.at('real'));
    expect(await shownIn(new Workspace([files.at('open')]), 'a.ts')).toBe('a.ts');
  });
});

describe('a path outside the workspace', () => {
  it.each(['../secret', 'src/../../secret', '/etc/passwd', '..'])('is refused: %s', async (given) => {
    await using files = await TemporaryWorkspace.create({ 'src/a.ts': '' });
    expect(await refusalIn(new Workspace([files.path]), given)).toContain('outside the workspace');
  });

  it("is refused even if it begins with the root's name", async () => {
    await using files = await TemporaryWorkspace.create({ 'app/a': '', 'app-secret/b': '' });
    expect(await refusalIn(new Workspace([files.at('app')]), files.at('app-secret/b'))).toContain('outside');
  });

  it('is refused for a symbolic link to a file', async () => {
    await using files = await TemporaryWorkspace.create({ secret: '', 'app/a': '' });
    await files.link('app/link', files.at('secret'));
    expect(await refusalIn(new Workspace([files.at('app')]), 'link')).toContain('outside');
  });

  it('is refused for a symbolic link to a directory', async () => {
    await using files = await TemporaryWorkspace.create({ 'secrets/key': '', 'app/a': '' });
    await files.link('app/link', files.at('secrets'));
    expect(await refusalIn(new Workspace([files.at('app')]), 'link/key')).toContain('outside');
  });

  it('is refused for a missing file behind a symbolic link', async () => {
    await using files = await TemporaryWorkspace.create({ 'secrets/key': '', 'app/a': '' });
    await files.link('app/link', files.at('secrets'));
    expect(await refusalIn(new Workspace([files.at('app')]), 'link/new/file')).toContain('outside');
  });

  it('is refused in the same words whether or not it exists', async () => {
    await using files = await TemporaryWorkspace.create({ secret: '', 'app/a': '' });
    const workspace = new Workspace([files.at('app')]);
    const existing = await refusalIn(workspace, '../secret');
    expect(existing?.replace('secret', 'x')).toBe(
      (await refusalIn(workspace, '../other'))?.replace('other', 'x'),
    );
  });

  it('is refused with a NUL character or excessive length', async () => {
    await using files = await TemporaryWorkspace.create();
    const workspace = new Workspace([files.path]);
    expect(await refusalIn(workspace, 'a\0b')).toContain('NUL');
    expect(await refusalIn(workspace, 'a/'.repeat(3000))).toContain('too long');
  });
});

describe('several folders', () => {
  it('are distinguished by the first part of the path', async () => {
    await using files = await TemporaryWorkspace.create({ 'api/x.ts': '', 'web/y.ts': '' });
    const workspace = new Workspace([files.at('api'), files.at('web')]);
    expect(await shownIn(workspace, 'web/y.ts')).toBe('web/y.ts');
    expect(await shownIn(workspace, files.at('api/x.ts'))).toBe('api/x.ts');
  });

  it('get numbers if they have the same name', async () => {
    await using files = await TemporaryWorkspace.create({ 'one/app/a': '', 'two/app/b': '' });
    const workspace = new Workspace([files.at('one/app'), files.at('two/app')]);
    expect((await workspace.roots()).map(({ name }) => name)).toEqual(['app', 'app-2']);
    expect(await shownIn(workspace, 'app-2/b')).toBe('app-2/b');
  });

  it('are listed if a path begins with none of them', async () => {
    await using files = await TemporaryWorkspace.create({ 'api/x.ts': '', 'web/y.ts': '' });
    const workspace = new Workspace([files.at('api'), files.at('web')]);
    expect(await refusalIn(workspace, 'x.ts')).toContain('api/, web/');
  });

  it('give no access to their common parent folder', async () => {
    await using files = await TemporaryWorkspace.create({ 'api/x.ts': '', 'web/y.ts': '', secret: '' });
    const workspace = new Workspace([files.at('api'), files.at('web')]);
    expect(await refusalIn(workspace, 'api/../../secret')).toBeDefined();
    expect(await refusalIn(workspace, files.at('secret'))).toContain('outside');
  });

  it('are ignored if they do not exist', async () => {
    await using files = await TemporaryWorkspace.create({ 'api/x.ts': '' });
    const workspace = new Workspace([files.at('gone'), files.at('api')]);
    expect(await shownIn(workspace, 'x.ts')).toBe('x.ts');
  });
});

describe('isInside', () => {
  it.each([
    ['C:\\projects\\app\\a.ts', 'C:\\projects\\app', true],
    ['c:\\Projects\\App\\a.ts', 'C:\\projects\\app', true],
    ['C:/projects/app', 'c:\\projects\\app\\', true],
    ['C:\\projects\\app\\..a', 'C:\\projects\\app', true],
    ['C:\\projects\\application', 'C:\\projects\\app', false],
    ['C:\\projects', 'C:\\projects\\app', false],
    ['C:\\projects\\app\\..\\a', 'C:\\projects\\app', false],
    ['D:\\projects\\app\\a.ts', 'C:\\projects\\app', false],
    ['C:\\a', 'C:\\', true],
    ['\\\\server\\share\\app\\a.ts', '\\\\SERVER\\share\\app', true],
    ['\\\\server\\other\\a.ts', '\\\\server\\share', false],
  ])('compares as Windows does when given %s and %s', (inner, outer, expected) => {
    expect(isInside(inner, outer, path.win32)).toBe(expected);
  });

  it.each([
    ['/projects/app/a.ts', '/projects/app', true],
    ['/Projects/app/a.ts', '/projects/app', false],
    ['/projects/app\\a.ts', '/projects/app', false],
    ['/projects/app/..a', '/projects/app', true],
  ])('compares as POSIX does when given %s and %s', (inner, outer, expected) => {
    expect(isInside(inner, outer, path.posix)).toBe(expected);
  });
});
