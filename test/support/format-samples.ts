import { clineSession, clineTask, rooTask, taskText } from './agents/cline-task.ts';
import { entriesOf, called, result, said, textOfTokens, typed } from './messages.ts';
import { recordWith } from './records.ts';

/** A small valid file of each format that we read, by the id of the format. Made by hand. */

const time = '2026-02-03T04:05:06.000Z';
const lines = (...events: readonly unknown[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('');
const document = (value: unknown) => JSON.stringify(value, undefined, 1);
const text = (words: string) => ({ type: 'text', text: words });
const png = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: 'iVBORw0KGgo=' } };
const chatCall = {
  id: 'c1',
  type: 'function',
  function: { name: 'read_file', arguments: '{"path":"a.ts"}' },
};
const tool = { type: 'function', function: { name: 'read_file', parameters: { type: 'object' } } };

const chat = [
  { role: 'system', content: 'rules' },
  {
    role: 'user',
    content: [text('read this'), { type: 'image_url', image_url: { url: 'data:image/png;base64,AA==' } }],
  },
  { role: 'assistant', content: null, tool_calls: [chatCall], reasoning_content: 'which?' },
  { role: 'tool', tool_call_id: 'c1', content: 'export const a = 1;' },
  { role: 'assistant', content: 'It exports a.' },
];

function session(): string {
  const messages = [
    typed('m1', 'read a.ts'),
    { ...called('m2', ['k1', 'read_file', { path: 'a.ts' }]), usage: { inputTokens: 9, outputTokens: 3 } },
    result('m3', 'k1', textOfTokens(50)),
    said('m4', 'It exports a.'),
  ];
  const summary = {
    ...typed('c1.1', '<conversation_summary>\nnotes\n</conversation_summary>'),
    kind: 'summary',
  } as const;
  const action = { kind: 'summarise', sourceIds: ['m2', 'm3'], outputId: 'c1.1', reason: 'old' } as const;
  const record = recordWith('c1', [{ ...action, tokensBefore: 60, tokensAfter: 9 }], [summary]);
  return lines(
    { type: 'session', version: 1, id: 's1', createdAt: time },
    { type: 'title', title: 'a' },
    { type: 'tools', tools: [tool] },
    ...entriesOf(messages),
    { type: 'compaction', record },
    { type: 'pin', createdAt: time, messageIds: ['m1'], pinned: true },
    { type: 'restore', createdAt: time, messageIds: ['m2', 'm3'] },
    { type: 'undo', createdAt: time, recordIds: ['c1'] },
    { type: 'turn', outcome: 'stopped', message: 'Stopped.' },
  );
}

function claudeCode(): string {
  const row = (
    uuid: string,
    parentUuid: string | null,
    type: string,
    message: object,
    more: object = {},
  ) => ({
    parentUuid,
    sessionId: 's1',
    type,
    message,
    uuid,
    timestamp: time,
    ...more,
  });
  const assistant = (...content: readonly unknown[]) => ({
    id: 'r1',
    role: 'assistant',
    model: 'x',
    content,
  });
  const answered = { type: 'tool_result', tool_use_id: 'c1', content: [text('export const a = 1;'), png] };
  return lines(
    { type: 'summary', summary: 'a title', leafUuid: 'u4' },
    row('u1', null, 'user', { role: 'user', content: [text('read this'), png] }),
    row('u2', 'u1', 'assistant', assistant({ type: 'thinking', thinking: 'which?', signature: 's' })),
    row(
      'u3',
      'u2',
      'assistant',
      assistant({ type: 'tool_use', id: 'c1', name: 'Read', input: { path: 'a.ts' } }),
    ),
    row('u4', 'u3', 'user', { role: 'user', content: [answered] }),
    row('u5', 'u4', 'user', { role: 'user', content: 'a summary' }, { isCompactSummary: true }),
    row('u6', 'u5', 'assistant', { ...assistant(text('Done.')), id: 'r2' }),
  );
}

