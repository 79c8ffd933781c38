/** A long session of another agent as the text of a file, and the lines that a compaction adds. */
export interface AgentSession {
  /** Text of the file, which ends with a line feed. */
  readonly text: string;
  /** Lines of a compaction whose summary names a few of the facts. */
  readonly compaction: string;
  /** Returns one more step of work: a call and its result. */
  readonly step: (index: number) => string;
}

const timestamp = '2026-02-03T04:05:06.000Z';
const workspace = '/projects/printer';
const fileOf = (index: number) => `${workspace}/src/part-${index % 700}/module-${index % 97}.ts`;
const summary = `The person wants comments kept. ${fileOf(3)} and ${fileOf(4)} were changed; npm test passes.`;

/** Source code as a tool prints it. Each result is different. */
function printed(index: number): string {
  return Array.from(
    { length: 60 + (index % 80) },
    (_, line) =>
      `${line + 1}\texport function step${index}_${line}(depth: number, path: string): Store${line % 7} { return read(path, depth * ${line}); }`,
  ).join('\n');
}

function prose(index: number): string {
  return `Module ${index} now keeps its comments. Next I look at ${fileOf(index + 1)}, which drops them in skipTrivia, and run the tests again.`;
}

/** @param step returns a call and its result; added until the text is long enough */
function written(bytes: number, opening: string, step: (index: number) => string): string {
  const pieces = [opening];
  for (let length = opening.length, index = 0; length < bytes; index++) {
    const piece = step(index);
    pieces.push(piece);
    length += piece.length;
  }
  return pieces.join('');
}

const lineOf = (value: object) => `${JSON.stringify(value)}\n`;
const commandOf = (index: number) => `npm test -- part-${index % 300} --grep "case ${index % 11}"`;

/** @param bytes approximate size of the file */
export function claudeCodeSession(bytes: number): AgentSession {
  let previous: string | null = null;
  const row = (type: string, message: object, more: object = {}) => {
    const uuid = `u${(rows++).toString(16).padStart(8, '0')}`;
    const line = lineOf({
      parentUuid: previous,
      isSidechain: false,
      userType: 'external',
      cwd: workspace,
      sessionId: 's1',
      version: '2.1.40',
      gitBranch: 'main',
      type,
      message,
      ...more,
      uuid,
      timestamp,
    });
    previous = uuid;
    return line;
  };
  let rows = 0;
  const said = (content: unknown, more: object = {}) => row('user', { role: 'user', content }, more);
  const step = (index: number) => {
    const id = `toolu_${index}`;
    const name = index % 3 === 0 ? 'Bash' : index % 3 === 1 ? 'Read' : 'Edit';
    const input =
      name === 'Bash'
        ? { command: commandOf(index) }
        : name === 'Read'
          ? { file_path: fileOf(index) }
          : { file_path: fileOf(index), old_string: printed(index).slice(0, 300), new_string: prose(index) };
    const reply = (part: object) =>
      row('assistant', {
        id: `msg_${index}`,
        type: 'message',
        role: 'assistant',
        model: 'claude-opus-4-5',
        content: [part],
        usage: { input_tokens: 10, cache_read_input_tokens: 90_000, output_tokens: 200 },
      });
    const asked = index % 25 === 0 ? said(`Now module ${index}: never touch the generated files.`) : '';
    const content = printed(index);
    return [
      asked,
      reply({ type: 'text', text: prose(index) }),
      reply({ type: 'tool_use', id, name, input }),
      // Claude Code stores each result a second time for its own use.
      said([{ tool_use_id: id, type: 'tool_result', content }], { toolUseResult: { stdout: content } }),
    ].join('');
  };
  const text = written(bytes, said('Make the formatter keep comments'), step);
  const compaction = [
    lineOf({
      type: 'system',
      subtype: 'compact_boundary',
      parentUuid: null,
      sessionId: 's1',
      uuid: 'b1',
      timestamp,
    }),
    lineOf({
      type: 'user',
      isCompactSummary: true,
      parentUuid: 'b1',
      sessionId: 's1',
      uuid: 'b2',
      timestamp,
      message: { role: 'user', content: summary },
    }),
  ].join('');
  return { text, compaction, step };
}
