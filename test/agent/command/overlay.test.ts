import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, lstatSync, readlinkSync, cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { afterAll, describe, expect, it } from 'vitest';
import { applyWorkspaceChanges } from '../../../src/agent/command/apply-changes.ts';
import { spawnCommand } from '../../../src/agent/command/spawn-command.ts';
import type { WorkspaceChange } from '../../../src/agent/command/workspace-changes.ts';
import { sandbox } from '../../support/sandboxed-command.ts';
import { soak } from '../../support/soak.ts';
import { TemporaryWorkspace } from '../tools/temporary-workspace.ts';

afterAll(() => sandbox?.dispose());

/** Content of a folder: kinds, permissions and text by path. */
function treeOf(folder: string): Readonly<Record<string, string>> {
  // Without types, links to folders would be followed.
  const paths = readdirSync(folder, { recursive: true, withFileTypes: true })
    .map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)))
    .toSorted();
  return Object.fromEntries(
    paths.map((at) => {
      const place = path.join(folder, at);
      const found = lstatSync(place);
      if (found.isSymbolicLink()) return [at, `link to ${readlinkSync(place)}`];
      if (found.isDirectory()) return [at, 'folder'];
      return [at, `${(found.mode & 0o777).toString(8)} ${readFileSync(place, 'utf8')}`];
    }),
  );
}

/** Runs a command on a workspace in the sandbox, and then reads its changes. */
async function afterCommand<Result>(
  root: string,
  command: string,
  look: (changes: readonly WorkspaceChange[]) => Result | Promise<Result>,
): Promise<Result> {
  const enclosed = { command, directory: root, environment: process.env };
  using enclosure = sandbox!.enclose({ ...enclosed, roots: [root], hasNetwork: false });
  const run = { ...enclosed, timeoutMs: 120_000, onOutput: () => {}, enclosure };
  await spawnCommand(run, new AbortController().signal);
  return await look(await enclosure.changes());
}

const kinds = (changes: readonly WorkspaceChange[]) =>
  changes.map(({ kind, path: at }) => `${kind} ${at}`).toSorted();

const names = fc.constantFrom('a', 'b', 'a/b', 'a/c', 'c', 'c/d', 'c/d/e');
/** Steps of a shell script. Impossible ones are skipped. */
const step = fc.oneof(
  fc.tuple(names, fc.constantFrom('x', 'longer text', '')).map(([at, text]) => `echo '${text}' > ${at}`),
  names.map((at) => `mkdir -p ${at}`),
  names.map((at) => `rm -rf ${at}`),
  fc.tuple(names, names).map(([from, to]) => `mv -T ${from} ${to}`),
  fc.tuple(names, names).map(([from, to]) => `ln -sfn ${from} ${to}`),
  fc
    .tuple(names, names)
    // The result of copying a folder into itself depends on the order of its entries.
    .filter(([from, to]) => !to.startsWith(from))
    .map(([from, to]) => `cp -a ${from} ${to}`),
  fc
    .tuple(fc.constantFrom('600', '755', '444'), names)
    .map(([mode, at]) => `test -f ${at} && chmod ${mode} ${at}`),
  names.map((at) => `touch ${at}`),
);