function codex(): string {
  const row = (type: string, payload: object) => ({ timestamp: time, type, payload });
  const item = (type: string, more: object) => row('response_item', { type, ...more });
  const picture = { type: 'input_image', image_url: 'data:image/png;base64,AA==' };
  return lines(
    row('session_meta', { id: 's1', cwd: 'a', base_instructions: { text: 'You code.' } }),
    item('message', { role: 'user', content: [{ type: 'input_text', text: 'read this' }, picture] }),
    row('event_msg', { type: 'user_message', message: 'read this' }),
    item('reasoning', { summary: [{ type: 'summary_text', text: 'which?' }] }),
    item('function_call', { call_id: 'c1', name: 'exec', arguments: '{"cmd":"cat a.ts"}' }),
    item('function_call_output', { call_id: 'c1', output: 'export const a = 1;' }),
    row('event_msg', {
      type: 'token_count',
      info: { total_token_usage: { input_tokens: 9 }, model_context_window: 9 },
    }),
    row('compacted', { message: 'a summary', replacement_history: [] }),
    item('message', { role: 'assistant', content: [{ type: 'output_text', text: 'It exports a.' }] }),
  );
}

function geminiCli(): string {
  const row = (id: string, type: string, content: unknown, more: object = {}) => ({
    id,
    timestamp: time,
    type,
    content,
    ...more,
  });
  const response = {
    functionResponse: { id: 'c1', name: 'read_file', response: { output: 'export const a = 1;' } },
  };
  const call = {
    id: 'c1',
    name: 'read_file',
    args: { path: 'a.ts' },
    status: 'success',
    timestamp: time,
    result: [response],
  };
  const messages = [
    row('u1', 'user', [{ text: 'read this' }, { inlineData: { mimeType: 'image/png', data: 'AA==' } }]),
    row('g1', 'gemini', 'I look.', {
      toolCalls: [call],
      tokens: { input: 9, output: 3 },
      model: 'x',
      thoughts: [{ subject: 'a', description: 'b' }],
    }),
    row('g2', 'gemini', 'It exports a.'),
  ];
  return document({ sessionId: 's1', projectHash: 'h1', startTime: time, lastUpdated: time, messages });
}

function copilotEvents(): string {
  const row = (type: string, data: object, index: number) => ({
    type,
    data,
    id: `e${index}`,
    timestamp: time,
    parentId: null,
  });
  const events: readonly (readonly [string, object])[] = [
    ['session.start', { sessionId: 's1', version: 1, selectedModel: 'x', context: { cwd: 'a' } }],
    ['system.message', { role: 'system', content: 'rules' }],
    ['user.message', { content: 'read this', attachments: [] }],
    [
      'assistant.message',
      {
        messageId: 'r1',
        content: '',
        reasoningText: 'which?',
        toolRequests: [{ toolCallId: 'c1', name: 'view', arguments: { path: 'a.ts' } }],
      },
    ],
    ['assistant.usage', { model: 'x', inputTokens: 9, outputTokens: 3, cacheReadTokens: 4 }],
    ['tool.execution_start', { toolCallId: 'c1', toolName: 'view', arguments: { path: 'a.ts' } }],
    [
      'tool.execution_complete',
      { toolCallId: 'c1', success: true, result: { content: 'export const a = 1;' } },
    ],
    ['session.compaction_start', { currentTokens: 9, tokenLimit: 100 }],
    ['session.compaction_complete', { success: true, summaryContent: 'notes', trigger: 'threshold' }],
    ['subagent.started', { toolCallId: 'c2', agentName: 'explore' }],
    ['user.message', { content: 'look', parentToolCallId: 'c2' }],
    ['assistant.message', { messageId: 'r2', content: 'It exports a.' }],
  ];
  return lines(...events.map(([type, data], index) => row(type, data, index)));
}

