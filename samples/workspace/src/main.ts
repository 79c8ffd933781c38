#!/usr/bin/env node
import { homedir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { runCommand, UsageError, usage, type Invocation } from './commands.ts';
import { todayOf, UnknownDateError } from './when.ts';

async function main(): Promise<void> {
  const [name = '', invocation] = parse(process.argv.slice(2));
  if (name === '' || name === 'help') {
    process.stdout.write(`${usage()}\n`);
    return;
  }
  const { isTTY: isTerminal, columns } = process.stdout;
  const { output, warnings } = await runCommand(name, invocation, {
    colours: isTerminal && process.env['NO_COLOR'] === undefined,
    width: isTerminal ? columns : undefined,
    today: todayOf(new Date()),
  });
  if (warnings !== '') process.stderr.write(`${warnings}\n`);
  if (output !== '') process.stdout.write(`${output}\n`);
}

function parse(commandLine: readonly string[]): [string | undefined, Invocation] {
  const { values, positionals } = parseArgs({
    args: [...commandLine],
    allowPositionals: true,
    options: {
      file: { type: 'string' },
      tag: { type: 'string', multiple: true, default: [] },
      'no-tag': { type: 'string', multiple: true, default: [] },
      due: { type: 'string' },
      repair: { type: 'boolean', default: false },
    },
  });
  const [name, ...words] = positionals;
  const { tag, due, repair } = values;
  const file =
    values.file ?? process.env['DRIFTWOOD_FILE'] ?? join(homedir(), '.local/share/driftwood/notes.log');
  return [name, { words, tag, noTag: values['no-tag'], due, repair, file }];
}

/** Errors of `parseArgs` have a code of this shape. */
function isUsage(error: unknown): boolean {
  if (error instanceof UsageError || error instanceof UnknownDateError) return true;
  return error instanceof TypeError && 'code' in error && String(error.code).startsWith('ERR_PARSE_ARGS');
}

await main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = isUsage(error) ? 2 : 1;
});
