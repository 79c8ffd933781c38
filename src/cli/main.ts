#!/usr/bin/env node
import { argv } from 'node:process';

const [name, event] = argv.slice(2);

if (name === 'hook' && event !== '--help') {
  // An agent waits for it: nothing else is loaded.
  const { runHookCommand } = await import('./hook-command.ts');
  await runHookCommand(event, async () => {
    const { loadEncoding } = await import('../compaction/tokens/token-counter.ts');
    return loadEncoding('o200k_base');
  }).catch(() => {});
} else {
  const { runCli } = await import('./cli.ts');
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.exitCode = await runCli(argv.slice(2), {
    print: (text) => void process.stdout.write(`${text}\n`),
    note: (text) => void process.stderr.write(`${text}\n`),
    signal: stop.signal,
  });
}
