import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { afterAll, describe, expect, it, vi } from 'vitest';
import { requireSandbox, sandboxArguments } from '../../../scripts/agents/sandbox.ts';

const folder = mkdtempSync(`${tmpdir()}/agents-`);
afterAll(() => rmSync(folder, { recursive: true }));

describe('the sandbox of an agent', () => {
  const words = sandboxArguments({ agent: folder, home: '/h', log: '/l' }, { KEY: 'none' }, ['run', 'it']);
  const folders = (option: string) => words.filter((_, index) => words[index - 1] === option);

  it('has no network', () => {
    expect(words).toContain('--unshare-net');
  });

  it('lets the agent write only to its home and the log', () => {
    expect(folders('--bind')).toEqual(['/h', '/l']);
  });

  it('passes on only the given environment', () => {
    expect(words).toContain('--clearenv');
    expect(folders('--setenv')).toContain('KEY');
    expect(words.slice(-2)).toEqual(['run', 'it']);
  });

  it('reports its missing package in one line', async () => {
    vi.stubEnv('PATH', '/nowhere');
    await expect(requireSandbox()).rejects.toThrow(/^[^\n]*install the package bubblewrap\.$/u);
    vi.unstubAllEnvs();
  });
});
