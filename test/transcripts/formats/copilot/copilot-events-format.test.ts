import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../../../src/compaction/transcript/transcript.ts';
import { importTranscript } from '../../../../src/transcripts/import-transcript.ts';
import { formatSamples } from '../../../support/format-samples.ts';

/** Events in the form that Copilot CLI documents for its SDK, made by hand. */
let count = 0;
const event = (type: string, data: object, more: object = {}) =>
  `${JSON.stringify({ type, data, id: `e${count++}`, timestamp: '2026-02-03T04:05:06.000Z', parentId: null, ...more })}\n`;
const asked = (content: string, more: object = {}) => event('user.message', { content, ...more });
const replied = (content: string, more: object = {}) => event('assistant.message', { content, ...more });
const start = (more: object = {}) => event('session.start', { sessionId: 's1', version: 1, ...more });
const contentsOf = (text: string) => messagesOf(importTranscript(text)).map(({ content }) => content);

describe('events of Copilot CLI', () => {
  it('contain messages, calls with their results, thoughts, models and reported usage', () => {
    const imported = importTranscript(formatSamples['copilot-cli'] ?? '');
    const [system, prompt, call, result, reply] = messagesOf(imported);
    expect(system).toMatchObject({ role: 'system', content: 'rules' });
    expect(prompt).toMatchObject({ role: 'user', origin: 'person', content: 'read this' });
    expect(call).toMatchObject({
      reasoning: 'which?',
      modelId: 'x',
      usage: { inputTokens: 9, outputTokens: 3, cachedInputTokens: 4 },
      tool_calls: [{ id: 'c1', function: { name: 'view', arguments: '{"path":"a.ts"}' } }],
    });
    expect(result).toMatchObject({ role: 'tool', tool_call_id: 'c1', content: 'export const a = 1;' });
    expect(reply).toMatchObject({ role: 'assistant', content: 'It exports a.', modelId: 'x' });
    expect(imported.window).toBe(100);
  });

  it('have a compaction at the position of its summary, with its size and trigger', () => {
    const { compactions } = importTranscript(formatSamples['copilot-cli'] ?? '');
    expect(compactions).toEqual([
      {
        agent: 'copilot-cli',
        // Copilot CLI continues with all typed messages.
        alsoKept: [1],
        beforeMessageIndex: 4,
        summary: 'notes',
        trigger: 'automatic',
        tokensBefore: 9,
        createdAt: '2026-02-03T04:05:06.000Z',
      },
    ]);
  });

  it('keep messages sent during a compaction', () => {
    const begun = event('session.compaction_start', { currentTokens: 9 });
    const ended = event('session.compaction_complete', { success: true, summaryContent: 'notes' });
    const { compactions } = importTranscript(
      start() + asked('hi') + begun + replied('Meanwhile.') + ended + begun + ended,
    );
    expect(compactions).toMatchObject([
      { beforeMessageIndex: 2, keptFromIndex: 1 },
      { beforeMessageIndex: 2 },
    ]);
    expect(compactions[1]?.keptFromIndex).toBeUndefined();
  });

  it('have no compaction that failed', () => {
    const failed = event('session.compaction_complete', { success: false, summaryContent: 'half' });
    expect(importTranscript(start() + asked('hi') + failed).compactions).toEqual([]);
  });

  it('have separate conversations of sub-agents, named by the call that started them', () => {
    const inSubAgent = { parentToolCallId: 'c2' };
    const text =
      start() + asked('go') + asked('look', inSubAgent) + replied('found', inSubAgent) + replied('Done.');
    const { others = [] } = importTranscript(text);
    expect(contentsOf(text)).toEqual(['go', 'Done.']);
    expect(others.map(({ kind, id, opening }) => [kind, id, opening])).toEqual([['sub-agent', 'c2', 'look']]);
    expect(messagesOf(others[0]!.read()).map(({ content }) => content)).toEqual(['look', 'found']);
  });

  it('have the prompt and the instructions of a sub-agent only in its own conversation', () => {
    const ofAgent = { agentId: 'a1' };
    const call = replied('', { toolRequests: [{ toolCallId: 'c2', name: 'task', arguments: {} }] });
    const text =
      start() +
      asked('go') +
      event('system.message', { content: 'rules' }) +
      call +
      event('subagent.started', { toolCallId: 'c2' }, ofAgent) +
      event('user.message', { content: 'look' }, ofAgent) +
      event('system.message', { content: 'rules of the sub-agent' }, ofAgent) +
      event('session.compaction_start', { tokenLimit: 9 }, ofAgent) +
      event(
        'session.usage_record',
        { usage: { inputTokens: 7, outputTokens: 1, maxPromptTokens: 9 } },
        ofAgent,
      ) +
      event('assistant.message', { content: 'found', parentToolCallId: 'c2' }, ofAgent) +
      event('tool.execution_complete', { toolCallId: 'c2', success: true, result: { content: 'found' } });
    const { others = [], window } = importTranscript(text);
    expect(contentsOf(text)).toEqual(['go', 'rules', null, 'found']);
    expect(window).toBeUndefined();
    expect(others.map(({ kind, id, opening }) => [kind, id, opening])).toEqual([['sub-agent', 'c2', 'look']]);
    const said = messagesOf(others[0]!.read());
    expect(said.map(({ content }) => content)).toEqual(['look', 'rules of the sub-agent', 'found']);
    expect(said[2]?.usage).toEqual({ inputTokens: 7, outputTokens: 1 });
  });

  it('have only the newest instructions', () => {
    const told = (content: string) => event('system.message', { content });
    const resumed = event('session.resume', {}) + asked('again') + told('newer rules');
    expect(contentsOf(start() + asked('hi') + told('rules') + replied('Yes?') + resumed)).toEqual([
      'hi',
      'newer rules',
      'Yes?',
      'again',
    ]);
  });

  it('have the window and the usage of each reply, reported before or after the reply', () => {
    const record = (inputTokens: number) =>
      event('session.usage_record', { usage: { inputTokens, outputTokens: 5, maxPromptTokens: 128_000 } });
    const text =
      start() + asked('hi') + record(100) + replied('Yes?') + asked('go') + replied('Done.') + record(200);
    const imported = importTranscript(text);
    expect(messagesOf(imported).map(({ usage }) => usage?.inputTokens)).toEqual([
      undefined,
      100,
      undefined,
      200,
    ]);
    expect(imported.window).toBe(128_000);
  });

  it('have the messages that the user went back from as a branch', () => {
    const first = asked('wrong');
    const { id } = JSON.parse(first) as { readonly id: string };
    const rewind = event('session.snapshot_rewind', { upToEventId: id, eventsRemoved: 2 });
    const text = start() + asked('hi') + first + replied('No.') + rewind + asked('right');
    expect(contentsOf(text)).toEqual(['hi', 'right']);
    const { others = [] } = importTranscript(text);
    expect(messagesOf(others[0]!.read()).map(({ content }) => content)).toEqual(['hi', 'wrong', 'No.']);
  });

  it('distinguish the text of programs from typed text', () => {
    const text = start() + asked('hi') + asked('a skill', { source: 'skill-pdf' });
    expect(messagesOf(importTranscript(text)).map(({ origin }) => origin)).toEqual(['person', 'harness']);
  });

  it('mark the result of a failed tool as an error', () => {
    const call = replied('', { toolRequests: [{ toolCallId: 'c1', name: 'view', arguments: {} }] });
    const failed = { toolCallId: 'c1', success: false, error: { message: 'not found' } };
    const [, , result] = messagesOf(
      importTranscript(start() + asked('hi') + call + event('tool.execution_complete', failed)),
    );
    expect(result).toMatchObject({ content: 'not found', isError: true });
  });

  it('name Copilot Chat as the agent if it wrote them', () => {
    const summary = event('session.compaction_complete', { success: true, summaryContent: 'notes' });
    const { compactions } = importTranscript(start({ vscodeVersion: '1.139.1' }) + asked('hi') + summary);
    expect(compactions).toMatchObject([{ agent: 'copilot-chat' }]);
  });

  it('can be a single object, as in the first versions', () => {
    const chatMessages = [{ role: 'user', content: 'hi' }];
    expect(
      contentsOf(JSON.stringify({ sessionId: 's1', startTime: 'x', chatMessages, timeline: [] })),
    ).toEqual(['hi']);
  });
});
