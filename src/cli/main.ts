#!/usr/bin/env node
// The global variable, because importing `node:process` opens all standard streams.
const words = process.argv.slice(2);
const [name, event] = words;

export {};

if (name === 'hook' && event !== '--help') {
  // An agent waits for this command, so nothing else is loaded.
  const { runHookCommand } = await import('./hook-command.ts');
  await runHookCommand(event).catch(() => {});
} else {
  const [{ runCli }, { visibleText }] = await Promise.all([
    import('./cli.ts'),
    import('../compaction/quoting/visible-text.ts'),
  ]);
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  process.exitCode = await runCli(words, {
    // Text of a session must not control the terminal. Output to a file is unchanged.
    print: (text) => void process.stdout.write(`${process.stdout.isTTY ? visibleText(text) : text}\n`),
    note: (text) => void process.stderr.write(`${visibleText(text)}\n`),
    ask: (question) => answerTo(question, stop.signal),
    signal: stop.signal,
  });
}

async function answerTo(question: string, signal: AbortSignal): Promise<string> {
  const { createInterface } = await import('node:readline/promises');
  const lines = createInterface({ input: process.stdin, output: process.stderr });
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')));
  try {
    return await Promise.race([lines.question(question, { signal }).catch(() => ''), closed]);
  } finally {
    lines.close();
  }
}
