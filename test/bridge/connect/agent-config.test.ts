import { execFileSync } from 'node:child_process';
import { describe, expect, it } from 'vitest';
import { configFiles } from '../../../src/bridge/connect/agent-config.ts';

/** The commands that Claude Code is given for its hooks. */
function commandsFor(script: string): readonly string[] {
  const surroundings = { home: '/home/a', platform: 'linux', environment: {} };
  const [settings] = configFiles('claude-code', { program: 'node', script }, surroundings);
  const text = settings!.connect('');
  return [...text.matchAll(/"command": ("(?:[^"\\]|\\.)*")/gu)].map(
    ([, command = '""']) => JSON.parse(command) as string,
  );
}

describe('the command of a hook', () => {
  it.each([
    ['C:\\Users\\Ann Lee\\AppData\\Local\\context-budget\\bin\\context-budget.mjs', 'C:/Users/Ann Lee'],
    ['c:\\new\\table\\context-budget\\bin\\context-budget.mjs', 'c:/new/table'],
    ['\\\\server\\home\\context-budget\\bin\\context-budget.mjs', '//server/home'],
  ])('has slashes and one pair of quotes when the script is %s', (script, beginning) => {
    for (const command of commandsFor(script)) {
      expect(command).toMatch(/^node "[^"\\]+" hook \w+$/u);
      expect(command).toContain(`"${beginning}/`);
    }
  });

  it('keeps a backslash when the script is in a folder of POSIX that has one', () => {
    const script = '/odd\\name/context-budget/bin/context-budget.mjs';
    expect(commandsFor(script)[0]).toBe(`node "${script}" hook PreCompact`);
  });

  // The shell that Claude Code uses everywhere; on Windows it is that of Git.
  it.each([
    ['/home/ann lee/context-budget/bin/context-budget.mjs', undefined],
    [
      'C:\\Users\\Ann Lee\\context-budget\\bin\\context-budget.mjs',
      'C:/Users/Ann Lee/context-budget/bin/context-budget.mjs',
    ],
    [
      '\\\\server\\new\\context-budget\\bin\\context-budget.mjs',
      '//server/new/context-budget/bin/context-budget.mjs',
    ],
  ])('is three arguments of node for sh when the script is %s', (script, expected = script) => {
    const [command = ''] = commandsFor(script);
    const said = execFileSync('sh', ['-c', `node() { printf '%s\\n' "$@"; }; ${command}`], {
      encoding: 'utf8',
    });
    expect(said.trim().split('\n')).toEqual([expected, 'hook', 'PreCompact']);
  });
});
