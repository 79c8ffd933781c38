import { once } from 'node:events';
import { chmod } from 'node:fs/promises';
import { createServer } from 'node:net';
import { expect, it } from 'vitest';
import { findSystemSecrets } from '../../../src/agent/command/system-secrets.ts';
import { TemporaryWorkspace } from '../tools/temporary-workspace.ts';

it.skipIf(process.platform === 'win32')('findSystemSecrets finds files closed to other users', async () => {
  await using files = await TemporaryWorkspace.create({
    hosts: '',
    shadow: '',
    'ssl/certificate': '',
    'ssl/key': '',
    'private/key': '',
  });
  await files.link('link', files.at('shadow'));
  const server = createServer().listen(files.at('socket'));
  await once(server, 'listening');
  for (const [name, mode] of Object.entries({ '': 0o755, shadow: 0o640, 'ssl/key': 0o600, private: 0o750 }))
    await chmod(files.at(name), mode);
  for (const name of ['hosts', 'ssl/certificate']) await chmod(files.at(name), 0o644);
  await chmod(files.at('ssl'), 0o755);
  const expected = [
    { path: files.at('private'), isFolder: true },
    { path: files.at('shadow'), isFolder: false },
    { path: files.at('socket'), isFolder: false },
    { path: files.at('ssl/key'), isFolder: false },
  ];
  for (const folders of [
    [[files.path], []],
    [[], [files.path]],
  ] as const) {
    const secrets = await findSystemSecrets(...folders);
    expect(secrets().toSorted((one, other) => one.path.localeCompare(other.path))).toEqual(expected);
  }
  server.close();
});

it.skipIf(process.platform === 'win32')('findSystemSecrets rereads only changing folders', async () => {
  await using changing = await TemporaryWorkspace.create({ later: '' });
  await using large = await TemporaryWorkspace.create({ later: '' });
  const files = [changing.at('later'), large.at('later')];
  for (const file of files) await chmod(file, 0o644);
  const secrets = await findSystemSecrets([changing.path], [large.path]);
  expect(secrets()).toEqual([]);
  for (const file of files) await chmod(file, 0o600);
  expect(secrets()).toEqual([{ path: changing.at('later'), isFolder: false }]);
});
