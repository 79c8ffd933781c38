import type { Message } from '../../../src/compaction/messages/message.ts';

/** A session of a number of tokens or a few more, as messages with ids. */
export function sessionOf(tokens: number, count: (text: string) => number): readonly Message[] {
  const messages: Message[] = [];
  for (let [round, size] = [0, 0]; size < tokens; round++) {
    for (const message of messagesOfRound(round)) {
      size += count(JSON.stringify(message));
      messages.push({
        ...message,
        id: `m${messages.length}`,
        createdAt: '2026-01-01T00:00:00.000Z',
        origin: 'tool',
      } as Message);
    }
  }
  return messages;
}

/** A long session of an agent, as OpenAI chat messages in JSON: questions, calls, and results of many kinds. */
export function longHistory(bytes: number): string {
  const messages: object[] = [{ role: 'system', content: 'You are a coding agent.' }];
  let size = 0;
  for (let round = 0; size < bytes; round++) {
    const some = messagesOfRound(round);
    messages.push(...some);
    size += JSON.stringify(some).length;
  }
  return JSON.stringify({ messages });
}

function messagesOfRound(round: number): readonly object[] {
  const id = `call${round}`;
  const path = `src/module-${round % 120}/store-${round % 40}.ts`;
  const kind = results[round % results.length] ?? code;
  const call = { id, type: 'function', function: { name: kind.tool, arguments: kind.input(path, round) } };
  const content = Array.from({ length: 40 + ((round * 37) % 60) }, (_, line) => kind.line(round, line)).join(
    '\n',
  );
  const question = `Look at ${path}: the lock of store ${round} is not released when restoreSession fails.`;
  return [
    ...(round % 4 === 0 ? [{ role: 'user', content: question }] : []),
    { role: 'assistant', content: `I look at step ${round} of ${path} first.`, tool_calls: [call] },
    { role: 'tool', tool_call_id: id, content },
  ];
}

interface ResultKind {
  readonly tool: string;
  readonly input: (path: string, round: number) => string;
  readonly line: (round: number, line: number) => string;
}

const code: ResultKind = {
  tool: 'read_file',
  input: (path) => JSON.stringify({ path }),
  line: (round, line) =>
    `  async restoreSession${line}(id: string, lock = this.lockOf(id)): Promise<Store${round}> { return read(id, ${line * round}); }`,
};

const results: readonly ResultKind[] = [
  code,
  {
    tool: 'run_command',
    input: (path, round) => JSON.stringify({ command: `npx vitest run ${path} --retry ${round % 3}` }),
    line: (round, line) =>
      `{"time":"2026-11-20T10:${line % 60}:00Z","level":"warn","id":"${(round * 7919 + line).toString(16)}","message":"lock released after ${line} ms"}`,
  },
  {
    tool: 'search_text',
    input: (_, round) => JSON.stringify({ query: `lockOf${round}` }),
    line: (round, line) =>
      `src/module-${line}/store.ts:${round + line}: the lock was released ${line} times before the rename failed again`,
  },
  {
    tool: 'read_file',
    input: (path) => JSON.stringify({ path: path.replace('.ts', '.md') }),
    line: (round, line) =>
      `第${round + line}次写入之后，仓库在恢复时发现了一行不完整的记录，需要重新读取会话文件。`,
  },
];
