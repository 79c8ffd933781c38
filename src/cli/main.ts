#!/usr/bin/env node
import { runCli } from './cli.ts';

const stop = new AbortController();
process.once('SIGINT', () => stop.abort());

process.exitCode = await runCli(process.argv.slice(2), {
  print: (text) => void process.stdout.write(`${text}\n`),
  note: (text) => void process.stderr.write(`${text}\n`),
  signal: stop.signal,
});
