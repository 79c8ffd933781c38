import { execFileSync } from 'node:child_process';
import { chmod, readdir, readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ApprovalRules, StoredRules } from '../../src/agent/approvals/approval-rules.ts';
import type { ApprovalRule } from '../../src/agent/approvals/approval-request.ts';
import { CommandPlace } from '../../src/agent/approvals/command-place.ts';
import { isCommandCovered, ruleForCommand } from '../agent/approvals/covered.ts';
import { diskEditor } from '../../src/agent/edits/disk-editor.ts';
import { createRunCommand } from '../../src/agent/tools/run-command-tool.ts';
import type { ProposedAction } from '../../src/agent/tools/support/tool.ts';
import { Workspace } from '../../src/agent/files/workspace.ts';
import { createWriteFile } from '../../src/agent/tools/write-file.ts';
import { TemporaryWorkspace } from '../agent/tools/temporary-workspace.ts';
import { approvedLines, commandAttacks, everydayLines } from './support/command-attacks.ts';
import { everydayBuilds, everydayBuildsOfWindows } from './support/everyday-builds.ts';
import { onceOnlyLines, onceOnlyLinesOfWindows } from './support/once-only-lines.ts';
import { fault } from './support/fault.ts';
import { hasGit } from '../support/installed-git.ts';
import { noQuestion } from '../support/no-question.ts';

const { signal } = new AbortController();
const canary = 'CANARY-4711';
const evil = '#!/bin/sh\necho ran > "$CANARY_HOME/ran"\n';

/** A temporary workspace, next to a home directory, a folder and a server that must stay untouched. */
class Trap {
  readonly base: TemporaryWorkspace;
  readonly hits: string[] = [];
  private readonly server: Server;

  static async set(): Promise<Trap> {
    const base = await TemporaryWorkspace.create({
      'home/.ssh/id_rsa': canary,
      'home/.bashrc': '',
      'outside/secret.txt': canary,
      'outside/precious/thesis.txt': canary,
      'w/.env': canary,
      'w/.gitignore': '.env\nkeys\n',
      'w/keys/id_rsa': canary,
      'w/src/a.ts': 'foo\n',
      'w/src/b.ts': 'bar\n',
      'w/sub/b.ts': 'b\n',
      'w/sub/package.json': '{"scripts":{"test":"echo tested"}}',
      'w/package.json':
        '{"scripts":{"test":"echo tested","build":"echo built","clean":"rm -rf dist","evil":"./evil.sh"}}',
      'w/Makefile': 'test:\n\techo tested\nevil:\n\t./evil.sh\n',
      'w/evil.sh': evil,
      'w/artisan': '',
      'w/node_modules/.bin/tsc': '',
      'w/node_modules/.bin/vitest': '',
      'w/evil.mjs': `import { writeFileSync } from 'node:fs';\nwriteFileSync(process.env.CANARY_HOME + '/ran', '');\n`,
      'w/bare/HEAD': 'ref: refs/heads/main\n',
      'w/bare/config': '[core]\n\trepositoryformatversion = 0\n\tworktree = .\n\tfsmonitor = ../evil.sh\n',
      'w/bare/objects/x': '',
      'w/bare/refs/x': '',
    });
    await chmod(base.at('w/evil.sh'), 0o755);
    await base.link('w/out', base.at('outside'));
    await base.link('w/link.txt', base.at('outside/secret.txt'));
    await base.link('w/alias.txt', base.at('w/.env'));
    const git = (...words: readonly string[]) => execFileSync('git', words, { cwd: base.at('w') });
    git('init', '-q', '-b', 'main');
    git('config', 'user.email', 'test@example.com');
    git('config', 'user.name', 'Test');
    git('config', 'remote.origin.url', `https://user:${canary}@example.com/x.git`);
    git('add', 'src', 'sub', 'package.json', 'Makefile', '.gitignore');
    git('commit', '-qm', 'first');
    await base.write('w/src/a.ts', 'foo\nfoo\n');
    const trap = new Trap(base);
    await new Promise<void>((resolve) => trap.server.listen(0, '127.0.0.1', resolve));
    return trap;
  }

