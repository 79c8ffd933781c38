/** Tasks in the form of Cline before version 4 and of Roo Code, in two files, made by hand. */

const text = (words: string) => ({ type: 'text', text: words });
const said = (ts: number, words: string, more: object = {}) => ({
  role: 'user',
  content: [text(words)],
  ts,
  ...more,
});
const replied = (ts: number, words: string, more: object = {}) => ({
  role: 'assistant',
  content: [text(words)],
  ts,
  ...more,
});
const request = (ts: number, numbers: object) => ({
  ...{ ts, type: 'say', say: 'api_req_started' },
  text: JSON.stringify({ request: 'read this', ...numbers }),
});

/** The texts of both files: the conversation, and the displayed messages. */
export interface TaskFiles {
  readonly conversation: readonly object[];
  readonly shown: readonly object[];
}

const surroundings = '<environment_details>\n<model>claude-sonnet-4-5</model>\n</environment_details>';

/** A condensed task that names `src/new-store.ts` but no longer `src/old-store.ts`. */
export const rooTask: TaskFiles = {
  conversation: [
    said(10, `<task>\nread the stores\n</task>`, { condenseParent: 'c1' }),
    replied(20, '<read_file><path>src/old-store.ts</path></read_file>', { condenseParent: 'c1' }),
    said(30, `export const old = 'élan 写 🎈';\n${surroundings}`, { condenseParent: 'c1' }),
    {
      ...replied(40, 'And the other.', { condenseParent: 'c1' }),
      content: [
        { type: 'tool_use', id: 't1', name: 'read_file', input: { path: 'src/new-store.ts' } },
        { type: 'tool_use', id: 't2', name: 'read_file', input: { path: 'src/old-store.ts' } },
      ],
    },
    {
      ...said(50, '', { condenseParent: 'c1' }),
      content: [
        { type: 'tool_result', tool_use_id: 't1', content: 'export const store = 1;' },
        { type: 'tool_result', tool_use_id: 't2', content: 'export const old = 1;' },
      ],
    },
    said(51, '## Conversation Summary\nThe store is in src/new-store.ts.', {
      isSummary: true,
      condenseId: 'c1',
    }),
    replied(90, 'It exports store.'),
  ],
  shown: [
    { ts: 10, type: 'say', say: 'text', text: 'read the stores' },
    request(11, { tokensIn: 100, tokensOut: 5, cacheReads: 0, cacheWrites: 80 }),
    request(31, { tokensIn: 900, tokensOut: 50, cacheReads: 800, cacheWrites: 50 }),
    {
      ...{ ts: 60, type: 'say', say: 'condense_context' },
      contextCondense: {
        condenseId: 'c1',
        summary: 'The store is in "src/new-store.ts".',
        cost: 0.1,
        prevContextTokens: 950,
        newContextTokens: 120,
      },
    },
    request(70, {}),
  ],
};

/** The next displayed message: the request after condensing, which has been answered. */
export const rooAnswered = request(80, { tokensIn: 130, tokensOut: 7, cacheReads: 0, cacheWrites: 0 });

/** A task from which four messages were cut off. The remaining messages do not name `src/old-store.ts`. */
export const clineTask: TaskFiles = {
  conversation: [
    said(10, '<task>\nread the stores\n</task>'),
    replied(20, 'I look.'),
    said(30, 'on'),
    {
      ...replied(40, ''),
      content: [{ type: 'tool_use', id: 't1', name: 'read_file', input: { path: 'src/old-store.ts' } }],
    },
    { ...said(50, ''), content: [{ type: 'tool_result', tool_use_id: 't1', content: 'export const old;' }] },
    replied(60, 'It is old.'),
    said(70, '<feedback>\nand the new one?\n</feedback>'),
    replied(90, 'There is none.'),
  ],
  shown: [
    { ...request(31, { tokensIn: 9, tokensOut: 1, cacheReads: 90 }), conversationHistoryIndex: 4 },
    {
      ...{ ts: 75, type: 'say', say: 'text', text: 'There is none.' },
      conversationHistoryIndex: 6,
      conversationHistoryDeletedRange: [2, 5],
    },
  ],
};

/** The text that represents both files of a task. */
export function taskText({ conversation, shown }: TaskFiles): string {
  return JSON.stringify({ conversation, shown });
}

const spoken = (id: string, role: 'user' | 'assistant', words: string) => ({
  id,
  role,
  content: [text(words)],
});
const sdkMessages = [
  spoken('a', 'user', 'read the stores élan 写 🎈'),
  {
    id: 'b',
    role: 'assistant',
    content: [{ type: 'tool_use', id: 't1', name: 'read_files', input: { path: 'src/old-store.ts' } }],
  },
  {
    id: 'c',
    role: 'user',
    content: [{ type: 'tool_result', tool_use_id: 't1', content: 'export const old = 1;' }],
  },
  spoken('d', 'assistant', 'It exports old.'),
];

/**
 * A session of Cline since version 4, and the file with its compaction. The remaining messages
 * do not name `src/old-store.ts`.
 */
export const clineSession = {
  session: { version: 1, agent: 'lead', sessionId: '17_a', messages: sdkMessages },
  compaction: {
    version: 1,
    updated_at: '2026-07-17T02:04:41.983Z',
    source_message_count: 4,
    messages: [
      {
        ...spoken('x', 'user', 'Context summary:\n\nThe store is old.'),
        metadata: { kind: 'compaction_summary', summary: 'The store is old.', tokensBefore: 900 },
      },
      sdkMessages[3],
    ],
  },
};
