import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { endWords } from '../../src/compaction/ledger/call-words.ts';
import { callEnds } from '../../src/compaction/ledger/call-ends.ts';
import { extractLedger } from '../../src/compaction/ledger/extract.ts';
import { messagesOf } from '../../src/compaction/transcript/transcript.ts';
import { readTranscript as importTranscript } from '../../src/library/foreign-transcripts.ts';

const command = 'rm -rf build';
const time = '2026-11-01T10:00:00.000Z';
const lines = (...values: readonly object[]) => values.map((value) => JSON.stringify(value)).join('\n');

/** A result of Claude Code, with fields of its row. */
function claudeCode(
  content: string,
  isError: boolean,
  row: object = {},
  ...later: readonly object[]
): string {
  const common = { sessionId: 's', timestamp: time };
  const tool = { type: 'tool_use', id: 'a', name: 'Bash', input: { command } };
  const answer = { type: 'tool_result', tool_use_id: 'a', content, is_error: isError };
  return lines(
    { ...common, uuid: '1', parentUuid: null, type: 'user', message: { role: 'user', content: 'go' } },
    { ...common, uuid: '2', parentUuid: '1', type: 'assistant', message: { id: 'm', content: [tool] } },
    { ...common, uuid: '3', parentUuid: '2', type: 'user', message: { content: [answer] }, ...row },
    ...later.map((value, index) => ({
      ...common,
      uuid: `${index + 4}`,
      parentUuid: `${index + 3}`,
      ...value,
    })),
  );
}

function codex(output: unknown, ...others: readonly object[]): string {
  const item = (payload: object, type = 'response_item') => ({ timestamp: time, type, payload });
  return lines(
    item({ id: 's' }, 'session_meta'),
    item({
      type: 'function_call',
      call_id: 'a',
      name: 'exec_command',
      arguments: JSON.stringify({ cmd: command }),
    }),
    ...others.filter((other) => 'payload' in other),
    item({ type: 'function_call_output', call_id: 'a', output }),
    ...others.filter((other) => !('payload' in other)).map((other) => item(other)),
  );
}

function gemini(status: string, response: object): string {
  const result = [{ functionResponse: { id: 'a', name: 'run_shell_command', response } }];
  const toolCalls = [{ id: 'a', name: 'run_shell_command', args: { command }, status, result }];
  return JSON.stringify({
    sessionId: 's',
    projectHash: 'p',
    messages: [
      { id: '1', timestamp: time, type: 'user', content: 'go' },
      { id: '2', timestamp: time, type: 'gemini', content: '', toolCalls },
    ],
  });
}

function opencode(state: object): string {
  const part = { type: 'tool', callID: 'a', tool: 'bash', state: { input: { command }, ...state } };
  return JSON.stringify({
    info: { id: 's' },
    messages: [{ info: { id: '1', role: 'assistant', time: { created: 1 } }, parts: [part] }],
  });
}

function task(content: string): string {
  const tool = { type: 'tool_use', id: 'a', name: 'execute_command', input: { command } };
  return JSON.stringify([
    { role: 'user', content: [{ type: 'text', text: '<task>go</task>' }] },
    { role: 'assistant', content: [tool] },
    { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content }] },
  ]);
}

function copilot(data: object, ...before: readonly object[]): string {
  const toolRequests = [{ toolCallId: 'a', name: 'bash', arguments: { command } }];
  return lines(
    { type: 'session.start', id: '1', timestamp: time, data: { version: 1, sessionId: 's' } },
    { type: 'assistant.message', id: '2', timestamp: time, data: { content: '', toolRequests } },
    ...before.map((event, index) => ({ id: `b${index}`, timestamp: time, ...event })),
    { type: 'tool.execution_complete', id: '3', timestamp: time, data: { toolCallId: 'a', ...data } },
  );
}

function pi(text: string): string {
  const call = { type: 'toolCall', id: 'a', name: 'bash', arguments: { command } };
  const answer = { role: 'toolResult', toolCallId: 'a', content: [{ type: 'text', text }], isError: true };
  return lines(
    { type: 'session', id: 's', timestamp: time, cwd: '/home/user/project' },
    { type: 'message', timestamp: time, message: { role: 'assistant', content: [call] } },
    { type: 'message', timestamp: time, message: answer },
  );
}

