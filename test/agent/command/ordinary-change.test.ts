import { execFileSync } from 'node:child_process';
import { lstatSync, type Stats } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Disposition, OrdinaryChanges } from '../../../src/agent/command/ordinary-change.ts';
import type { ChangeKind, WorkspaceChange } from '../../../src/agent/command/workspace-changes.ts';
import { TemporaryWorkspace } from '../tools/temporary-workspace.ts';

interface Described {
  readonly kind?: ChangeKind;
  readonly mode?: number;
}

/** A workspace that is a repository, with a file in `build` that it tracks and a submodule in `extern`. */
async function repository() {
  const files = await TemporaryWorkspace.create({
    'src/a.ts': '',
    'build/tracked.js': '',
    'extern/lib.ts': '',
    'plain/old.ts': '',
  });
  const git = (...words: readonly string[]) =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b.c', ...words], {
      cwd: files.path,
      stdio: 'pipe',
    });
  git('init', '--quiet', '--initial-branch=main');
  git('-C', 'extern', 'init', '--quiet');
  git('-C', 'extern', 'add', '.');
  git('-C', 'extern', '-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '--quiet', '--message=one');
  git('-c', 'advice.addEmbeddedRepo=false', 'add', '--force', '.');
  git('commit', '--quiet', '--message=one');
  return files;
}

function change(
  root: string,
  at: string,
  { kind = 'file', mode = 0o100644 }: Described = {},
): WorkspaceChange {
  const before: Stats | undefined = lstatSync(path.join(root, at), { throwIfNoEntry: false });
  return { kind, root, path: at, written: '', mode, before };
}

async function dispositions(
  paths: readonly string[],
  described: Described = {},
): Promise<Readonly<Record<string, Disposition>>> {
  await using files = await repository();
  const changes = paths.map((at) => change(files.path, at, described));
  const ordinary = new OrdinaryChanges(changes, [files.at('strategies')]);
  return Object.fromEntries(changes.map((each) => [each.path, ordinary.dispositionOf(each)]));
}

const all = (paths: readonly string[], disposition: Disposition) =>
  Object.fromEntries(paths.map((at) => [at, disposition]));