function qwenCode(): string {
  const row = (id: string, parent: string | null, type: string, more: object) => ({
    uuid: id,
    parentUuid: parent,
    sessionId: 's1',
    timestamp: time,
    type,
    cwd: 'a',
    version: '0.15.10',
    ...more,
  });
  const parts = (role: string, ...list: readonly object[]) => ({ message: { role, parts: list } });
  const call = { id: 'c1', name: 'read_file', args: { path: 'a.ts' } };
  const response = { id: 'c1', name: 'read_file', response: { output: 'export const a = 1;' } };
  const summary = [parts('user', { text: 'a summary' }), parts('model', { text: 'Noted.' })];
  const image = { inlineData: { mimeType: 'image/png', data: 'AA==' } };
  return lines(
    row('u1', null, 'user', parts('user', { text: 'read this' }, image)),
    row('u2', 'u1', 'assistant', {
      ...parts('model', { text: 'which?', thought: true }, { functionCall: call }),
      model: 'x',
      usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 3, totalTokenCount: 12 },
    }),
    row('u3', 'u2', 'tool_result', parts('user', { functionResponse: response })),
    row('u4', 'u3', 'system', {
      subtype: 'chat_compression',
      systemPayload: {
        info: { originalTokenCount: 12 },
        compressedHistory: summary.map(({ message }) => message),
      },
    }),
    row('u5', 'u4', 'assistant', parts('model', { text: 'It exports a.' })),
  );
}

const copilotRequest = {
  requestId: 'q1',
  timestamp: 1_770_091_506_000,
  message: { text: 'read this', parts: [] },
  modelId: 'copilot/x',
  response: [{ value: 'It exports a.' }],
  result: {
    metadata: {
      promptTokens: 9,
      outputTokens: 3,
      toolCallRounds: [
        {
          id: 'o1',
          response: '',
          thinking: { id: 't1', text: 'which?' },
          toolCalls: [{ id: 'c1', name: 'read_file', arguments: '{"path":"a.ts"}' }],
        },
        { id: 'o2', response: 'It exports a.', toolCalls: [] },
      ],
      toolCallResults: { c1: { $mid: 20, content: [{ $mid: 21, value: 'export const a = 1;' }] } },
      summaries: [{ toolCallRoundId: 'o1', text: 'notes' }],
    },
  },
};

function copilotChat(): string {
  const chat = { version: 3, sessionId: 's1', responderUsername: 'GitHub Copilot', requests: [] };
  return lines(
    { kind: 0, v: chat },
    { kind: 2, k: ['requests'], v: [{ ...copilotRequest, response: [], result: undefined }] },
    { kind: 2, k: ['requests', 0, 'response'], v: copilotRequest.response, i: 0 },
    { kind: 1, k: ['requests', 0, 'result'], v: copilotRequest.result },
    { kind: 3, k: ['customTitle'] },
  );
}

function copilotOtel(): string {
  const part = (type: string, more: object) => ({ type, ...more });
  const input = [
    { role: 'user', parts: [part('text', { content: 'read this' })] },
    {
      role: 'assistant',
      parts: [
        part('reasoning', { content: 'which?' }),
        part('tool_call', { id: 'c1', name: 'read_file', arguments: { path: 'a.ts' } }),
      ],
    },
    { role: 'tool', parts: [part('tool_call_response', { id: 'c1', response: 'export const a = 1;' })] },
  ];
  const output = [{ role: 'assistant', parts: [part('text', { content: 'It exports a.' })] }];
  const attributes = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'x',
    'gen_ai.system_instructions': JSON.stringify([part('text', { content: 'rules' })]),
    'gen_ai.tool.definitions': JSON.stringify([{ type: 'function', name: 'read_file' }]),
    'gen_ai.input.messages': JSON.stringify(input),
    'gen_ai.output.messages': JSON.stringify(output),
    'gen_ai.usage.input_tokens': 9,
    'gen_ai.usage.output_tokens': 3,
    'gen_ai.usage.cache_read.input_tokens': 4,
    'copilot_chat.request.max_prompt_tokens': 100,
  };
  return lines({ resource: {}, attributes: { 'event.name': 'copilot_chat.session.start' } }, { attributes });
}

