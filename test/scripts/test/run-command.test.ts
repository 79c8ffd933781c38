import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runCommand } from '../../../scripts/test/run-command.ts';

const awkward = [
  'two words',
  'a"b',
  "it's",
  '100%PATH%',
  'a&b|c',
  '^caret',
  '$HOME',
  'trailing\\',
  '',
  '!x!',
  '(a)',
];
const printsArguments = 'console.log(JSON.stringify(process.argv.slice(2)));';
let folder: string;
let path: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'run command '));
  // A command as npm installs it: a script, or a .cmd file on Windows, that starts Node.
  const bin = join(folder, 'node_modules', '.bin');
  await mkdir(bin, { recursive: true });
  await writeFile(join(bin, 'print-arguments.mjs'), printsArguments);
  await writeFile(join(bin, 'print-arguments.cmd'), '@node "%~dp0print-arguments.mjs" %*\r\n');
  const script = join(bin, 'print-arguments');
  await writeFile(script, '#!/bin/sh\nexec node "$(dirname "$0")/print-arguments.mjs" "$@"\n');
  await chmod(script, 0o755);
  path = process.env['PATH'] ?? '';
  process.env['PATH'] = [bin, path].join(delimiter);
});

afterAll(async () => {
  process.env['PATH'] = path;
  await rm(folder, { recursive: true, force: true });
});

describe('runCommand', () => {
  it('passes arguments unchanged to a command of an npm package', async () => {
    const { code, output } = await runCommand('print-arguments', awkward);
    expect(code).toBe(0);
    expect(JSON.parse(output)).toEqual(awkward);
  });

  it('passes arguments unchanged to Node', async () => {
    const script = join(folder, 'node_modules', '.bin', 'print-arguments.mjs');
    const { output } = await runCommand(process.execPath, [script, ...awkward], { cwd: folder });
    expect(JSON.parse(output)).toEqual(awkward);
  });

  it('returns the exit code and both outputs when the command fails', async () => {
    const script = "console.log('out'); console.error('error'); process.exit(3)";
    const { code, output } = await runCommand(process.execPath, ['-e', script]);
    expect(code).toBe(3);
    expect(output.split('\n').toSorted()).toEqual(['', 'error', 'out']);
  });

  it('rejects when the command does not exist', async () => {
    await expect(runCommand('no-such-command-here', [])).rejects.toThrow('ENOENT');
  });
});
