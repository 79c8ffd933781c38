import { spawnSync } from 'node:child_process';

/** True if this machine has Git. Tests that need Git are skipped without it. */
export const hasGit = spawnSync('git', ['--version']).status === 0;

if (!hasGit) process.stderr.write('skipped: install git to run the tests of what it does\n');
