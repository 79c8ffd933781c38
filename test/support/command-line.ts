import { runCli } from '../../src/cli/cli.ts';

/** Runs a command in this process and collects its output. */
export async function runCommand(...args: readonly string[]) {
  const out: string[] = [];
  const notes: string[] = [];
  const code = await runCli(args, {
    print: (text) => out.push(text),
    note: (text) => notes.push(text),
    ask: () => Promise.resolve(''),
    signal: new AbortController().signal,
  });
  return { code, out: out.join('\n'), notes };
}
