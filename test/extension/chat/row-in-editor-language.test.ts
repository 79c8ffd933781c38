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

it('leaves alone what a call did and its sub-agents say', () => {
  const subAgent = {
    sessionId: 's',
    name: 'Run',
    task: 'Stopped.',
    dependsOn: [],
    state: 'done',
    tokens: 1,
    note: 'Run the tests. Edit the notes.',
  } as const;
  const row = { ...call, state: 'done', summary: 'Nothing changed', subAgents: [subAgent] } as const;
  expect(rowInEditorLanguage(row)).toBe(row);
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
