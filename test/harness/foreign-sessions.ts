import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { claudeCodeSession, firstQuestion } from '../support/claude-code-session.ts';

/** A session in the form of one agent. */
interface ForeignSession {
  /** Common name of the agent. */
  readonly agent: string;
  readonly title: string;
  /** A reply of its model. */
  readonly answer: string;
  /** Below the folder of the agent. */
  readonly path: string;
  readonly text: string;
}

const timestamp = '2026-02-03T04:05:06.000Z';
const lines = (...events: readonly object[]): string =>
  events.map((event) => `${JSON.stringify(event)}\n`).join('');
const codexItem = (payload: object): object => ({ timestamp, type: 'response_item', payload });
const text = (said: string): object => ({ type: 'text', text: said });

/** A session of each agent whose folders are searched. */
export const foreignSessions: readonly ForeignSession[] = [
  {
    agent: 'Claude Code',
    title: firstQuestion,
    answer: 'It will, once they reach it.',
    path: 'claude/projects/printer/s1.jsonl',
    text: claudeCodeSession,
  },
  {
    agent: 'Codex',
    title: 'Sort the imports',
    answer: 'The imports are sorted.',
    path: 'codex/sessions/2026/02/03/rollout-s1.jsonl',
    text: lines(
      { timestamp, type: 'session_meta', payload: { id: 's1', cwd: '/projects/imports' } },
      codexItem({ type: 'message', role: 'user', content: [text('Sort the imports')] }),
      codexItem({ type: 'function_call', call_id: 'c1', name: 'exec', arguments: '{"cmd":"ls"}' }),
      codexItem({ type: 'function_call_output', call_id: 'c1', output: 'main.ts' }),
      codexItem({ type: 'message', role: 'assistant', content: [text('The imports are sorted.')] }),
    ),
  },
  {
    agent: 'Gemini CLI',
    title: 'Name the colours',
    answer: 'Red, green and blue.',
    path: 'gemini/.gemini/tmp/h1/chats/session-s1.json',
    text: JSON.stringify({
      ...{ sessionId: 's1', projectHash: 'h1', startTime: timestamp, kind: 'main' },
      messages: [
        { id: 'u1', timestamp, type: 'user', content: [{ text: 'Name the colours' }] },
        { id: 'g1', timestamp, type: 'gemini', content: 'Red, green and blue.' },
      ],
    }),
  },
  {
    agent: 'Cline',
    title: 'Draw the map',
    answer: 'The map is drawn.',
    path: 'editor/saoudrizwan.claude-dev/tasks/t1/api_conversation_history.json',
    text: JSON.stringify([
      { role: 'user', content: [text('<task>\nDraw the map\n</task>'), text('<environment_details>')] },
      { role: 'assistant', content: [text('The map is drawn.')] },
    ]),
  },
];

/** Environment variables for the folders in which agents keep their sessions, below the given one. */
export function agentFolders(folder: string): Readonly<Record<string, string>> {
  return {
    CLAUDE_CONFIG_DIR: join(folder, 'claude'),
    CODEX_HOME: join(folder, 'codex'),
    GEMINI_CLI_HOME: join(folder, 'gemini'),
    QWEN_HOME: join(folder, 'qwen'),
    PI_CODING_AGENT_DIR: join(folder, 'pi'),
    COPILOT_HOME: join(folder, 'copilot'),
    // Our own notes on their sessions.
    CONTEXT_BUDGET_STATE: join(folder, 'state'),
  };
}

/** @param editorStorage folder in which VS Code keeps its extensions' data */
export async function writeForeignSessions(folder: string, editorStorage: string): Promise<void> {
  for (const session of foreignSessions) {
    const path = session.path.startsWith('editor/')
      ? join(editorStorage, session.path.slice('editor/'.length))
      : join(folder, session.path);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, session.text);
  }
}
