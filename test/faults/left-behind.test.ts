import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, describe } from 'vitest';
import { TemporaryWorkspace } from '../agent/tools/temporary-workspace.ts';
import { runSandboxed, sandbox, withoutSandbox } from '../support/sandboxed-command.ts';
import { fault } from './support/fault.ts';

/**
 * A trap that a command leaves in the workspace for a program outside the sandbox. `MARK` is created if it
 * runs.
 */
interface Trap {
  readonly name: string;
  readonly command: string;
  /** A step of the user that must not run it. Steps of an editor follow every trap. */
  readonly step?: string;
}

/** Settings of a repository that run a program at the first reading. */
const settings = String.raw`printf '[core]\n\trepositoryformatversion = 0\n\tbare = false\n\tfsmonitor = "touch MARK; false"\n'`;
const asCommitter = '-c user.name=a -c user.email=a@b.c';

const inRepositories: readonly Trap[] = [
  { name: 'the settings of the repository', command: `git config core.fsmonitor 'touch MARK; false'` },
  { name: 'a repository one level down', command: `git init -q tools && ${settings} > tools/.git/config` },
  {
    name: 'a repository deep down that is a submodule in the index',
    command: `mkdir -p a/b; git init -q a/b/dep; cd a/b/dep; echo 1 > f.ts; git add f.ts; git ${asCommitter} commit -qm i; ${settings} > .git/config; cd ../../..; git add a/b/dep 2>/dev/null`,
  },
  {
    name: 'another folder for what repositories share, and no way to remove it',
    command: `mkdir evil; cp -r .git/objects .git/refs .git/config evil/; ${settings} > evil/config; echo ../evil > .git/commondir; chmod 555 .git`,
  },
  {
    name: 'another folder for what repositories share, again and again',
    command: `mkdir evil; cp -r .git/objects .git/refs .git/config evil/; ${settings} > evil/config; for i in $(seq 2000); do echo ../evil > .git/t; mv .git/t .git/commondir; done`,
  },
  {
    name: 'settings of one working tree',
    command: `git config extensions.worktreeConfig true; ${settings} > .git/config.worktree`,
  },
  {
    name: 'a repository that was moved and copied back',
    command: `mv sub kept; cp -r kept sub; ${settings} > sub/.git/config`,
  },
  { name: 'the whole repository anew', command: `mv .git gone; git init -q; ${settings} > .git/config` },
  {
    name: 'a file instead of the repository',
    command: `cp -r .git other; ${settings} > other/config; rm -rf .git; echo 'gitdir: other' > .git`,
  },
  {
    name: 'a link instead of the repository',
    command: `cp -r .git other; ${settings} > other/config; rm -rf .git; ln -s other .git`,
  },
  {
    name: 'a file that leads to a repository, one level down',
    command: `git init -q --bare store; ${settings} > store/config; mkdir tools; echo 'gitdir: ../store' > tools/.git`,
  },
  {
    name: 'a bare repository',
    command: `git init -q --bare tools; ${settings.replace('bare = false', 'bare = false\\n\\tworktree = .')} > tools/config`,
  },
  {
    name: 'a bare repository among what builds produce',
    command: `mkdir -p dist; git init -q --bare dist/x; ${settings.replace('bare = false', 'bare = false\\n\\tworktree = .')} > dist/x/config`,
  },
  {
    name: 'a repository of a submodule',
    command: `mkdir -p .git/modules/x tools; cp -r .git/objects .git/refs .git/HEAD .git/modules/x/; ${settings} > .git/modules/x/config; echo 'gitdir: ../.git/modules/x' > tools/.git`,
  },
  {
    name: 'a linked working tree',
    command: `git worktree add -q tools 2>/dev/null; ${settings} > .git/config`,
  },
  {
    name: 'a name in capitals',
    command: `mkdir -p tools; git init -q x; mv x/.git tools/.GIT; ${settings} > tools/.GIT/config`,
  },
  {
    name: 'settings that include another file',
    command: `${settings} > more.txt; git config include.path ../more.txt`,
  },
  {
    name: 'attributes with a program',
    command: `echo '*.ts diff=evil' > .gitattributes; git config diff.evil.textconv 'touch MARK; cat'; echo 2 > a.ts`,
    step: 'git diff',
  },
  {
    name: 'attributes that are not in the tree',
    command: `mkdir -p .git/info; echo '*.ts filter=evil' > .git/info/attributes; git config filter.evil.clean 'touch MARK; cat'; echo 2 > a.ts`,
    step: 'git status; git add a.ts',
  },
  {
    name: 'a hook',
    command: `echo 'touch MARK' > .git/hooks/pre-commit; chmod +x .git/hooks/pre-commit`,
    step: `git ${asCommitter} commit -q --allow-empty -m x`,
  },
  {
    name: 'a hook of husky',
    command: `mkdir -p .husky/_; printf '#!/bin/sh\ntouch MARK\n' > .husky/_/pre-commit; chmod +x .husky/_/pre-commit`,
    step: `git -c core.hooksPath=.husky/_ ${asCommitter} commit -q --allow-empty -m x`,
  },
  {
    name: 'a hook in a folder that has another name',
    command: `printf '#!/bin/sh\ntouch MARK\n' > githooks/pre-commit; chmod +x githooks/pre-commit`,
    step: `git -c core.hooksPath=githooks ${asCommitter} commit -q --allow-empty -m x`,
  },
  {
    name: 'a rebase that was begun',
    command: `mkdir .git/rebase-merge; cd .git/rebase-merge; echo 'exec touch MARK' > git-rebase-todo; : > done; cp ../refs/heads/main onto; cp ../refs/heads/main orig-head; echo refs/heads/main > head-name; : > interactive`,
    step: `git ${asCommitter} rebase --continue`,
  },
  {
    name: 'a branch that is an option',
    command: `echo 'ref: refs/heads/--output=marked' > .git/HEAD`,
    step: `git reflog "$(git symbolic-ref --short HEAD)"; test -e marked && touch MARK`,
  },
  {
    name: 'another object in the place of one',
    command: `old=$(git rev-parse HEAD); git ${asCommitter} commit -q --allow-empty -m evil; mkdir -p .git/refs/replace; cp .git/refs/heads/main .git/refs/replace/$old; git reset -q --soft $old`,
    step: `git show-ref | grep -q refs/replace && touch MARK`,
  },
  {
    name: 'what a makefile includes from a build',
    command: `mkdir -p build; echo 'x := $(shell touch MARK)' > build/a.d`,
    step: `printf -- '-include build/a.d\\nall:\\n' > Makefile; make -n`,
  },
  {
    name: 'a hook among what builds produce',
    command: `mkdir -p build/githooks; printf '#!/bin/sh\ntouch MARK\n' > build/githooks/pre-commit; chmod +x build/githooks/pre-commit`,
    step: `git -c core.hooksPath=build/githooks ${asCommitter} commit -q --allow-empty -m x`,
  },
  {
    name: 'a script of the package',
    command: `echo '{"scripts":{"test":"touch MARK"}}' > package.json`,
    step: 'npm test --silent',
  },
  {
    name: 'a script that runs before the one that is known',
    command: `sed -i 's/"test"/"pretest":"touch MARK","test"/' package.json`,
    step: 'npm test --silent',
  },
  {
    name: 'a setting of npm',
    command: `echo 'script-shell=./shell' > .npmrc; printf '#!/bin/sh\ntouch MARK\n' > shell; chmod +x shell`,
    step: 'npm test --silent',
  },
  {
    name: 'a program in a package',
    command: `mkdir -p node_modules/.bin; printf '#!/bin/sh\ntouch MARK\n' > node_modules/.bin/check; chmod +x node_modules/.bin/check`,
    step: 'npm test --silent',
  },
  { name: 'a Makefile', command: `printf 'all:\n\ttouch MARK\n' > GNUmakefile`, step: 'make' },
  {
    name: 'a Makefile that is a link',
    command: `printf 'all:\n\ttouch MARK\n' > rules.txt; ln -s rules.txt GNUmakefile`,
    step: 'make',
  },
  {
    name: 'a folder that became a link',
    command: `mkdir x; printf '#!/bin/sh\ntouch MARK\n' > x/pre-commit; chmod +x x/pre-commit; rm -rf githooks; ln -s x githooks`,
    step: `git -c core.hooksPath=githooks ${asCommitter} commit -q --allow-empty -m x`,
  },
];