/** Messages of opencode, made by hand. */
export const opencodeMessages = [
  {
    info: { id: 'msg_1', role: 'user', time: { created: 1_770_091_506_000 } },
    parts: [
      { type: 'text', text: 'read this' },
      { type: 'file', mime: 'image/png', url: 'data:image/png;base64,AA==', filename: 'a.png' },
    ],
  },
  {
    info: { id: 'msg_2', role: 'assistant', modelID: 'x', time: { created: 1_770_091_507_000 } },
    parts: [
      { type: 'step-start' },
      { type: 'reasoning', text: 'which?' },
      {
        type: 'tool',
        callID: 'c1',
        tool: 'read',
        state: {
          status: 'completed',
          input: { path: 'a.ts' },
          output: 'export const a = 1;',
          time: { start: 1, end: 1_770_091_508_000 },
        },
      },
      { type: 'step-finish', tokens: { input: 5, output: 3, cache: { read: 4, write: 0 } } },
    ],
  },
  {
    info: { id: 'msg_3', role: 'user', time: { created: 1_770_091_509_000 } },
    parts: [{ type: 'compaction', auto: true }],
  },
  {
    info: {
      id: 'msg_4',
      role: 'assistant',
      summary: true,
      finish: 'stop',
      tokens: { input: 9, output: 3 },
      time: { created: 1_770_091_510_000 },
    },
    parts: [{ type: 'text', text: 'notes' }],
  },
  {
    info: { id: 'msg_5', role: 'assistant', modelID: 'x', time: { created: 1_770_091_511_000 } },
    parts: [{ type: 'text', text: 'It exports a.' }],
  },
] as const;

function openhands(): string {
  const reply = {
    id: 'r1',
    choices: [{ message: { role: 'assistant', content: 'I look.', tool_calls: [chatCall] } }],
  };
  const called = { tool_call_id: 'c1', function_name: 'read_file', model_response: reply };
  return lines({
    instance_id: 'i1',
    history: [
      {
        id: 0,
        source: 'agent',
        action: 'system',
        args: { content: 'rules', tools: [tool] },
        timestamp: time,
      },
      { id: 1, source: 'user', action: 'message', args: { content: 'read this' } },
      { id: 2, action: 'run', tool_call_metadata: called },
      {
        id: 3,
        observation: 'run',
        content: 'export const a = 1;',
        success: true,
        tool_call_metadata: called,
      },
      { id: 4, source: 'agent', action: 'message', args: { content: 'It exports a.' } },
    ],
  });
}

function pi(): string {
  const row = (id: string, parentId: string | null, role: string, content: unknown, more: object = {}) => ({
    type: 'message',
    id,
    parentId,
    timestamp: time,
    message: { role, content, ...more },
  });
  return lines(
    { type: 'session', id: 's1', timestamp: time, cwd: 'a' },
    row('e1', null, 'user', [text('read this'), { type: 'image', mimeType: 'image/png', data: 'AA==' }]),
    row('e2', 'e1', 'assistant', [
      text('I look.'),
      { type: 'toolCall', id: 'c1', name: 'read', arguments: { path: 'a' } },
    ]),
    row('e3', 'e2', 'toolResult', [text('export const a = 1;')], { toolCallId: 'c1', toolName: 'read' }),
    {
      type: 'compaction',
      id: 'e4',
      parentId: 'e3',
      timestamp: time,
      summary: 'notes',
      firstKeptEntryId: 'e2',
    },
    row('e5', 'e4', 'assistant', [text('It exports a.')]),
  );
}

function chatReplay(): string {
  const parts = (words: string) => [{ type: 1, text: words }];
  const messages = [
    { role: 0, content: parts('rules') },
    { role: 1, content: parts('read this') },
    { role: 2, content: parts(''), toolCalls: [chatCall] },
    { role: 3, toolCallId: 'c1', content: parts('export const a = 1;') },
  ];
  const request = {
    kind: 'request',
    metadata: { startTime: time, endTime: time, tools: [tool] },
    requestMessages: { messages },
    response: { type: 'success', message: ['It exports a.'] },
  };
  const called = { kind: 'toolCall', id: 'c2', tool: 'read_file', args: '{}', time, response: ['x'] };
  return document({ prompts: [{ prompt: 'x', logs: [request, called] }] });
}

const clineTurns = (...more: readonly unknown[]) => [
  { role: 'user', content: [text('<task>\nread this\n</task>'), ...more], ts: 1_770_091_506_000 },
  {
    role: 'assistant',
    content: [
      { type: 'thinking', thinking: 'which?' },
      { type: 'tool_use', id: 'c1', name: 'read_file', input: { path: 'a.ts' } },
    ],
  },
  {
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 'c1', content: [text('export const a = 1;')] }],
  },
  { role: 'assistant', content: 'It exports a.' },
];

