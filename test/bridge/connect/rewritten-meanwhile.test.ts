import { mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { configFiles } from '../../../src/bridge/connect/agent-config.ts';
import {
  applyConfigChanges,
  planConnection,
  planDisconnection,
} from '../../../src/bridge/connect/config-changes.ts';

/** Calls of the file system so far, and an action before one of them. */
const steps = vi.hoisted(() => ({ taken: 0, at: Infinity, happens: () => {} }));

/** A change between the last comparison and the write cannot be noticed. */
const afterTheComparison = vi.hoisted(() => new Set(['closeSync', 'renameSync', 'linkSync', 'rmSync']));

const stepping = vi.hoisted(() => (functions: Record<string, unknown>) => {
  const stepped = Object.entries(functions).map(([name, value]) => {
    if (typeof value !== 'function' || /^[A-Z]/u.test(name) || afterTheComparison.has(name))
      return [name, value];
    return [
      name,
      (...given: unknown[]) => {
        if (++steps.taken === steps.at) steps.happens();
        return (value as (...given: unknown[]) => unknown)(...given);
      },
    ];
  });
  return Object.fromEntries(stepped) as typeof functions;
});

vi.mock('node:fs', async (original) => stepping(await original()));
vi.mock('node:fs/promises', async (original) => stepping(await original()));

/** The real file system. */
const real = process.getBuiltinModule('node:fs');

let home: string;
beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'rewritten-'));
});
afterEach(() => {
  steps.at = Infinity;
  rmSync(home, { recursive: true, force: true });
});

/** Changes of the file by the agent, its user or another program, whose new text is `text`. */
const others: readonly (readonly [string, (path: string, text: string) => void])[] = [
  ['writes into it', (path, text) => real.writeFileSync(path, text)],
  [
    'replaces it',
    (path, text) => {
      real.writeFileSync(`${path}.new`, text);
      real.renameSync(`${path}.new`, path);
    },
  ],
  [
    'moves it elsewhere and replaces it with a link',
    (path, text) => {
      real.writeFileSync(join(home, 'elsewhere.json'), text);
      real.rmSync(path, { force: true });
      real.symlinkSync(join(home, 'elsewhere.json'), path);
    },
  ],
];

/** Like agents: keeps the existing text and adds some. */
function addedTo(text: string | undefined): string {
  return text === undefined ? '{\n  "later": true\n}\n' : text.replace('{', '{\n  "later": true,');
}

describe.each(others)('a configuration while another program %s at any step', (_what, rewrite) => {
  it.each([
    ['a file', '{\n  // Mine\n  "turns": 1, "list": [1,]\n}\n'],
    ['no file', undefined],
  ])('keeps the changes of both programs if there was %s before', async (_before, before) => {
    const path = join(home, '.gemini', 'settings.json');
    const files = configFiles(
      'gemini-cli',
      { program: '/bin/sh', script: '/state/bin/context-budget.sh' },
      { home, platform: 'linux', environment: {} },
    );
    const state = join(home, 'state');
    const connect = async () => applyConfigChanges(await planConnection(files), state);
    const disconnect = async () => applyConfigChanges(await planDisconnection(files, state), state);
    const read = () => (real.existsSync(path) ? real.readFileSync(path, 'utf8') : undefined);
    /** Runs some work while the other program writes at a step. @returns true if there was that step */
    const during = async (at: number, work: () => Promise<void>) => {
      Object.assign(steps, { taken: 0, at, happens: () => rewrite(path, addedTo(read())) });
      await work();
      steps.at = Infinity;
      return steps.taken >= at;
    };
    let tried = 0;
    for (const interrupted of [connect, disconnect]) {
      for (let at = 1; ; at++) {
        real.rmSync(join(home, '.gemini'), { recursive: true, force: true });
        real.rmSync(state, { recursive: true, force: true });
        real.mkdirSync(join(home, '.gemini'));
        if (before !== undefined) real.writeFileSync(path, before);
        if (interrupted === disconnect) await connect();
        if (!(await during(at, interrupted))) break;
        tried++;
        if (interrupted === connect) {
          expect(read(), `step ${at}`).toContain('context-budget.sh');
          await disconnect();
        }
        const left = read() ?? '';
        if (before === undefined) expect(JSON.parse(left), `step ${at}`).toEqual({ later: true });
        else expect(left, `step ${at}`).toBe(addedTo(before));
        expect(readdirSync(join(home, '.gemini'))).toEqual(['settings.json']);
        expect(readdirSync(state)).toEqual([]);
      }
    }
    expect(tried).toBeGreaterThan(20);
  });
});