/** Files that the editor, agents and tools read automatically. */
const files =
  `.vscode/tasks.json .vscode/settings.json .vscode/extensions.json x.code-workspace .devcontainer.json
  .devcontainer/devcontainer.json .envrc .npmrc .yarnrc.yml .pnpmfile.cjs .mise.toml .tool-versions
  .claude/settings.json .mcp.json .codex/config.toml .gemini/settings.json .cursor/mcp.json
  .opencode/plugin/x.js opencode.json .github/copilot-instructions.md .github/workflows/x.yml AGENTS.md
  CLAUDE.md GEMINI.md .husky/pre-commit .pre-commit-config.yaml lefthook.yml Makefile makefile justfile
  Taskfile.yml Rakefile Gemfile setup.py pyproject.toml conftest.py noxfile.py build.rs Cargo.toml
  .cargo/config.toml rust-toolchain.toml build.gradle settings.gradle gradlew pom.xml CMakeLists.txt
  meson.build go.work deno.json bunfig.toml tsconfig.json package-lock.json eslint.config.js .eslintrc.cjs
  .prettierrc.js vite.config.ts jest.config.js webpack.config.js gulpfile.js Gruntfile.js .mocharc.js
  babel.config.js next.config.mjs Dockerfile compose.yaml .direnv/x .idea/workspace.xml .vs/tasks.vs.json
  node_modules/eslint/index.js vendor/autoload.php gulpfile.babel.js Gruntfile.js/index.js
  Package@swift-5.9.swift lib/ruby_lsp/x/addon.rb renv/activate.R docs/conf.py filter_plugins/x.py
  build-logic/src/x.kt project/Build.scala build/compile_commands.json .nuxt/tsconfig.json
  dist/package.json dist/CLAUDE.md packages/eslint-config/index.js .venv/bin/python .bashrc .gitconfig
  sitecustomize.py .gdbinit .lldbinit .vimrc .editorconfig`.split(/\s+/);

