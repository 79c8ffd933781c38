import { chmodSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { findProgram } from '../../../src/agent/files/find-program.ts';

let home: string;
let workspace: string;
const name = 'tool-of-a-test';
const file = process.platform === 'win32' ? `${name}.exe` : name;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'find-program-'));
  workspace = join(home, 'workspace');
  for (const folder of ['workspace', 'workspace/bin', 'own', 'plain', 'folders']) {
    mkdirSync(join(home, folder));
  }
  for (const folder of ['workspace', 'workspace/bin', 'own']) {
    writeFileSync(join(home, folder, file), '', { mode: 0o755 });
  }
  mkdirSync(join(home, 'folders', file));
  symlinkSync(join(workspace, 'bin'), join(home, 'link'));
  symlinkSync(workspace, join(home, 'workspace link'));
});
afterEach(() => rmSync(home, { recursive: true }));

describe('a program on the PATH', () => {
  const find = (...folders: readonly string[]) => findProgram(name, folders.join(delimiter), [workspace]);

  it('is taken from the first folder that contains it', () => {
    expect(find(join(home, 'nowhere'), join(home, 'own'))).toBe(join(home, 'own', file));
    expect(find()).toBeUndefined();
  });

  it.each([
    ['an empty entry', () => ''],
    ['the current folder', () => '.'],
    ['a relative folder', () => 'workspace/bin'],
    ['the workspace', () => workspace],
    ['a folder of the workspace', () => join(workspace, 'bin')],
    ['the workspace by an indirect path', () => join(home, 'own', '..', 'workspace', 'bin')],
    ['a link into the workspace', () => join(home, 'link')],
    ['a link to the workspace', () => join(home, 'workspace link', 'bin')],
    ['a folder that contains a folder of that name', () => join(home, 'folders')],
  ])('is not searched for in %s', (_what, entry) => {
    expect(find(entry(), join(home, 'own'))).toBe(join(home, 'own', file));
    expect(find(entry())).toBeUndefined();
  });

  it('is not searched for in the workspace if the workspace is named by a link', () => {
    expect(findProgram(name, join(workspace, 'bin'), [join(home, 'workspace link')])).toBeUndefined();
  });

  it.skipIf(process.platform === 'win32')('must be executable', () => {
    chmodSync(join(home, 'own', file), 0o644);
    expect(find(join(home, 'own'))).toBeUndefined();
  });
});
