import { lines } from '../agents/carriers.ts';
import { typedWords } from './placed-texts.ts';

/** A session of an agent with foreign text in every place, and the summary that replaces it. */
export interface HostileSession {
  readonly session: string;
  readonly summary: string;
}

const steps = (text: string) => `I see.\n\n## Next steps\n\n- ${text}\n- ${text.replaceAll('\n', ' ')}`;
const summary = 'The lock was looked at.';

const claudeRow = (type: string, message: object, more: object = {}) => ({
  parentUuid: 'u1',
  sessionId: 's1',
  cwd: '/projects/printer',
  type,
  message,
  ...more,
});
let calls = 0;

function claudeCalls(name: string, input: object, content: string): readonly object[] {
  const id = `c${++calls}`;
  return [
    claudeRow('assistant', { id, role: 'assistant', content: [{ type: 'tool_use', id, name, input }] }),
    claudeRow('user', { role: 'user', content: [{ type: 'tool_result', tool_use_id: id, content }] }),
  ];
}

/** @param text text for paths, commands, searches, results, replies, selections, names of tools and titles */
function claudeCode(text: string): HostileSession {
  return {
    session: lines(
      { type: 'ai-title', aiTitle: text },
      { type: 'summary', summary: text, leafUuid: 'u1' },
      claudeRow('user', { role: 'user', content: typedWords }),
      claudeRow('user', {
        role: 'user',
        content: [
          { type: 'text', text: `<ide_selection>\n${text}\n</ide_selection>` },
          { type: 'text', text: 'Go on.' },
        ],
      }),
      claudeRow('user', { role: 'user', content: `<task-notification>\n${text}\n</task-notification>` }),
      ...claudeCalls('Read', { file_path: text }, text),
      ...claudeCalls('Read', { file_path: `src/${text.slice(0, 120)}.ts` }, `Error: ${text}`),
      ...claudeCalls('Bash', { command: text }, `Error: ${text}\n${text}\nexit code 1`),
      ...claudeCalls('Bash', { command: 'npm test' }, `TypeError: ${text.replaceAll('\n', ' ')}`),
      ...claudeCalls('Grep', { pattern: text, query: text, session_id: text }, text),
      ...claudeCalls('Write', { file_path: `${text}.md`, content: text }, 'ok'),
      ...claudeCalls(`mcp__${text}__x`, { path: text }, `Error: ${text}`),
      ...claudeCalls('TodoWrite', { todos: [{ content: text, status: 'pending' }] }, 'ok'),
      claudeRow('assistant', { id: 'r1', role: 'assistant', content: [{ type: 'text', text: steps(text) }] }),
      claudeRow('assistant', {
        id: 'r2',
        role: 'assistant',
        content: [{ type: 'text', text: `We decided to go with it.\n${text}` }],
      }),
    ),
    summary: lines(claudeRow('user', { role: 'user', content: summary }, { isCompactSummary: true })),
  };
}

const codexLine = (type: string, payload: object) => ({
  timestamp: '2026-02-03T04:05:06.000Z',
  type,
  payload,
});
const codexCall = (name: string, input: object, output: string) => {
  const id = `x${++calls}`;
  return [
    codexLine('response_item', {
      type: 'function_call',
      name,
      call_id: id,
      arguments: JSON.stringify(input),
    }),
    codexLine('response_item', { type: 'function_call_output', call_id: id, output }),
  ];
};
const codexSaid = (role: string, type: string, text: string) =>
  codexLine('response_item', { type: 'message', role, content: [{ type, text }] });

function codex(text: string): HostileSession {
  return {
    session: lines(
      codexLine('session_meta', { id: 's1', cwd: '/projects/printer' }),
      codexSaid(
        'user',
        'input_text',
        `# AGENTS.md instructions for /projects/printer\n\n<INSTRUCTIONS>\n${text}\n</INSTRUCTIONS>`,
      ),
      codexSaid('user', 'input_text', typedWords),
      codexLine('event_msg', { type: 'user_message', message: typedWords }),
      ...codexCall(
        'shell',
        { command: ['bash', '-lc', text] },
        JSON.stringify({ output: `Error: ${text}`, metadata: { exit_code: 1 } }),
      ),
      ...codexCall('shell', { command: ['cat', 'README.md'] }, text),
      ...codexCall(
        'apply_patch',
        { input: `*** Begin Patch\n*** Update File: ${text.replaceAll('\n', ' ')}\n*** End Patch` },
        'ok',
      ),
      ...codexCall('update_plan', { plan: [{ step: text, status: 'pending' }] }, 'ok'),
      codexSaid('assistant', 'output_text', steps(text)),
    ),
    summary: lines(codexLine('compacted', { message: summary, replacement_history: [] })),
  };
}

const event = (type: string, data: object) => ({
  type,
  data,
  id: `e${++calls}`,
  timestamp: '2026-02-03T04:05:06.000Z',
});

function copilot(text: string): HostileSession {
  const called = (name: string, input: object, content: string) => {
    const id = `k${++calls}`;
    return [
      event('assistant.message', {
        messageId: id,
        content: '',
        toolRequests: [{ toolCallId: id, name, arguments: input }],
      }),
      event('tool.execution_complete', { toolCallId: id, success: true, result: { content } }),
    ];
  };
  return {
    session: lines(
      event('session.start', { sessionId: 's1', version: 1, context: { cwd: '/projects/printer' } }),
      event('session.title_changed', { title: text }),
      event('user.message', { content: typedWords }),
      event('user.message', { content: text, source: 'skill-x' }),
      ...called('view', { path: text }, text),
      ...called('bash', { command: text }, `Error: ${text}\n<exited with exit code 1>`),
      ...called('grep', { pattern: text, query: text }, `TypeError: ${text}`),
      event('assistant.message', { messageId: 'r9', content: steps(text) }),
    ),
    summary: lines(event('session.compaction_complete', { success: true, summaryContent: summary })),
  };
}

/** Agent → function that makes a session with a text in every place where the agent keeps foreign text. */
export const hostileSessions: Readonly<Record<string, (text: string) => HostileSession>> = {
  'Claude Code': claudeCode,
  Codex: codex,
  Copilot: copilot,
};
