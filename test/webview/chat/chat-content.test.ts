import { describe, it } from 'vitest';
import type { ChatState } from '../../../src/protocol/chat.ts';
import type { ChatRow } from '../../../src/protocol/chat-rows.ts';
import { recordDetails, snapshot } from '../support/chat-fixtures.ts';
import { Content, unfold } from '../support/content.ts';
import { chatSuite } from '../support/view.ts';

const suite = chatSuite();

function rowsWith(content: Content): readonly ChatRow[] {
  const call = { type: 'tool', preview: '', isClipped: false } as const;
  const change = { change: 'modified', added: 1, removed: 0 } as const;
  return [
    {
      type: 'user',
      id: 'u1',
      text: content.say('person'),
      attachments: [{ label: content.say('attachment'), tokens: 12 }],
      isPinned: true,
    },
    {
      type: 'assistant',
      id: 'a1',
      markdown: content.say('answer'),
      reasoning: content.say('thinking'),
      state: 'stopped',
    },
    {
      ...call,
      id: 't1',
      tool: 'mcp_notes',
      label: content.say('arguments'),
      state: 'done',
      preview: content.say('result'),
    },
    { ...call, id: 't2', tool: 'run_command', label: 'x', state: 'running', output: content.say('output') },
    {
      ...call,
      id: 't3',
      tool: 'delegate',
      label: '1 sub-agent',
      state: 'running',
      subAgents: [
        {
          sessionId: 's1',
          name: content.say('name of a sub-agent'),
          task: content.say('task of a sub-agent'),
          dependsOn: [],
          state: 'failed',
          tokens: 1,
          note: content.say('words of a sub-agent'),
        },
      ],
    },
    {
      ...call,
      id: 't4',
      tool: 'run_command',
      label: 'y',
      state: 'waiting',
      approval: {
        kind: 'command',
        title: 'Run npm test',
        details: content.say('command'),
        changes: [{ ...change, path: content.say('path'), diff: `+${content.say('diff')}\n` }],
        terms: { reach: 'network', networkReason: content.say('reason for the network') },
      },
    },
    {
      type: 'edits',
      id: 'e1',
      files: [{ ...change, path: content.say('edited path') }],
      isUndone: false,
    },
    { type: 'error', id: 'x1', message: content.say('error of a provider'), canRetry: true },
    {
      type: 'compaction',
      id: 'c1',
      strategy: content.say('name of a strategy'),
      status: 'applied',
      tokensBefore: 2_000,
      tokensAfter: 1_000,
      isUndone: false,
    },
  ];
}

function stateWith(content: Content, draft: string): Partial<ChatState> {
  return {
    plan: [{ text: content.say('step of the plan'), status: 'in_progress' }],
    queue: [{ id: 'q1', text: content.say('queued message') }],
    draft,
    model: { label: content.say('model'), isOffline: false },
    pins: ['u1'],
  };
}

describe('foreign text in a Chinese chat', () => {
  it('is shown unchanged in every place', async () => {
    const content = new Content();
    const view = await suite.open({ language: 'zh-cn' });
    const { page } = view;
    const rows = rowsWith(content);
    const draft = content.say('draft');
    await view.notify(snapshot({ ...stateWith(content, draft), rows }));
    await page.getByRole('textbox', { name: '消息' }).waitFor();
    await unfold(page);
    await view.notify({
      type: 'record',
      recordId: 'c1',
      details: {
        ...recordDetails,
        coverage: {
          ...recordDetails.coverage,
          commands: { kept: 0, total: 1, missing: [content.say('missing command')] },
        },
        summaryModel: content.say('model of a summary'),
      },
    });
    await view.notify({
      type: 'price',
      text: draft,
      tokens: 1,
      total: 2,
      compacts: false,
      attachments: [{ label: content.say('priced attachment'), tokens: 1 }],
    });
    await content.expectShown(page);
  });
});
