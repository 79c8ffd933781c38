import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { lineConversation, type LineExchange } from '../../../scripts/agents/line-client.ts';
import { projectFolder } from '../../../scripts/project.ts';
import { runCommand } from '../../../scripts/test/run-command.ts';

const client = join(projectFolder, 'scripts', 'agents', 'line-client.ts');
/** Answers each line, after another line. */
const echo = `process.stdin.on('data', (data) => { process.stdout.write('{"event":1}\\n' + data); });`;

function talk(exchanges: readonly LineExchange[], program: string) {
  // The command names the client by its place in the sandbox.
  const [, , ...words] = lineConversation(exchanges, [process.execPath, '--eval', program]);
  return runCommand(process.execPath, [client, ...words]);
}

describe('a conversation in lines with a program', () => {
  it('waits for the answer to each message, and stops the program after the last', async () => {
    const { code, output } = await talk(
      [
        { send: { id: 1 }, until: '"id":1' },
        { send: { id: 2 }, until: '"id":2' },
      ],
      echo,
    );
    expect(output.trim().split('\n')).toEqual(['{"event":1}', '{"id":1}', '{"event":1}', '{"id":2}']);
    expect(code).toBe(0);
  });

  it('fails if the program ends before it answers', async () => {
    const { code, output } = await talk([{ send: { id: 1 }, until: 'never' }], 'process.exit()');
    expect(output).toContain('ended before it wrote a line with never');
    expect(code).toBe(1);
  });
});
