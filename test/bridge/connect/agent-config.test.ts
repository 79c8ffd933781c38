import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { configFiles } from '../../../src/bridge/connect/agent-config.ts';

/** The commands of Claude Code's hooks. */
function commandsFor(script: string, program = 'node'): readonly string[] {
  const surroundings = { home: '/home/a', platform: 'linux', environment: {} };
  const [settings] = configFiles('claude-code', { program, script }, surroundings);
  const text = settings!.connect('');
  return [...text.matchAll(/"command": ("(?:[^"\\]|\\.)*")/gu)].map(
    ([, command = '""']) => JSON.parse(command) as string,
  );
}

describe('the command of a hook on Windows', () => {
  it.each([
    ['C:\\Users\\Ann Lee\\AppData\\Local\\context-budget\\bin\\context-budget.mjs', 'C:/Users/Ann Lee'],
    ['c:\\new\\table\\context-budget\\bin\\context-budget.mjs', 'c:/new/table'],
    ['\\\\server\\home\\context-budget\\bin\\context-budget.mjs', '//server/home'],
  ])('quotes the path of the script %s and writes it with slashes', (script, beginning) => {
    for (const command of commandsFor(script)) {
      expect(command).toMatch(/^node -e "[^"\\$`%!]+" "[^"\\]+" hook \w+$/u);
      expect(command).toContain(`"${beginning}/`);
    }
  });

  it('names Node by a path that every shell reads in the same way', () => {
    const [command = ''] = commandsFor(
      'C:\\state\\bin\\context-budget.mjs',
      'C:\\PROGRA~1\\nodejs\\node.exe',
    );
    expect(command.split(' ')[0]).toBe('C:\\\\PROGRA~1\\\\nodejs\\\\node.exe');
    const { stdout } = spawnSync('sh', ['-c', `printf %s ${command.split(' ')[0]}`], { encoding: 'utf8' });
    expect(stdout).toBe('C:\\PROGRA~1\\nodejs\\node.exe');
  });
});

// The shell that Claude Code uses everywhere; on Windows it is Git's.
describe.each(['sh', 'bash'])('the command of a hook in %s', (shell) => {
  it.each([
    ['/bin/sh', `Ann's "state" $HOME`, 'context-budget.sh', 'printf "%s " "$@"'],
    [process.execPath, 'ann lee', 'context-budget.mjs', 'console.log(process.argv.slice(2).join(" "))'],
  ])(
    'runs the script with %s, and succeeds silently once the script is gone',
    (program, folder, name, text) => {
      const home = mkdtempSync(join(tmpdir(), 'hook-command-'));
      const script = join(home, folder, name);
      mkdirSync(dirname(script));
      writeFileSync(script, text);
      const [command = ''] = commandsFor(script, program);
      const run = () => {
        const { status, stdout, stderr } = spawnSync(shell, ['-c', command], { encoding: 'utf8' });
        return { status, stdout: stdout.trim(), stderr };
      };
      expect(run()).toEqual({ status: 0, stdout: 'hook PreCompact', stderr: '' });
      rmSync(dirname(script), { recursive: true });
      expect(run()).toEqual({ status: 0, stdout: '', stderr: '' });
      rmSync(home, { recursive: true });
    },
  );
});
