/** Runs a command in the sandbox as the user of this process: `node run-sandboxed.ts ROOT COMMAND`. */
import process from 'node:process';
import { runSandboxed, sandbox } from '../../support/sandboxed-command.ts';

const [root = '', command = ''] = process.argv.slice(2);
const { output } = await runSandboxed(command, { root });
process.stdout.write(output);
sandbox?.dispose();
