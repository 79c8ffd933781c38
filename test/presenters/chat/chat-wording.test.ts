import { beforeAll, describe, expect, it } from 'vitest';
import { agentSentences } from '../../../src/language/english/agent-english.ts';
import { type Wording, wordingFor } from '../../../src/language/translated/wording.ts';
import { describeCall } from '../../../src/agent/tools/catalogue.ts';
import { approvalView } from '../../../src/presenters/chat/chat-feed.ts';
import { ChatRowBuilder } from '../../../src/presenters/chat/chat-row-builder.ts';
import { called, result } from '../../support/messages.ts';

describe('a chat in Chinese', () => {
  let chinese: Wording;
  beforeAll(async () => {
    chinese = await wordingFor('zh-cn');
  });

  it('translates the question about an action, but not the action itself', () => {
    const view = approvalView(
      {
        kind: 'command',
        title: agentSentences.say('approvalRun', { command: 'Edit notes.md' }),
        details: 'Edit notes.md',
        warnings: [
          agentSentences.say('dangerDeletes'),
          agentSentences.say('mayHoldSecrets', { file: '.env' }),
        ],
        patterns: [],
        rule: { kind: 'command', pattern: 'git log', reach: 'sandbox' },
      },
      chinese,
    );
    expect(view).toEqual({
      kind: 'command',
      title: '运行 Edit notes.md',
      details: 'Edit notes.md',
      changes: [],
      warning: '它会永久删除或覆盖文件。.env 可能含有机密。',
      rule: 'git log … (可带所有仅查看的选项，限工作区内)，在沙盒内且无网络',
    });
  });

  it('lists the sub-agents that would start', () => {
    const line = agentSentences.say('subAgentLine', { name: 'api', task: 'Run the tests.' });
    const details = [agentSentences.say('subAgentLineAfter', { line, names: 'ui' }), line];
    const title = agentSentences.say('approvalStartSubAgents', { count: 2 });
    expect(approvalView({ kind: 'delegate', title, details, patterns: [] }, chinese).details).toBe(
      'api：Run the tests. · 在 ui 之后\napi：Run the tests.',
    );
  });

  it.each<readonly [tool: string, input: Readonly<Record<string, unknown>>, label: string]>([
    [
      'update_plan',
      { steps: [{ text: 'Run the tests.', status: 'in_progress' }] },
      '已完成 0/1：Run the tests.',
    ],
    ['run_command', { command: 'npm test', directory: 'src' }, 'npm test（在 src 中）'],
    ['git_diff', { staged: true, against: 'main', path: 'src' }, '已暂存，与 main 比较，src'],
    ['read_file', { path: 'in place.ts' }, 'in place.ts'],
  ])('describes a call of %s', (tool, input, label) => {
    const rows = new ChatRowBuilder(describeCall, chinese);
    rows.addEntry({ type: 'message', message: called('m1', ['c1', tool, input]) }, 1);
    expect(rows.all()).toMatchObject([{ label }]);
  });

  it('shows the original message of a failure', () => {
    const reason = 'Run the tests.';
    const { key, values, english } = agentSentences.say('toolFailed', { tool: 'recall', reason });
    expect(rowsWith({ summary: english, sentence: { key, values } })).toMatchObject([
      { summary: 'recall 失败：Run the tests.' },
    ]);
  });

  const rowsWith = (outcome: NonNullable<ReturnType<typeof result>['outcome']>) => {
    const rows = new ChatRowBuilder(() => '', chinese);
    const call = called('m1', ['c1', 'run_command']);
    for (const message of [call, { ...result('m2', 'c1', 'Nothing changed'), outcome }]) {
      rows.addEntry({ type: 'message', message }, 1);
    }
    return rows.all();
  };

  it('states how a call ended', () => {
    const ending = agentSentences.say('commandExited', { code: '1', seconds: '3.2' });
    const { key, values, english } = agentSentences.say('commandEnded', { ending, lines: 1_204 });
    expect(rowsWith({ summary: english, sentence: { key, values } })).toMatchObject([
      { summary: '退出代码 1，用时 3.2 秒，1,204 行', preview: 'Nothing changed' },
    ]);
  });

  it('shows the stored outcome of a call if it is old or unknown', () => {
    expect(rowsWith({ summary: 'Nothing changed' })).toMatchObject([{ summary: 'Nothing changed' }]);
    const sentence = { key: 'agent.ofAnotherVersion', values: {} };
    expect(rowsWith({ summary: 'Edit notes.md', sentence })).toMatchObject([{ summary: 'Edit notes.md' }]);
  });
});