const specstory = `<!-- Generated by SpecStory, Markdown v2.1.0 -->

# 2025-03-04 05:06:07Z

_**User (2025-03-04 05:06:07Z)**_

read this

---

_**Agent (some-model 2025-03-04 05:06:09Z)**_

<think><details><summary>Thought Process</summary>
which?
</details></think>

<tool-use data-tool-type="shell" data-tool-name="Bash"><details>
<summary>Tool use: **Bash**</summary>
List

\`cat a.ts\`

\`\`\`text
export const a = 1;
\`\`\`
</details></tool-use>

It exports a.
`;

const aider = `
# aider chat started at 2025-03-04 05:06:07

> Added a.ts to the chat.

#### read this

It exports a.

> Applied edit to a.ts
`;

export const formatSamples: Readonly<Record<string, string>> = {
  pi: pi(),
  session: session(),
  'claude-code': claudeCode(),
  'qwen-code': qwenCode(),
  codex: codex(),
  'copilot-cli': copilotEvents(),
  'copilot-chat': copilotChat(),
  otel: copilotOtel(),
  opencode: document({
    info: { id: 'ses_1', title: 'a', directory: 'a' },
    messages: opencodeMessages,
    children: [{ info: { id: 'ses_2', parentID: 'ses_1' }, messages: opencodeMessages.slice(0, 2) }],
  }),
  'gemini-cli': geminiCli(),
  openhands: openhands(),
  litellm: document({
    messages: chat.slice(0, 4),
    tools: [tool],
    response: { choices: [{ message: chat[4] }] },
    latency_sec: 1,
    timestamp: 1_770_091_506.25,
  }),
  'chat-replay': chatReplay(),
  cline: document({ version: 1, sessionId: 's1', system_prompt: 'rules', messages: clineTurns() }),
  'cline-task': document(clineTurns(png)),
  'swe-agent': document({
    environment: 'main',
    trajectory: [],
    history: [
      { role: 'system', content: 'rules' },
      { role: 'user', content: [text('read this')] },
      { role: 'assistant', content: 'I look.', action: 'open a.ts', tool_calls: [chatCall] },
      { role: 'tool', content: 'export const a = 1;', tool_call_ids: ['c1'] },
    ],
  }),
  'tau-bench': document([
    {
      task_id: 1,
      reward: 0,
      traj: [chat[0], { role: 'user', content: 'read this' }, ...chat.slice(2)],
      trial: 0,
    },
  ]),
  specstory,
  aider,
  openai: document({
    messages: chat,
    tools: [tool],
    meta: { compactions: [{ before_message_index: 3, summary: 'notes' }] },
  }),
};

/** Small valid files in other shapes of a format, with the id of the format and the shape. Made by hand. */
export const otherShapes: readonly (readonly [format: string, shape: string, text: string])[] = [
  ['cline-task', 'of Roo Code with what is shown', taskText(rooTask)],
  ['cline-task', 'of Cline with what is shown', taskText(clineTask)],
  ['cline', 'with the compaction beside it', document(clineSession)],
  ['opencode', 'as lines', opencodeRows()],
];

/** Rows of an opencode database. One row also occurs in its earlier state. */
function opencodeRows(): string {
  const session = (id: string, more: object) => ({
    table: 'session',
    id,
    data: { id, time_created: 1, ...more },
  });
  const rows = opencodeMessages.flatMap(({ info: { id, ...info }, parts }, index) => [
    ...parts.map((data, place) => ({ table: 'part', id: `prt_${index}_${place}`, message_id: id, data })),
    { table: 'message', id, session_id: 'ses_1', time_created: index, data: info },
  ]);
  const unfinished = { table: 'part', id: 'prt_4_0', message_id: 'msg_5', data: text('It expo') };
  return lines(session('ses_1', {}), session('ses_2', { parent_id: 'ses_1' }), unfinished, ...rows);
}
