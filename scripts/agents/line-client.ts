/**
 * Talks to a program that reads and writes lines of JSON, and stops it: what editors do, without one.
 *
 * Usage: node scripts/agents/line-client.ts EXCHANGES PROGRAM [ARGUMENT…]
 * EXCHANGES is JSON, a list of `{ send, until }`: a message, and a regular expression of the line to wait for.
 */
import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { runMain } from '../run-main.ts';
import type { Command } from './agent.ts';

/** A message, and the line that ends the wait for its answer. */
export interface LineExchange {
  readonly send: object;
  /** Regular expression. */
  readonly until: string;
}

/** The command that has exchanges with a program. */
export function lineConversation(exchanges: readonly LineExchange[], program: Command): Command {
  return ['node', '/opt/context-budget/scripts/agents/line-client.ts', JSON.stringify(exchanges), ...program];
}

if (import.meta.main) {
  await runMain(async () => {
    const [exchanges = '[]', program = '', ...rest] = process.argv.slice(2);
    const child = spawn(program, rest, { stdio: ['pipe', 'pipe', 'inherit'] });
    // A program that ends early is told of by its lines.
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
    // Programs of its own may hold its output open.
    process.exit();
  });
}