/** A chat of VS Code: as its rounds, or as displayed. */
function copilotChat(answer: object | undefined, part: object): string {
  const call = {
    kind: 'toolInvocationSerialized',
    toolCallId: 'a',
    toolId: 'run_in_terminal',
    isComplete: true,
    ...part,
  };
  const toolCalls = [{ id: 'a', name: 'run_in_terminal', arguments: JSON.stringify({ command }) }];
  const metadata = { toolCallRounds: [{ id: 'o', response: '', toolCalls }], toolCallResults: { a: answer } };
  const result = answer === undefined ? {} : { result: { metadata } };
  const request = { message: { text: 'go' }, response: [call], ...result };
  return JSON.stringify({ version: 3, responderUsername: 'GitHub Copilot', requests: [request] });
}

const inTerminal = { toolSpecificData: { commandLine: { original: command } }, pastTenseMessage: 'Ran it' };

function openai(content: string): string {
  const fn = { name: 'bash', arguments: JSON.stringify({ command }) };
  return JSON.stringify([
    { role: 'user', content: 'go' },
    { role: 'assistant', content: null, tool_calls: [{ id: 'a', type: 'function', function: fn }] },
    { role: 'tool', tool_call_id: 'a', content },
  ]);
}

const rejected = "The user doesn't want to proceed with this tool use. The tool use was rejected.";
const notification = (status: string) => ({
  type: 'user',
  message: {
    role: 'user',
    content: `<task-notification>\n<task-id>b1</task-id>\n<status>${status}</status>\n</task-notification>`,
  },
});
const background = { toolUseResult: { stdout: '', backgroundTaskId: 'b1' } };
const permission = (kind: string) => [
  {
    type: 'permission.requested',
    data: { requestId: 'r', permissionRequest: { kind: 'shell', toolCallId: 'a' } },
  },
  { type: 'permission.completed', data: { requestId: 'r', result: { kind } } },
];
const write = (output: string) => [
  { type: 'function_call', call_id: 'b', name: 'write_stdin', arguments: '{"session_id":7,"chars":""}' },
  { type: 'function_call_output', call_id: 'b', output },
];

