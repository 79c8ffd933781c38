import type {
  ChatRow,
  FileChangeView,
  PlanStepView,
  QueuedMessage,
  SubAgentView,
  ToolRow,
} from '../../../src/protocol/chat-rows.ts';

/** A change to a file with a line that goes and two that come. */
export const lockChange: FileChangeView = {
  path: 'src/session/lock.ts',
  change: 'modified',
  added: 2,
  removed: 1,
  diff: [
    '@@ -58,5 +58,6 @@',
    '   const handle = await open(temporary);',
    '-  await rename(temporary, path);',
    '+  await handle.close();',
    '+  await rename(temporary, path);',
    '   return path;',
    '',
  ].join('\n'),
};

export const testChange: FileChangeView = {
  path: 'test/session/lock.test.ts',
  change: 'created',
  added: 2,
  removed: 0,
  diff: "@@ -0,0 +1,2 @@\n+import { acquire } from '../../src/session/lock.ts';\n+\n",
};

/** A call that waits for a review of the edits. */
export const waitingEdit: ToolRow = {
  type: 'tool',
  id: 'edit',
  tool: 'apply_patch',
  label: '2 files',
  state: 'waiting',
  preview: '',
  isClipped: false,
  approval: {
    kind: 'edit',
    title: 'Change 2 files',
    details: '',
    changes: [lockChange, testChange],
    rule: 'Edits to source files and documents, except those that configure tools, run automatically or instruct agents',
  },
};

/** A call that waits for approval of the command. */
export const waitingCommand: ToolRow = {
  type: 'tool',
  id: 'command',
  tool: 'run_command',
  label: 'npm test -- session-store --repeat 40',
  state: 'waiting',
  preview: '',
  isClipped: false,
  approval: {
    kind: 'command',
    title: 'Run npm test -- session-store --repeat 40',
    details: 'npm test -- session-store --repeat 40',
    changes: [],
    rule: 'npm test …',
  },
};

export const runningCommand: ToolRow = {
  type: 'tool',
  id: 'running',
  tool: 'run_command',
  label: 'npm run build',
  state: 'running',
  preview: '',
  isClipped: false,
  output: 'compiling\nsrc/session/lock.ts\nsrc/session/store.ts\n',
  canStop: true,
};

export const subAgents: readonly SubAgentView[] = [
  {
    sessionId: 'sub-agent-1',
    name: 'backend',
    task: 'Find where the lock is taken.',
    dependsOn: [],
    state: 'done',
    tokens: 18240,
    note: 'The lock is taken in two places.',
  },
  {
    sessionId: 'sub-agent-2',
    name: 'tests',
    task: 'Write a test that fails.',
    dependsOn: ['backend'],
    state: 'running',
    tokens: 6120,
    note: 'read_file test/session/lock.test.ts',
  },
  {
    sessionId: '',
    name: 'docs',
    task: 'Describe the order of events.',
    dependsOn: ['backend', 'tests'],
    state: 'waiting',
    tokens: 0,
    note: '',
  },
];

export const plan: readonly PlanStepView[] = [
  { text: 'Reproduce the failure', status: 'done' },
  { text: 'Close the handle before the rename', status: 'done' },
  { text: 'Add a test that opens the store twice', status: 'in_progress' },
  { text: 'Describe the order in the README', status: 'pending' },
];

export const queue: readonly QueuedMessage[] = [
  { id: 'q1', text: 'And look whether the index has the same problem.' },
  { id: 'q2', text: 'Then write it down.' },
];

/** A row of everything that acts, in the order it comes in. */
export const actions: readonly ChatRow[] = [
  { type: 'user', id: 'u9', text: 'Close first, then run the test 40 times.' },
  {
    type: 'tool',
    id: 'edited',
    tool: 'edit_file',
    label: 'src/session/lock.ts',
    state: 'done',
    tokens: 96,
    preview: 'Changed src/session/lock.ts (+2 −1 lines).',
    isClipped: false,
    summary: 'src/session/lock.ts +2 −1',
    changes: [lockChange],
  },
  {
    type: 'tool',
    id: 'failed',
    tool: 'run_command',
    label: 'npm test -- session-store',
    state: 'failed',
    tokens: 1180,
    preview: '1 of 40 failed\n\nexit code 1',
    isClipped: false,
    summary: 'exit code 1 after 3.2 s, 214 lines',
  },
  {
    type: 'tool',
    id: 'declined',
    tool: 'run_command',
    label: 'git push --force',
    state: 'declined',
    tokens: 24,
    preview: 'A person did not allow this.',
    isClipped: false,
  },
  {
    type: 'tool',
    id: 'delegated',
    tool: 'delegate',
    label: '3 sub-agents',
    state: 'running',
    preview: '',
    isClipped: false,
    canStop: true,
    subAgents,
  },
  {
    type: 'edits',
    id: 'edits:u9',
    files: [
      { path: 'src/session/lock.ts', change: 'modified', added: 2, removed: 1 },
      { path: 'test/session/lock.test.ts', change: 'created', added: 10, removed: 0 },
      { path: 'src/session/old-lock.ts', change: 'deleted', added: 0, removed: 3 },
    ],
    isUndone: false,
  },
  runningCommand,
  waitingEdit,
  waitingCommand,
];
