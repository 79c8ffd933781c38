/** A small session in Claude Code's form, with a compaction in the middle. */

export const firstQuestion = 'Make the formatter keep comments';
export const laterQuestion = 'Does the printer indent them?';
/** Two files that the agent read before it compacted. The summary names the first, but not the second. */
export const rememberedFile = 'src/scanner.ts';
export const forgottenFile = 'src/printer.ts';
export const summary = `The person wants comments kept. ${rememberedFile} drops them in skipTrivia.`;

const scannerSource = 'export function skipTrivia(text: string): number { return 0; }\n'.repeat(40);
const printerSource = 'export function print(depth: number): string { return ""; }\n'.repeat(40);

const timestamp = '2026-02-03T04:05:06.000Z';
const user = (content: unknown, more: object = {}) => ({
  parentUuid: null,
  sessionId: 's1',
  type: 'user',
  message: { role: 'user', content },
  timestamp,
  ...more,
});
const assistant = (id: string, ...content: readonly unknown[]) => ({
  parentUuid: 'u1',
  sessionId: 's1',
  type: 'assistant',
  message: { id, role: 'assistant', content },
  timestamp,
});
const text = (said: string) => ({ type: 'text', text: said });
const read = (id: string, path: string) => ({
  type: 'tool_use',
  id,
  name: 'Read',
  input: { file_path: path },
});
const result = (id: string, content: string) => user([{ type: 'tool_result', tool_use_id: id, content }]);

const events: readonly object[] = [
  user(firstQuestion),
  assistant('r1', read('c1', rememberedFile), read('c2', forgottenFile)),
  result('c1', scannerSource),
  result('c2', printerSource),
  assistant('r2', text('The scanner drops comments before the printer sees them.')),
  user(summary, { isCompactSummary: true }),
  user(laterQuestion),
  assistant('r3', text('It will, once they reach it.')),
];

/** The text of the session's file. */
export const claudeCodeSession: string = events.map((event) => `${JSON.stringify(event)}\n`).join('');
