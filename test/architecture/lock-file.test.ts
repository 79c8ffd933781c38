import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { projectFolder } from '../../scripts/project.ts';

interface LockedPackage {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly hasInstallScript?: boolean;
}

const lock = JSON.parse(await readFile(join(projectFolder, 'package-lock.json'), 'utf8')) as {
  readonly packages: Readonly<Record<string, LockedPackage>>;
};
const manifest = JSON.parse(await readFile(join(projectFolder, 'package.json'), 'utf8')) as {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies: Readonly<Record<string, string>>;
};
const locked = Object.entries(lock.packages).filter(([path]) => path !== '');

/** Packages that may run a program when they are installed. */
const mayRunOnInstall = ['node_modules/@vscode/vsce-sign', 'node_modules/esbuild', 'node_modules/node'];

describe('the lock file', () => {
  test('has a checksum for every package', () => {
    expect(locked.filter(([, { integrity = '' }]) => !integrity.startsWith('sha512-'))).toEqual([]);
  });

  test('takes no package from a repository, a link or an unencrypted address', () => {
    const strange = locked.filter(
      ([, { resolved = 'https:', link }]) => link === true || !resolved.startsWith('https:'),
    );
    expect(strange).toEqual([]);
  });

  test('has no unexpected package that runs a program when it is installed', () => {
    const running = locked.filter(([, one]) => one.hasInstallScript === true).map(([path]) => path);
    expect(running).toEqual(mayRunOnInstall);
  });

  test('has the exact versions that the manifest names', () => {
    expect(manifest.dependencies ?? {}).toEqual({});
    for (const [name, version] of Object.entries(manifest.devDependencies)) {
      expect(lock.packages[`node_modules/${name}`]?.version, name).toBe(version);
    }
  });
});
