import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../../src/compaction/transcript/transcript.ts';
import { sweAgentFormat } from '../../../src/transcripts/formats/swe-agent-format.ts';

const read = (...history: readonly unknown[]) =>
  sweAgentFormat.parse(JSON.stringify({ environment: 'main', trajectory: [], history }, undefined, 1));

describe('importing SWE-agent trajectories', () => {
  it('reads function calls', () => {
    const call = { id: 'c1', type: 'function', function: { name: 'open', arguments: '{"path":"a.py"}' } };
    const imported = read(
      { role: 'system', content: 'settings', message_type: 'system_prompt' },
      { role: 'user', content: 'mend the bug', message_type: 'observation' },
      { role: 'assistant', content: 'I look.', action: 'open a.py', tool_calls: [call] },
      { role: 'tool', content: 'x = 1', tool_call_ids: ['c1'] },
    );
    expect(imported.problems).toEqual([]);
    expect(messagesOf(imported)).toMatchObject([
      { role: 'system', content: 'settings', origin: 'harness' },
      { role: 'user', content: 'mend the bug', origin: 'person' },
      { role: 'assistant', content: 'I look.', tool_calls: [call], origin: 'model' },
      { role: 'tool', content: 'x = 1', tool_call_id: 'c1', origin: 'tool' },
    ]);
  });

  it("turns commands in the agent's text into calls", () => {
    const imported = read(
      { role: 'user', content: 'mend the bug' },
      { role: 'assistant', content: 'I look.\n```\nls\n```', action: 'ls\n' },
      { role: 'user', content: 'a.py' },
      { role: 'assistant', content: 'Done.\n```\nsubmit\n```', action: 'submit\n' },
    );
    const shell = (id: string, command: string) => ({
      id,
      type: 'function',
      function: { name: 'shell', arguments: JSON.stringify({ command }) },
    });
    expect(messagesOf(imported)).toMatchObject([
      { role: 'user', content: 'mend the bug' },
      { role: 'assistant', tool_calls: [shell('call_0001', 'ls\n')] },
      { role: 'tool', content: 'a.py', tool_call_id: 'call_0001' },
      { role: 'assistant', tool_calls: [shell('call_0002', 'submit\n')] },
    ]);
  });

  it('distinguishes the task from demonstrations and error notices', () => {
    const imported = read(
      { role: 'user', content: 'see how it is done', is_demo: true },
      { role: 'user', content: 'mend the bug' },
      { role: 'assistant', content: 'hm', action: '' },
      { role: 'user', content: 'your output could not be parsed' },
    );
    const origins = messagesOf(imported).map(({ origin }) => origin);
    expect(origins).toEqual(['harness', 'person', 'model', 'harness']);
  });

  it('reads content in parts, and thoughts', () => {
    const imported = read(
      { role: 'user', content: [{ type: 'text', text: 'mend the bug', cache_control: {} }] },
      { role: 'assistant', content: 'ok', thinking_blocks: [{ type: 'thinking', thinking: 'where?' }] },
    );
    expect(messagesOf(imported)).toMatchObject([
      { content: 'mend the bug' },
      { content: 'ok', reasoning: 'where?' },
    ]);
  });

  it.each([
    [3, 'Line 5', 'an entry of the history is an object.'],
    [{ role: 'user', content: 3 }, 'Line 5', 'the content of a message is a text or an array of texts.'],
    [
      { role: 'narrator', content: '' },
      'Line 5',
      'a message has a role, one of system, user, assistant, tool.',
    ],
    [{ role: 'tool', content: 'x' }, 'Line 5', 'a tool result has tool_call_ids.'],
    [
      { role: 'assistant', content: 'x', tool_calls: 3 },
      'Line 5',
      'tool calls are an array of { id, function: { name, arguments } }.',
    ],
  ])('skips %j and names the line', (malformed, line, objection) => {
    const imported = read(malformed, { role: 'user', content: 'still here' });
    expect(imported.problems).toEqual([`${line} was skipped: ${objection}`]);
    expect(messagesOf(imported)).toMatchObject([{ content: 'still here' }]);
  });

  it('skips a picture and keeps the text next to it', () => {
    const imported = read({ role: 'user', content: [{ type: 'image_url' }, { type: 'text', text: 'see' }] });
    expect(imported.problems).toEqual([
      'Line 8 was skipped: of the parts of a message only texts can be read.',
    ]);
    expect(messagesOf(imported)).toMatchObject([{ content: 'see' }]);
  });

  it.each([
    ['{"trajectory":[],\n"history":\n{}}', 'Line 3: expected a SWE-agent trajectory'],
    ['{"history":[],\n"trajectory":{}}', 'Line 2: expected a SWE-agent trajectory'],
    ['\n[]', 'Line 2: expected a SWE-agent trajectory'],
    ['{"a":1}\n{"a":2}', 'Line 2: expected a SWE-agent trajectory'],
  ])('states the expected form for %j', (text, message) => {
    expect(() => sweAgentFormat.parse(text)).toThrow(message);
  });
});