async function workspaceOf(): Promise<TemporaryWorkspace> {
  const workspace = await TemporaryWorkspace.create({
    'a.ts': '1\n',
    'package.json': '{"name":"a","scripts":{"test":"check || true"}}\n',
    'githooks/README.md': '',
  });
  await mkdir(workspace.at('sub'));
  for (const folder of [workspace.path, workspace.at('sub')])
    git(folder, 'init', '--quiet', '--initial-branch=main');
  git(workspace.path, 'add', 'a.ts', 'package.json', 'githooks');
  git(workspace.path, '-c', 'user.name=a', '-c', 'user.email=a@b.c', 'commit', '--quiet', '--message=one');
  return workspace;
}

function git(folder: string, ...words: readonly string[]): void {
  execFileSync('git', words, { cwd: folder, stdio: 'pipe' });
}

/** Reads every folder as a repository, like the editor does automatically. */
function lookAsEditor(root: string): void {
  const folders = readdirSync(root, { withFileTypes: true, recursive: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((folder) => !folder.includes(`${path.sep}.git`));
  for (const folder of [root, ...folders]) {
    for (const words of [
      ['status', '--porcelain', '-uall'],
      ['diff', '--stat'],
    ]) {
      spawnSync('git', words, { cwd: folder, stdio: 'ignore' });
    }
  }
}

describe.skipIf(process.platform !== 'linux')('changes by a sandboxed command do no harm', () => {
  afterAll(() => sandbox?.dispose());

  fault('sandbox: traps for git, package managers and builds outside the sandbox', async (count) => {
    if (sandbox === undefined) return count.skip(withoutSandbox);
    for (const { name, command, step } of inRepositories) {
      await using workspace = await workspaceOf();
      await using outside = await TemporaryWorkspace.create();
      const mark = outside.at('ran');
      await runSandboxed(command.replaceAll('MARK', mark), { root: workspace.path });
      count.tried();
      lookAsEditor(workspace.path);
      if (step !== undefined) spawnSync('bash', ['-c', step], { cwd: workspace.path, stdio: 'ignore' });
      if (existsSync(mark)) count.harmed(`${name}: ran outside`);
    }
  });

  fault('sandbox: files that programs load automatically', async (count) => {
    if (sandbox === undefined) return count.skip(withoutSandbox);
    await using workspace = await workspaceOf();
    const write = (file: string) => `mkdir -p '${path.dirname(file)}'; echo evil > '${file}'`;
    const { questions } = await runSandboxed(files.map(write).join('\n'), { root: workspace.path });
    for (const file of files) {
      count.tried();
      if (existsSync(workspace.at(file))) count.harmed(`${file}: is there without a question`);
    }
    count.tried();
    if (questions.length !== 1) count.harmed(`${questions.length} questions were asked`);
  });

  fault('sandbox: traps that are removed if the user declines, and kept otherwise', async (count) => {
    if (sandbox === undefined) return count.skip(withoutSandbox);
    for (const keepsChanges of [false, true]) {
      await using workspace = await workspaceOf();
      const { questions } = await runSandboxed('echo x > Makefile; ln -s a.ts b.ts; echo y > c.ts', {
        root: workspace.path,
        keepsChanges,
      });
      count.tried();
      const shown = questions.flatMap(({ changes = [], details }) => [
        ...changes.map((change) => change.shown),
        ...(typeof details === 'string' ? [details] : details.map(({ english }) => english)),
      ]);
      if (shown.join() !== 'Makefile,b.ts: a symbolic link to a.ts')
        count.harmed(`asked about ${shown.join()}`);
      const left = ['Makefile', 'b.ts', 'c.ts'].filter((file) => existsSync(workspace.at(file)));
      if (left.join() !== (keepsChanges ? 'Makefile,b.ts,c.ts' : 'c.ts')) count.harmed(`left ${left.join()}`);
    }
  });

  fault('sandbox: more changes than a function can take as arguments', async (count) => {
    if (sandbox === undefined) return count.skip(withoutSandbox);
    await using workspace = await workspaceOf();
    const many = 'mkdir node_modules; cd node_modules; seq 130000 | xargs touch';
    execFileSync('bash', ['-c', many], { cwd: workspace.path });
    const { problem, declined } = await runSandboxed('rm -r node_modules', { root: workspace.path });
    count.tried();
    if (problem !== undefined) count.harmed(problem.english);
    if (declined.join() !== 'node_modules') count.harmed(`declined ${declined.length}`);
    const { length } = readdirSync(workspace.at('node_modules'));
    if (length !== 130_000) count.harmed(`${length} files are left`);
  });

  fault('sandbox: traps set by a command of an ordinary user', async (count) => {
    if (sandbox === undefined) return count.skip(withoutSandbox);
    if (process.getuid?.() !== 0) return count.skip('the tests run as an ordinary user already');
    const user = 65_534;
    const run = path.join(import.meta.dirname, 'support', 'run-sandboxed.ts');
    const canRead = spawnSync('test', ['-r', run], { uid: user, gid: user }).status === 0;
    if (!canRead) return count.skip('other users cannot read this checkout');
    for (const { name, command } of inRepositories.slice(0, 16)) {
      await using workspace = await workspaceOf();
      await using outside = await TemporaryWorkspace.create();
      const mark = outside.at('ran');
      for (const place of [workspace, outside]) {
        execFileSync('chown', ['-R', String(user), place.path]);
        await chmod(place.path, 0o755);
      }
      await chown(outside.path, user, user);
      count.tried();
      const ran = spawnSync(process.execPath, [run, workspace.path, command.replaceAll('MARK', mark)], {
        uid: user,
        gid: user,
        cwd: '/',
        env: { ...process.env, HOME: outside.path, XDG_CACHE_HOME: outside.at('cache') },
        encoding: 'utf8',
      });
      if (ran.status !== 0) count.harmed(`${name}: ${ran.stderr}`);
      spawnSync('git', ['status', '--porcelain'], {
        cwd: workspace.path,
        uid: user,
        gid: user,
        stdio: 'ignore',
      });
      for (const folder of ['tools', 'sub', 'a/b/dep'].filter((each) => existsSync(workspace.at(each)))) {
        spawnSync('git', ['status'], { cwd: workspace.at(folder), uid: user, gid: user, stdio: 'ignore' });
      }
      if (existsSync(mark)) count.harmed(`${name}: ran outside`);
      await rm(workspace.path, { recursive: true, force: true });
    }
  });
});
