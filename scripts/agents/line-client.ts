/**
 * Exchanges lines of JSON with a program as an editor does, and then stops the program.
 *
 * Usage: node scripts/agents/line-client.ts EXCHANGES PROGRAM [ARGUMENT…] EXCHANGES is a JSON list of `{ send, until
 * }`: a message, and a regular expression for the line to wait for.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { runMain } from '../run-main.ts';
import type { Command } from './agent.ts';

/** A message, and the line that ends its answer. */
export interface LineExchange {
  readonly send: object;
  /** Regular expression for the line that ends the answer. */
  readonly until: string;
}

/** The command that runs this client. */
export function lineConversation(exchanges: readonly LineExchange[], program: Command): Command {
  return ['node', '/opt/context-budget/scripts/agents/line-client.ts', JSON.stringify(exchanges), ...program];
}

if (import.meta.main) {
  await runMain(async () => {
    const [exchanges = '[]', program = '', ...rest] = process.argv.slice(2);
    const child = spawn(program, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
    // If the program ends early, its last lines explain why.
    child.stdin.on('error', () => {});
    const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
    for (const { send, until } of JSON.parse(exchanges) as readonly LineExchange[]) {
      child.stdin.write(`${JSON.stringify(send)}\n`);
      const wanted = new RegExp(until);
      for (;;) {
        const { value, done } = await lines.next();
        if (done === true) throw new Error(`The program ended before it wrote a line with ${until}.`);
        console.log(value.slice(0, 2_000));
        if (wanted.test(value)) break;
      }
    }
    child.kill();
    // Child processes may keep the output open.
    process.exit();
  });
}