const cases: readonly (readonly [what: string, end: string, text: string])[] = [
  ['Claude Code: the user said no', 'refused', claudeCode(rejected, true)],
  [
    'Claude Code: the user said no, in a field',
    'refused',
    claudeCode('Not now.', true, { toolDenialKind: 'user-rejected' }),
  ],
  [
    'Claude Code: the user said no, in an older row',
    'refused',
    claudeCode('?', true, { toolUseResult: 'User rejected tool use' }),
  ],
  [
    'Claude Code: a rule',
    'notAllowed',
    claudeCode('Permission to use Bash with command rm has been denied.', true),
  ],
  [
    'Claude Code: nobody to ask',
    'notAllowed',
    claudeCode("Claude requested permissions to use Bash, but you haven't granted it yet.", true, {
      toolDenialKind: 'user-rejected',
    }),
  ],
  ['Claude Code: a hook', 'notAllowed', claudeCode('PreToolUse:Bash hook error: [guard.sh]: no', true)],
  [
    'Claude Code: the permission classifier',
    'notAllowed',
    claudeCode('Reason: x', true, { toolDenialKind: 'automode-blocked' }),
  ],
  [
    'Claude Code: a parallel call was refused',
    'skipped',
    claudeCode('<tool_use_error>Sibling tool call errored</tool_use_error>', true),
  ],
  [
    'Claude Code: a denial of an unknown kind',
    'skipped',
    claudeCode('?', true, { toolDenialKind: 'future' }),
  ],
  [
    'Claude Code: stopped while it ran',
    'cancelled',
    claudeCode(rejected, true, { toolDenialKind: 'interrupted' }),
  ],
  [
    'Claude Code: stopped, in an older row',
    'cancelled',
    claudeCode('half', false, { toolUseResult: { stdout: 'half', interrupted: true } }),
  ],
  [
    'Claude Code: took too long',
    'cancelled',
    claudeCode('Exit code 143\nCommand timed out after 2m 0s', true),
  ],
  [
    'Claude Code: continues in the background',
    'running',
    claudeCode('Command running in background with ID: b1', false, background),
  ],
  [
    'Claude Code: ended in the background',
    'ran',
    claudeCode('Command running in background with ID: b1', false, background, notification('completed')),
  ],
  [
    'Claude Code: was stopped in the background',
    'cancelled',
    claudeCode('Command running in background with ID: b1', false, background, notification('killed')),
  ],
  ['Claude Code: failed', 'failed', claudeCode('Exit code 2\nno', true)],
  ['Claude Code: prints the text of a refusal', 'ran', claudeCode(rejected, false)],
  ['Codex: the user said no', 'refused', codex('exec command rejected by user')],
  [
    'Codex: the user said no, wrapped in an error',
    'refused',
    codex('exec_command failed for `sh -c x`: CreateProcess { message: "Rejected(\\"rejected by user\\")" }'),
  ],
  [
    'Codex: the user said no, in an event',
    'refused',
    codex('no', {
      timestamp: time,
      type: 'event_msg',
      payload: { type: 'exec_command_end', call_id: 'a', status: 'declined', exit_code: -1 },
    }),
  ],
  [
    'Codex: the policy',
    'notAllowed',
    codex('approval required by policy, but AskForApproval is set to Never'),
  ],
  [
    'Codex: a rule',
    'notAllowed',
    codex('`rm -rf build` rejected: policy forbids commands starting with `rm`'),
  ],
  ['Codex: a hook', 'notAllowed', codex('Command blocked by PreToolUse hook: no. Command: rm')],
  ['Codex: stopped', 'cancelled', codex('aborted by user after 5.0s')],
  ['Codex: stopped, in newer versions', 'cancelled', codex('Wall time: 5.0 seconds\naborted by user')],
  [
    'Codex: took too long',
    'cancelled',
    codex('{"output":"command timed out after 10000 milliseconds\\nx","metadata":{"exit_code":124}}'),
  ],
  [
    'Codex: still running',
    'running',
    codex('Wall time: 1 seconds\nProcess running with session ID 7\nOutput:\n'),
  ],
  [
    'Codex: failed later',
    'failed',
    codex(
      'Wall time: 1 seconds\nProcess running with session ID 7\nOutput:\n',
      ...write('Wall time: 1 seconds\nProcess exited with code 1\nOutput:\n'),
    ),
  ],
  ['Codex: failed', 'failed', codex('Wall time: 1 seconds\nProcess exited with code 1\nOutput:\nx')],
  [
    "Codex: prints another program's exit code",
    'ran',
    codex('Wall time: 1 seconds\nProcess exited with code 0\nOutput:\nExit code: 1\n'),
  ],
  [
    'Gemini CLI: the user said no',
    'refused',
    gemini('cancelled', { error: '[Operation Cancelled] Reason: User denied execution.' }),
  ],
  [
    'Gemini CLI: stopped',
    'cancelled',
    gemini('cancelled', { error: '[Operation Cancelled] User cancelled tool execution.' }),
  ],
  [
    'Gemini CLI: skipped after another call',
    'skipped',
    gemini('cancelled', { error: '[Operation Cancelled] Reason: User cancelled operation' }),
  ],
  ['Gemini CLI: the policy', 'notAllowed', gemini('error', { error: 'Tool execution denied by policy.' })],
  ['Gemini CLI: failed', 'failed', gemini('success', { output: 'Output: x\nExit Code: 2' })],
  [
    'opencode: the user said no',
    'refused',
    opencode({ status: 'error', error: 'The user rejected permission to use this specific tool call.' }),
  ],
  [
    'opencode: a rule',
    'notAllowed',
    opencode({
      status: 'error',
      error: 'The user has specified a rule which prevents you from using this specific tool call.',
    }),
  ],
  [
    'opencode: stopped',
    'cancelled',
    opencode({ status: 'error', error: 'Tool execution aborted', metadata: { output: 'half' } }),
  ],
  [
    'opencode: took too long',
    'cancelled',
    opencode({
      status: 'completed',
      output:
        'x\n\n<bash_metadata>\nbash tool terminated command after exceeding timeout 1000 ms\n</bash_metadata>',
    }),
  ],
  ['opencode: failed', 'failed', opencode({ status: 'completed', output: 'x', metadata: { exit: 2 } })],
  ['opencode: runs', 'pending', opencode({ status: 'running' })],
  ['Cline: the user said no', 'refused', task('The user denied this operation.')],
  ['Roo Code: the user said no', 'refused', task('{"status":"denied","feedback":"not there"}')],
  [
    'Roo Code: an earlier call was refused',
    'skipped',
    task('Skipping tool [execute_command] due to user rejecting a previous tool.'),
  ],
  [
    'Roo Code: given up',
    'unanswered',
    task('Task was interrupted before this tool call could be completed.'),
  ],
  ['Roo Code: still running', 'running', task("Command is still running in terminal from '/home/user'.")],
  [
    'Copilot CLI: the user said no',
    'refused',
    copilot({ success: false, error: { message: 'no', code: 'rejected' } }),
  ],
  [
    'Copilot CLI: the user said no, in an event',
    'refused',
    copilot({ success: false, error: { message: 'no' } }, ...permission('denied-interactively-by-user')),
  ],
  [
    'Copilot CLI: a rule',
    'notAllowed',
    copilot({ success: false, error: { message: 'no', code: 'denied' } }),
  ],
  [
    'Copilot CLI: a rule, in an event',
    'notAllowed',
    copilot({ success: false, error: { message: 'no' } }, ...permission('denied-by-rules')),
  ],
  [
    'Copilot CLI: allowed',
    'ran',
    copilot({ success: true, result: { content: 'ok' } }, ...permission('approved')),
  ],
  [
    'Copilot Chat: the user said no',
    'refused',
    copilotChat(undefined, { ...inTerminal, isConfirmed: { type: 0 } }),
  ],
  [
    'Copilot Chat: the user said no, in older versions',
    'refused',
    copilotChat(undefined, { ...inTerminal, isConfirmed: false }),
  ],
  [
    'Copilot Chat: the user skipped it',
    'refused',
    copilotChat(
      {
        content: [{ value: 'The user chose to skip the tool call, they want to proceed without running it' }],
      },
      {},
    ),
  ],
  ['Copilot Chat: allowed', 'ran', copilotChat({ content: [{ value: 'ok' }] }, { isConfirmed: { type: 4 } })],
  [
    'Copilot Chat: failed',
    'failed',
    copilotChat(
      { content: [{ value: 'ok' }] },
      { toolSpecificData: { terminalCommandState: { exitCode: 2 } } },
    ),
  ],
  [
    'Copilot Chat: still running',
    'running',
    copilotChat({ content: [{ value: 'Command is running in terminal with ID=1' }] }, {}),
  ],
  ['OpenAI messages: the user said no', 'refused', openai(rejected)],
  ['OpenAI messages: our own', 'refused', openai('The user did not allow this, and nothing was done. Ask.')],
  [
    'OpenAI messages: our own text of an earlier version',
    'refused',
    openai('The person did not allow this, and nothing was done. Ask.'),
  ],
  ['Pi: stopped', 'cancelled', pi('half\n\nCommand aborted')],
  ['Pi: the user typed a message', 'skipped', pi('Skipped due to queued user message.')],
];