describe('what a sandboxed command changed', () => {
  it.each([
    ['source text', ['src/a.ts', 'lib/deep/er/b.py', 'main.go', 'web/index.html']],
    [
      'documents and data',
      ['docs/guide.md', 'README.md', 'out.txt', 'src/__snapshots__/a.test.ts.snap', 'log.csv'],
    ],
    ['pictures and maps', ['assets/logo.png', 'src/a.js.map']],
    [
      'what builds produce',
      ['dist/index.js', 'target/debug/app', 'target/.fingerprint/x/dep-lib', 'coverage/a.json'],
    ],
    [
      'what Git records',
      ['.git/index', '.git/HEAD', '.git/refs/heads/main', '.git/objects/ab/cdef', '.git/COMMIT_EDITMSG'],
    ],
    ['records of a submodule', ['extern/.git/index', 'extern/.git/refs/heads/topic']],
  ])('stays without a question if it is %s', async (_what, paths) => {
    expect(await dispositions(paths)).toEqual(all(paths, 'keep'));
  });

  it.each([
    [
      'a repository that was not there',
      ['tools/.git/config', 'tools/.git/HEAD', 'a/b/dep/.git/objects/ab/cd'],
    ],
    ['a link to a repository', ['tools/.git', '.git/modules/x/config']],
    [
      'a bare repository',
      ['tools/HEAD', 'tools/config', 'dist/HEAD', 'dist/config', 'target/x/refs/heads/main'],
    ],
    [
      'settings of Git',
      [
        ...[
          '.git/config',
          '.git/config.worktree',
          '.git/commondir',
          '.git/hooks/pre-commit',
          '.git/info/attributes',
        ],
        ...['.git/rebase-merge/git-rebase-todo', '.git/worktrees/x/gitdir', '.git/objects/info/alternates'],
        ...['.gitattributes', '.gitmodules', '.GIT/config', '.Git/hooks/x', 'git~1/config'],
      ],
    ],
    ['a hook', ['.husky/pre-commit', '.husky/_/h', 'hooks/x.js', '.githooks/x']],
    [
      'a setting of the editor or of an agent',
      [
        ...[
          '.vscode/tasks.json',
          'a.code-workspace',
          '.devcontainer/devcontainer.json',
          '.claude/settings.json',
        ],
        ...[
          '.mcp.json',
          '.codex/config.toml',
          '.cursor/rules/a.mdc',
          'opencode.json',
          'AGENTS.md',
          'docs/CLAUDE.md',
        ],
      ],
    ],
    [
      'what a package manager, a shell or a build runs',
      [
        ...[
          'package.json',
          'web/package.json',
          '.npmrc',
          '.envrc',
          'Makefile',
          'GNUmakefile',
          'CMakeLists.txt',
        ],
        ...[
          'vite.config.ts',
          'conftest.py',
          'setup.py',
          'build.rs',
          'build.gradle',
          'Cargo.toml',
          'Cargo.lock',
        ],
        ...['requirements.txt', 'node_modules/x/index.js', 'node_modules/.bin/tsc', 'scripts/release.ts'],
        ...['obj/app.nuget.g.targets', 'build/CMakeCache.txt', 'dist/node_modules/x/index.js'],
      ],
    ],
    ['a file that the repository tracks among what builds produce', ['build/tracked.js']],
    ['in a submodule among what builds produce', ['extern/dist/a.wasm']],
    ['code that the extension itself loads', ['strategies/mine.ts']],
    ['a secret', ['.env', 'src/id_rsa', 'config/secrets.json']],
  ])('is asked about if it is %s', async (_what, paths) => {
    expect(await dispositions(paths)).toEqual(all(paths, 'ask'));
  });

  it.each([
    ['a link', 'link'],
    ['a pipe or a name that cannot be read', 'unusable'],
  ] as const)('is asked about if it is %s, wherever it is', async (_what, kind) => {
    const paths = ['src/a.ts', 'dist/a.js', '.git/index'];
    expect(await dispositions(paths, { kind })).toEqual(all(paths, 'ask'));
  });

  it('is asked about if it makes source text a program', async () => {
    expect(await dispositions(['src/a.ts', 'dist/cli.js'], { mode: 0o100755 })).toEqual({
      'src/a.ts': 'ask',
      'dist/cli.js': 'keep',
    });
  });

  it('is dropped if it is a cache, and may be removed', async () => {
    const paths = ['node_modules/.cache/babel/a.json', 'src/__pycache__/a.pyc', '.pytest_cache/v/x'];
    expect(await dispositions(paths)).toEqual(all(paths, 'drop'));
    expect(await dispositions(paths, { kind: 'removed' })).toEqual(all(paths, 'keep'));
  });

  it('is kept where only a time changed', async () => {
    const paths = ['package.json', '.git/config'];
    expect(await dispositions(paths, { kind: 'touched' })).toEqual(all(paths, 'keep'));
  });

  it('is kept where source text is removed, and asked about where more goes', async () => {
    const paths = ['src/a.ts', 'plain/old.ts', 'plain', 'package.json', '.git/objects/ab/cd'];
    expect(await dispositions(paths, { kind: 'removed' })).toEqual({
      ...all(['src/a.ts', 'plain/old.ts', 'plain'], 'keep'),
      ...all(['package.json', '.git/objects/ab/cd'], 'ask'),
    });
  });

  it('is asked about as a whole where a repository goes', async () => {
    const paths = ['.git/HEAD', '.git/refs/heads/main', '.git/index'];
    expect(await dispositions(paths, { kind: 'removed' })).toEqual(all(paths, 'ask'));
  });

  it('is kept where Git packs its objects', async () => {
    await using files = await repository();
    const loose = change(files.path, '.git/objects/ab/cd', { kind: 'removed' });
    const pack = change(files.path, '.git/objects/pack/pack-1.pack');
    const ordinary = new OrdinaryChanges([loose, pack], []);
    expect([loose, pack].map((each) => ordinary.dispositionOf(each))).toEqual(['keep', 'keep']);
  });

  it('is asked about among what builds produce where the index cannot be read', async () => {
    await using files = await repository();
    await files.write('.git/index', 'damaged');
    const output = change(files.path, 'dist/a.wasm');
    expect(new OrdinaryChanges([output], []).dispositionOf(output)).toBe('ask');
  });
});
