import { execFileSync } from 'node:child_process';
import { lstatSync, type Stats } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Disposition, OrdinaryChanges } from '../../../src/agent/command/ordinary-change.ts';
import type { ChangeKind, WorkspaceChange } from '../../../src/agent/command/workspace-changes.ts';
import { TemporaryWorkspace } from '../tools/temporary-workspace.ts';
import { words } from '../words.ts';

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
    'extern/dist/tracked.wasm': '',
    'rust/Cargo.toml': '',
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
  return { kind, root, path: at, written: path.join(root, at), mode, before };
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

describe('a change by a sandboxed command', () => {
  it.each([
    ['source text', ['src/a.ts', 'lib/deep/er/b.py', 'main.go', 'web/index.html']],
    [
      'documents and data',
      ['docs/guide.md', 'README.md', 'out.txt', 'src/__snapshots__/a.test.ts.snap', 'log.csv'],
    ],
    ['pictures and maps', ['assets/logo.png', 'src/a.js.map']],
    [
      'build output',
      words(`out/agent-config.js out/types/vitest-stage.d.ts .benchmarks/a.json dist/index.js
          dist/hooks/use-x.js dist/objects/line.js dist/README.md target/debug/app
          target/.fingerprint/x/dep-lib coverage/a.json`),
    ],
    [
      'a record of Git',
      ['.git/index', '.git/HEAD', '.git/refs/heads/main', '.git/objects/ab/cdef', '.git/COMMIT_EDITMSG'],
    ],
    ['build output of a submodule', ['extern/dist/a.wasm']],
    ['a record of a submodule', ['extern/.git/index', 'extern/.git/refs/heads/topic']],
  ])('is applied without a question if it affects %s', async (_what, paths) => {
    expect(await dispositions(paths)).toEqual(all(paths, 'keep'));
  });

  it.each([
    ['a new repository', ['tools/.git/config', 'tools/.git/HEAD', 'a/b/dep/.git/objects/ab/cd']],
    ['a link to a repository', ['tools/.git', '.git/modules/x/config']],
    [
      'a bare repository',
      ['tools/HEAD', 'tools/config', 'dist/HEAD', 'dist/config', 'target/x/refs/heads/main'],
    ],
    [
      'a setting of Git',
      words(`.git/config .git/config.worktree .git/commondir .git/hooks/pre-commit
          .git/info/attributes .git/rebase-merge/git-rebase-todo .git/worktrees/x/gitdir
          .git/objects/info/alternates .gitattributes .gitmodules .GIT/config .Git/hooks/x
          git~1/config`),
    ],
    ['a hook', ['.husky/pre-commit', '.husky/_/h', 'hooks/x.js', '.githooks/x']],
    [
      'a setting of the editor or of an agent',
      words(`.vscode/tasks.json a.code-workspace .devcontainer/devcontainer.json
          .claude/settings.json .mcp.json .codex/config.toml .cursor/rules/a.mdc opencode.json
          AGENTS.md docs/CLAUDE.md`),
    ],
    [
      'code that a package manager, a shell or a build runs',
      words(`package.json web/package.json .npmrc .envrc Makefile GNUmakefile CMakeLists.txt
          vite.config.ts conftest.py setup.py build.rs build.gradle Cargo.toml Cargo.lock
          requirements.txt node_modules/x/index.js node_modules/.bin/tsc scripts/release.ts
          obj/app.nuget.g.targets build/CMakeCache.txt dist/node_modules/x/index.js`),
    ],
    ['a file in build output that the repository tracks', ['build/tracked.js']],
    ['a file in build output that an inner repository tracks', ['extern/dist/tracked.wasm']],
    ['build output of Cargo', ['rust/target/debug/deps/libmacros.so', 'rust/target/debug/build/a/output']],
    [
      'code that language servers and extensions load',
      words(`gulpfile.babel.js gulpfile.js/index.js Package@swift-5.9.swift lib/Package.swift
          lib/ruby_lsp/x/addon.rb renv/activate.R docs/conf.py filter_plugins/x.py _plugins/x.rb
          build-logic/src/main/kotlin/x.kt build-logic/build/libs/a.jar project/Build.scala
          build/compile_commands.json compile_flags.txt .nuxt/tsconfig.json dist/package.json
          packages/eslint-config/index.js packages/eslint-config/dist/index.js eslint-rules/x.js`),
    ],
    ['a document for agents in build output', ['dist/CLAUDE.md', 'out/AGENTS.md', 'out/x/SKILL.md']],
    ['a hook in build output', ['build/githooks/pre-commit', 'build/hooks/commit-msg']],
    [
      'a reference that stands for another object, or for an option',
      ['.git/refs/replace/abcd', '.git/refs/heads/--output=x', '.git/logs/refs/heads/a/-x'],
    ],
    ['code that the extension itself loads', ['strategies/mine.ts']],
    ['a secret', ['.env', 'src/id_rsa', 'config/secrets.json']],
  ])('needs approval if it affects %s', async (_what, paths) => {
    expect(await dispositions(paths)).toEqual(all(paths, 'ask'));
  });

  it.each([
    ['a link', 'link'],
    ['a pipe or a name that cannot be read', 'unusable'],
  ] as const)('needs approval in any folder if it creates %s', async (_what, kind) => {
    const paths = ['src/a.ts', 'dist/a.js', '.git/index'];
    expect(await dispositions(paths, { kind })).toEqual(all(paths, 'ask'));
  });

  it('needs approval if it makes source text executable', async () => {
    expect(await dispositions(['src/a.ts', 'dist/cli.js'], { mode: 0o100755 })).toEqual({
      'src/a.ts': 'ask',
      'dist/cli.js': 'keep',
    });
  });

  it('is dropped if it writes to a cache, but applied if it removes a cache', async () => {
    const paths = ['node_modules/.cache/babel/a.json', 'src/__pycache__/a.pyc', '.pytest_cache/v/x'];
    expect(await dispositions(paths)).toEqual(all(paths, 'drop'));
    expect(await dispositions(paths, { kind: 'removed' })).toEqual(all(paths, 'keep'));
  });

  it('is applied if only a time changed', async () => {
    const paths = ['package.json', '.git/config'];
    expect(await dispositions(paths, { kind: 'touched' })).toEqual(all(paths, 'keep'));
  });

  it('is applied if it removes source text, but needs approval for other removals', async () => {
    const paths = ['src/a.ts', 'plain/old.ts', 'plain', 'package.json', '.git/objects/ab/cd'];
    expect(await dispositions(paths, { kind: 'removed' })).toEqual({
      ...all(['src/a.ts', 'plain/old.ts', 'plain'], 'keep'),
      ...all(['package.json', '.git/objects/ab/cd'], 'ask'),
    });
  });

  it.each(['HEAD', 'refs', 'objects', 'index'])(
    'needs approval for all files of a repository if it removes %s',
    async (part) => {
      const paths = [`.git/${part}`, '.git/refs/heads/main', '.git/ORIG_HEAD'];
      expect(await dispositions(paths, { kind: 'removed' })).toEqual(all(paths, 'ask'));
    },
  );

  it('is applied if Git packs its objects', async () => {
    await using files = await repository();
    const loose = change(files.path, '.git/objects/ab/cd', { kind: 'removed' });
    const pack = change(files.path, '.git/objects/pack/pack-1.pack');
    const ordinary = new OrdinaryChanges([loose, pack], []);
    expect([loose, pack].map((each) => ordinary.dispositionOf(each))).toEqual(['keep', 'keep']);
  });

  it.each<[string, string, Disposition, string]>([
    ['.git/HEAD', 'a branch', 'keep', 'ref: refs/heads/topic\n'],
    ['.git/HEAD', 'a commit', 'keep', `${'a'.repeat(40)}\n`],
    ['.git/HEAD', 'a branch name that looks like an option', 'ask', 'ref: refs/heads/--output=x\n'],
    ['.git/HEAD', 'a path outside the repository', 'ask', 'ref: ../../x\n'],
    [
      '.git/packed-refs',
      'branches',
      'keep',
      `# pack-refs with: peeled\n${'a'.repeat(40)} refs/tags/v1\n^${'b'.repeat(40)}\n`,
    ],
    ['.git/packed-refs', 'a replaced object', 'ask', `${'a'.repeat(40)} refs/replace/${'b'.repeat(40)}\n`],
    ['build/a.d', 'the dependencies of a file', 'keep', 'a.o: a.c \\\n b.h\n\nb.h:\n'],
    ['build/a.d', 'a variable', 'ask', 'a.o: a.c\nSHELL=./evil\n'],
    ['build/a.d', 'a program', 'ask', 'a.o: $(shell ./evil)\n'],
    ['build/a.d', 'a recipe', 'ask', 'a.o: a.c\n\t./evil\n'],
    ['build/a.d', 'an included file', 'ask', 'include evil.mk\n'],
    ['src/a.css', 'style rules', 'keep', '@import "tailwindcss";\na { color: red }\n'],
    ['src/a.css', 'a program', 'ask', '@import "tailwindcss";\n@plugin "./evil.js";\n'],
  ])('that leaves in %s %s has the outcome: %s', async (at, _what, disposition, text) => {
    await using files = await repository();
    await files.write(at, text);
    const written = change(files.path, at);
    expect(new OrdinaryChanges([written], []).dispositionOf(written)).toBe(disposition);
  });

  it('needs approval if it replaces the content of a Git object', async () => {
    await using files = await repository();
    const id = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: files.path, encoding: 'utf8' }).trim();
    const object = change(files.path, `.git/objects/${id.slice(0, 2)}/${id.slice(2)}`);
    expect(new OrdinaryChanges([object], []).dispositionOf(object)).toBe('ask');
  });

  it('needs approval if a repository around the folder tracks the file', async () => {
    await using files = await repository();
    await files.write('inner/dist/a.wasm', '');
    execFileSync('git', ['add', '--force', 'inner'], { cwd: files.path });
    const changes = ['dist/a.wasm', 'dist/b.wasm'].map((at) => change(files.at('inner'), at));
    const ordinary = new OrdinaryChanges(changes, []);
    expect(changes.map((each) => ordinary.dispositionOf(each))).toEqual(['ask', 'keep']);
  });

  it('needs approval in build output if the index cannot be read', async () => {
    await using files = await repository();
    await files.write('.git/index', 'damaged');
    const output = change(files.path, 'dist/a.wasm');
    expect(new OrdinaryChanges([output], []).dispositionOf(output)).toBe('ask');
  });
});