describe('a call of another agent', () => {
  it.each(cases)('is read with its end: %s (%s)', (_what, end, text) => {
    const messages = messagesOf(importTranscript(text));
    expect([...callEnds(messages).values()][0]?.end).toBe(end);
    const { commands, notRun } = extractLedger(messages);
    const isTold = ['refused', 'notAllowed', 'pending'].includes(end);
    expect(commands).toEqual([]);
    expect(notRun).toEqual(isTold ? [{ text: command, what: 'command', end }] : []);
  });

  it('is recognised as refused in Copilot Chat even without a note of the program', () => {
    const part = { toolSpecificData: { commandLine: { original: command } }, isConfirmed: { type: 0 } };
    const messages = messagesOf(importTranscript(copilotChat(undefined, part)));
    expect([...callEnds(messages).values()][0]?.end).toBe('refused');
  });

  const folder = 'test/fixtures/agents';
  it.each([
    'codex/.codex/sessions/2026/11/26',
    'gemini-cli/.gemini/tmp/project/chats',
    'qwen-code/.qwen/projects/-home-user-project/chats',
  ])('is not listed as run in real sessions if a rule forbade it: %s', (path) => {
    const files = readdirSync(`${folder}/${path}`).filter((name) => name.endsWith('.jsonl'));
    const ledgers = files.map((name) =>
      extractLedger(messagesOf(importTranscript(readFileSync(`${folder}/${path}/${name}`, 'utf8')))),
    );
    const removed = 'rm -rf src/legacy.ts';
    expect(ledgers.flatMap(({ commands }) => commands.map((fact) => fact.command))).not.toContain(removed);
    expect(ledgers.flatMap(({ notRun }) => notRun)).toContainEqual({
      text: removed,
      what: 'command',
      end: 'notAllowed',
    });
  });

  it('has a different description for every end', () => {
    const words = Object.values(endWords);
    expect(new Set(words).size).toBe(words.length);
  });
});