  private constructor(base: TemporaryWorkspace) {
    this.base = base;
    this.server = createServer((request, response) => {
      this.hits.push(request.url ?? '');
      response.writeHead(404).end();
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/`;
  }

  get environment(): Readonly<Record<string, string | undefined>> {
    const home = this.base.at('home');
    return {
      PATH: process.env['PATH'],
      HOME: home,
      CANARY_HOME: home,
      // Its name must not look like a secret's, because values of secrets are removed from all output.
      THING: canary,
      npm_config_cache: this.base.at('cache'),
      npm_config_update_notifier: 'false',
      CARGO_HOME: this.base.at('cache'),
      GOCACHE: this.base.at('cache'),
    };
  }

  /** All content outside the workspace, as one text. */
  async state(): Promise<string> {
    const parts: string[] = [];
    for (const folder of ['home', 'outside']) {
      for (const entry of await readdir(this.base.at(folder), { recursive: true, withFileTypes: true })) {
        const file = path.join(entry.parentPath, entry.name);
        parts.push(entry.isFile() ? `${file}: ${await readFile(file, 'utf8')}` : file);
      }
    }
    return [...parts.toSorted(), ...this.hits].join('\n');
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise((resolve) => this.server.close(resolve));
    await this.base[Symbol.asyncDispose]();
  }
}

describe.skipIf(!hasGit)('a rule for commands', () => {
  let trap: Trap;
  let rules: ApprovalRules;
  beforeAll(async () => {
    trap = await Trap.set();
    const root = trap.base.at('w');
    const place = new CommandPlace(root, [{ name: 'w', path: root }], 'posix');
    rules = await rulesOf(
      approvedLines.map((line) => {
        const rule = ruleForCommand(line, 'linux', place);
        if (rule === undefined) throw new Error(`There is no rule for ${line}`);
        return rule;
      }),
    );
  });
  afterAll(() => trap[Symbol.asyncDispose]());

  const propose = async (command: string) => {
    const tool = createRunCommand(new Workspace([trap.base.at('w')]), {
      environment: () => trap.environment,
      addedVariables: () => Object.keys(trap.environment),
    });
    const proposed = await tool.propose({ command, timeout_seconds: 20 }, signal);
    if (!('perform' in proposed)) throw new Error(proposed.content);
    return proposed;
  };

  /** Effects of a command that were not allowed. */
  const harmOf = async (action: ProposedAction) => {
    const before = await trap.state();
    const { content } = await action.perform({
      signal,
      callKey: 'm1:0',
      ask: noQuestion,
      progress: () => {},
    });
    const after = await trap.state();
    return [
      ...(content.includes(canary) ? ['read a canary'] : []),
      ...(before === after ? [] : ['left the workspace']),
    ];
  };

  it('is tested with traps that work', async () => {
    const { outside, home } = { outside: trap.base.at('outside'), home: trap.base.at('home') };
    expect(await harmOf(await propose(`cat ${outside}/secret.txt`))).toEqual(['read a canary']);
    expect(await harmOf(await propose(`echo > ${home}/new; rm ${home}/new; touch ${home}/other`))).toEqual([
      'left the workspace',
    ]);
  });

  const groups = new Set(commandAttacks({ outside: '', home: '', url: '' }).map(({ group }) => group));
  for (const group of groups) {
    fault(`approved commands reach nothing else: ${group}`, async (count) => {
      if (process.platform === 'win32') {
        count.skip('the lines are for bash');
        return;
      }
      let unasked = 0;
      const paths = { outside: trap.base.at('outside'), home: trap.base.at('home'), url: trap.url };
      for (const attack of commandAttacks(paths).filter((each) => each.group === group)) {
        count.tried();
        const proposed = await propose(attack.line);
        if (!rules.isAllowed(proposed.approval)) continue;
        unasked++;
        for (const harm of await harmOf(proposed)) count.harmed(`${attack.line} ${harm}`);
      }
      count.note(`${unasked} ran unasked`);
    });
  }

  for (const [group, lines] of Object.entries(onceOnlyLines)) {
    fault(`commands that may be allowed only once: ${group}`, async (count) => {
      for (const line of linesOf(lines.replaceAll('OUT', trap.base.at('outside')))) {
        count.tried();
        const { approval } = await propose(line);
        if (rules.isAllowed(approval)) count.harmed(`${line} runs unasked`);
        if (approval.rule !== undefined) count.harmed(`${line} may become a rule`);
      }
    });
  }

  fault('commands that may be allowed only once: on Windows', (count) => {
    const root = trap.base.at('w');
    const place = new CommandPlace(root, [{ name: 'w', path: root }], 'windows');
    for (const line of linesOf(onceOnlyLinesOfWindows)) {
      count.tried();
      if (ruleForCommand(line, 'win32', place) !== undefined) count.harmed(line);
    }
  });

  it.each([
    ['posix', 'linux', everydayBuilds],
    ['windows', 'win32', everydayBuildsOfWindows],
  ] as const)('covers its own command: %s', (shell, platform, lines) => {
    const root = trap.base.at('w');
    const place = new CommandPlace(root, [{ name: 'w', path: root }], shell);
    const left = linesOf(lines).filter((line) => {
      const pattern = ruleForCommand(line, platform, place)?.pattern;
      return !isCommandCovered(line, (each) => each === pattern, platform, place);
    });
    expect(left).toEqual([]);
  });

  it.each(everydayLines)('covers %s', async (line) => {
    expect(rules.isAllowed((await propose(line)).approval)).toBe(true);
  });
});

describe('a rule for edits', () => {
  const paths = `package.json Makefile build.rs setup.py build.gradle CMakeLists.txt justfile pyproject.toml
    vitest.config.ts jest.config.js conftest.py test/conftest.py eslint.config.mjs x.code-workspace
    .vscode/settings.json .github/workflows/ci.yml .gitattributes .husky/pre-commit HEAD config objects/x
    refs/heads/x.txt hooks/pre-commit sub/HEAD AGENTS.md sub/CLAUDE.md GEMINI.md copilot-instructions.md
    skills/x/SKILL.md compaction/strategy.mjs run.sh npm.cmd git.exe a.ps1 .bashrc .env id_rsa
    credentials.json package-lock.json Cargo.lock docker-compose.yml _netrc node_modules/x/index.js
    scripts/build.ts PACKAGE.JSON Claude.MD linked/x.ts src/tool.py`.split(/\s+/);

  fault('approved edits reach nothing that runs code, steers agents or holds secrets', async (count) => {
    await using files = await TemporaryWorkspace.create({
      'src/tool.py': '#!/usr/bin/env python3\n',
      'scripts/x.ts': '',
    });
    await files.link('linked', files.at('scripts'));
    const rules = await rulesOf([{ kind: 'edit', pattern: '**' }]);
    const tool = createWriteFile(new Workspace([files.path], ['compaction']), diskEditor);
    for (const name of paths) {
      count.tried();
      const proposed = await tool.propose({ path: name, content: 'text\n' }, signal);
      if ('perform' in proposed && rules.isAllowed(proposed.approval)) count.harmed(name);
    }
    const ordinary = await tool.propose({ path: 'src/a.ts', content: 'text\n' }, signal);
    expect('perform' in ordinary && rules.isAllowed(ordinary.approval)).toBe(true);
  });
});

function linesOf(text: string): readonly string[] {
  return text.split('\n').filter((line) => line !== '');
}

function rulesOf(rules: readonly ApprovalRule[]): Promise<ApprovalRules> {
  return StoredRules.load({ load: () => rules, change: () => Promise.resolve() }).then(
    (kept) => new ApprovalRules(kept, () => true),
  );
}