describe.skipIf(sandbox === undefined || process.platform !== 'linux')('the overlay of a command', () => {
  it('leaves the workspace unchanged until changes are applied', async () => {
    await using files = await TemporaryWorkspace.create({ 'src/a.ts': 'one', 'old/b.ts': 'two' });
    const before = treeOf(files.path);
    await afterCommand(
      files.path,
      'echo new > src/c.ts; rm -r old; echo two > src/a.ts; ls -R',
      (changes) => {
        expect(kinds(changes)).toEqual(['file src/a.ts', 'file src/c.ts', 'removed old', 'removed old/b.ts']);
        expect(treeOf(files.path)).toEqual(before);
      },
    );
  });

  it("leaves the command's result in the workspace once all changes are applied", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(step, { maxLength: 12 }),
        fc.array(step, { maxLength: 12 }),
        async (first, then) => {
          await using files = await TemporaryWorkspace.create();
          const script = (steps: readonly string[]) => `umask 022; ${steps.join('\n')}\ntrue`;
          execFileSync('bash', ['-c', script(first)], { cwd: files.path, stdio: 'ignore' });
          const copy = mkdtempSync(path.join(tmpdir(), 'copy-'));
          cpSync(files.path, copy, { recursive: true, verbatimSymlinks: true });
          execFileSync('bash', ['-c', script(then)], { cwd: copy, stdio: 'ignore' });
          const left = await afterCommand(files.path, script(then), applyWorkspaceChanges);
          expect({ left, tree: treeOf(files.path) }).toEqual({ left: [], tree: treeOf(copy) });
          rmSync(copy, { recursive: true });
        },
      ),
      { numRuns: soak(20, 100) },
    );
  });

  it("keeps changes that another program makes before the command's changes are applied", async () => {
    await using files = await TemporaryWorkspace.create({ 'a.ts': 'one', 'b.ts': 'one', 'c.ts': 'one' });
    await afterCommand(
      files.path,
      'echo two > a.ts; rm b.ts; echo two > new.ts; rm c.ts',
      async (changes) => {
        await files.write('a.ts', 'theirs');
        await files.write('b.ts', 'theirs');
        await files.write('new.ts', 'theirs');
        const left = await applyWorkspaceChanges(changes);
        expect(kinds(left)).toEqual(['file a.ts', 'file new.ts', 'removed b.ts']);
        const theirs = { 'a.ts': '644 theirs', 'b.ts': '644 theirs', 'new.ts': '644 theirs' };
        expect(treeOf(files.path)).toEqual(theirs);
      },
    );
  });

  it('keeps changes that another program makes while the command runs', async () => {
    await using files = await TemporaryWorkspace.create({
      'src/a.ts': 'one',
      'old/b.ts': 'one',
      'c.ts': '1',
    });
    const command = 'echo two > src/a.ts; rm -r old; rm c.ts; echo two > d.ts; echo ready; sleep 2';
    const enclosed = { command, directory: files.path, environment: process.env };
    using enclosure = sandbox!.enclose({ ...enclosed, roots: [files.path], hasNetwork: false });
    let others: Promise<unknown> | undefined;
    const onOutput = () => {
      others ??= Promise.all(['src/a.ts', 'old/new.ts', 'd.ts'].map((name) => files.write(name, 'theirs')));
    };
    await spawnCommand(
      { ...enclosed, timeoutMs: 120_000, onOutput, enclosure },
      new AbortController().signal,
    );
    await others;
    const left = await applyWorkspaceChanges(await enclosure.changes());
    expect(left.map((change) => change.path).toSorted()).toEqual(['d.ts', 'old', 'old/new.ts', 'src/a.ts']);
    const theirs = { 'src/a.ts': '644 theirs', 'old/new.ts': '644 theirs', 'd.ts': '644 theirs' };
    expect(treeOf(files.path)).toEqual({ src: 'folder', old: 'folder', ...theirs });
  });

  it('applies nothing if the folder itself became a link', async () => {
    await using files = await TemporaryWorkspace.create({ 'open/a.ts': 'one' });
    await using other = await TemporaryWorkspace.create({ 'a.ts': 'theirs' });
    await afterCommand(files.at('open'), 'echo two > b.ts', async (changes) => {
      rmSync(files.at('open'), { recursive: true });
      await files.link('open', other.path);
      expect(kinds(await applyWorkspaceChanges(changes))).toEqual(['file b.ts']);
      expect(treeOf(other.path)).toEqual({ 'a.ts': '644 theirs' });
    });
  });

  it('applies nothing through a folder that has become a link', async () => {
    await using files = await TemporaryWorkspace.create({ 'src/a.ts': 'one' });
    await using other = await TemporaryWorkspace.create({ 'a.ts': 'theirs' });
    await afterCommand(files.path, 'echo two > src/a.ts; echo two > src/b.ts', async (changes) => {
      rmSync(files.at('src'), { recursive: true });
      await files.link('src', other.path);
      expect(kinds(await applyWorkspaceChanges(changes))).toEqual(['file src/a.ts', 'file src/b.ts']);
      expect(treeOf(other.path)).toEqual({ 'a.ts': '644 theirs' });
    });
  });

  it('keeps the times of files, but not the set-user-ID and set-group-ID bits', async () => {
    await using files = await TemporaryWorkspace.create({ 'a.ts': 'one' });
    const command = 'echo two > b.ts; chmod 6755 b.ts; touch -d 2020-01-02T03:04:05Z a.ts b.ts';
    await afterCommand(files.path, command, applyWorkspaceChanges);
    for (const name of ['a.ts', 'b.ts']) {
      expect(lstatSync(files.at(name)).mtime).toEqual(new Date('2020-01-02T03:04:05Z'));
    }
    expect(lstatSync(files.at('b.ts')).mode & 0o7777).toBe(0o755);
  });

  it.each([
    ['unreadable folders', 'mkdir shut; echo x > shut/a.ts; chmod 000 shut shut/a.ts', ['file shut/a.ts']],
    ['pipes', 'mkfifo p.ts', ['unusable p.ts']],
    ['names with a line break', "touch $'a\\nb.ts'", ['unusable a\nb.ts']],
    ['names that are not valid text', "touch $'a\\xff.ts'", ['unusable a\u{FFFD}.ts']],
    ['files that look huge', 'truncate -s 10T a.log', ['unusable a.log']],
    ['empty folders', 'mkdir -p x/y', ['folder x/y']],
    ['nothing new', 'echo one; cat a.ts', []],
    ['a file with its old content', 'echo -n one > a.ts; touch -d 2020-01-01 a.ts', ['touched a.ts']],
  ])('lists the changes of a command that leaves %s', async (_what, command, expected) => {
    await using files = await TemporaryWorkspace.create({ 'a.ts': 'one' });
    const found = await afterCommand(files.path, command, kinds);
    expect(found).toEqual(expected);
  });

  it('works in a folder whose name contains separators of mount options', async () => {
    await using files = await TemporaryWorkspace.create({ "a,b:c\\d 'e/src/a.ts": 'one' });
    const root = files.at("a,b:c\\d 'e");
    await afterCommand(root, 'echo two > src/a.ts', applyWorkspaceChanges);
    expect(treeOf(root)).toMatchObject({ 'src/a.ts': '644 two\n' });
  });

  it("keeps Cargo's build output for later commands, outside the workspace", async () => {
    await using files = await TemporaryWorkspace.create({ 'Cargo.toml': '', 'target/debug/old': 'theirs' });
    await afterCommand(files.path, 'mkdir target/debug; echo one > target/debug/app', (changes) =>
      expect(changes).toEqual([]),
    );
    await afterCommand(files.path, 'cp target/debug/app copy; ls target/debug > list', applyWorkspaceChanges);
    expect(treeOf(files.path)).toMatchObject({ copy: '644 one\n', list: '644 app\n' });
    expect(treeOf(files.at('target'))).toEqual({ debug: 'folder', 'debug/old': '644 theirs' });
  });

  it('is separate for each open folder', async () => {
    await using one = await TemporaryWorkspace.create({ 'a.ts': 'one' });
    await using other = await TemporaryWorkspace.create({ 'b.ts': 'one' });
    const command = `echo two > a.ts; echo two > ${other.at('b.ts')}`;
    const enclosed = { command, directory: one.path, environment: process.env };
    const roots = [one.path, other.path];
    using enclosure = sandbox!.enclose({ ...enclosed, roots, hasNetwork: false });
    const run = { ...enclosed, timeoutMs: 120_000, onOutput: () => {}, enclosure };
    await spawnCommand(run, new AbortController().signal);
    expect(await applyWorkspaceChanges(await enclosure.changes())).toEqual([]);
    expect([treeOf(one.path), treeOf(other.path)]).toEqual([
      { 'a.ts': '644 two\n' },
      { 'b.ts': '644 two\n' },
    ]);
  });
});
