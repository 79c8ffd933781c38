import { describe, expect, it, vi } from 'vitest';
import { notificationInEditorLanguage } from '../../../src/extension/inspector/notification-in-editor-language.ts';
import { recordView } from '../../../src/presenters/inspector/inspector-model.ts';
import type { DiffRowView, MessageView } from '../../../src/protocol/inspector-records.ts';
import { recordWith } from '../../support/records.ts';

vi.mock('vscode', () => ({ env: { language: 'zh-cn' } }));

const reason = { code: 'summary-empty', message: 'The summary is empty.' } as const;
const refused = recordView(
  {
    ...recordWith('c1', [], []),
    status: 'refused',
    reason,
    tiers: [{ strategy: 'ladder', status: 'refused', reason }],
    warnings: ['What the provider kept cannot be inspected.'],
  },
  false,
  [],
);
const inChineseRecord = {
  ...refused,
  reason: '摘要为空。',
  tiers: [{ strategy: 'ladder', status: 'refused', reason: { ...reason, message: '摘要为空。' } }],
  warnings: ['提供方保留的内容无法查看。'],
};

function message(kind: MessageView['kind'], title: string): MessageView {
  return { id: 'm1', kind, title, label: 'Result', excerpt: 'old tool result', tokens: 1, isRestored: false };
}

const row: DiffRowView = {
  index: 0,
  fate: 'hide',
  reason: 'old tool result',
  sources: [message('toolResult', 'Result')],
  sourceCount: 1,
  kinds: { toolResult: 1 },
  output: message('summary', 'Summary'),
  tokensBefore: 1,
  tokensAfter: 1,
};

describe('what the inspector’s page is told', () => {
  it('has the reasons and warnings of a record in the reader’s language', () => {
    const preview = { type: 'what-if-preview', sessionId: 's', record: refused } as const;
    expect(notificationInEditorLanguage(preview)).toEqual({ ...preview, record: inChineseRecord });
  });

  it('has the reasons of a diff and whose its messages are, but not what they say', () => {
    const diff = { type: 'diff', recordId: 'c1', rows: [row] } as const;
    const output = message('summary', '摘要');
    const sources = [message('toolResult', '结果')];
    expect(notificationInEditorLanguage(diff)).toEqual({
      ...diff,
      rows: [{ ...row, reason: '旧的工具结果', sources, output }],
    });
  });

  it.each([
    ['user', 'You', '你'],
    ['user', 'Task', '任务'],
    ['assistant', 'Assistant, read_file × 2', '助手，read_file × 2'],
    ['toolCall', 'Result', 'Result'],
  ] as const)('says whose a %s message is: %s', (kind, title, chinese) => {
    const said = { type: 'messages', sessionId: 's', from: 0 } as const;
    expect(notificationInEditorLanguage({ ...said, messages: [message(kind, title)] })).toEqual({
      ...said,
      messages: [message(kind, chinese)],
    });
  });
});
