import { expect, it, vi } from 'vitest';
import {
  changeInEditorLanguage,
  rowInEditorLanguage,
} from '../../../src/extension/chat/row-in-editor-language.ts';
import type { ChatRow } from '../../../src/protocol/chat-rows.ts';

vi.mock('vscode', () => ({ env: { language: 'zh-cn' } }));

const call = {
  type: 'tool',
  id: 'm2.0',
  tool: 'run_command',
  label: 'npm test',
  state: 'waiting',
  preview: 'Edit {0}',
  isClipped: false,
} as const satisfies ChatRow;

it('says what is asked, and keeps what would be done', () => {
  const approval = {
    kind: 'command',
    title: 'Run npm test',
    details: 'npm test',
    warning: 'It deletes or overwrites files for good.',
    changes: [],
    rule: 'git log … (with all options that only look, inside the workspace)',
  } as const;
  expect(rowInEditorLanguage({ ...call, approval })).toEqual({
    ...call,
    approval: {
      ...approval,
      title: '运行 npm test',
      warning: '它会永久删除或覆盖文件。',
      rule: 'git log … (可带所有仅查看的选项，限工作区内)',
    },
  });
});

it('says how a call ended, and leaves the words of its sub-agents alone', () => {
  const subAgents = [
    {
      sessionId: 's',
      name: 'Run',
      task: 'Stopped.',
      dependsOn: [],
      state: 'done',
      tokens: 1,
      note: 'Run the tests. Edit the notes.',
    },
  ] as const;
  const row = {
    ...call,
    state: 'done',
    summary: 'exit code 1 after 3.2 s, 1,204 lines',
    subAgents,
  } as const;
  expect(rowInEditorLanguage(row)).toEqual({ ...row, summary: '退出代码 1，用时 3.2 秒，1,204 行' });
});

it('leaves alone what somebody said', () => {
  const row = { type: 'assistant', id: 'm3', markdown: 'Stopped.', reasoning: '', state: 'done' } as const;
  expect(rowInEditorLanguage(row)).toBe(row);
});

it('names a chat that has no title yet, and no other', () => {
  const titled = (title: string) => ({ type: 'state', state: { title } }) as const;
  expect(changeInEditorLanguage(titled('New chat'))).toEqual(titled('新聊天'));
  expect(changeInEditorLanguage(titled('Stopped.'))).toEqual(titled('Stopped.'));
});
