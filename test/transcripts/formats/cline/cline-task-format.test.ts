import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../../../src/compaction/transcript/transcript.ts';
import { shownInBrief, taskEvents } from '../../../../src/transcripts/formats/cline/cline-task-events.ts';
import { clineTaskFormat } from '../../../../src/transcripts/formats/cline/cline-task-format.ts';
import { importTranscript } from '../../../../src/transcripts/import-transcript.ts';

/**
 * Files in the form of Cline and Roo Code: `Anthropic.MessageParam` with `ts`, in Roo Code with `isSummary`
 * (src/core/task-persistence/apiMessages.ts).
 */
const read = (...messages: readonly unknown[]) =>
  clineTaskFormat.parse(JSON.stringify(messages, undefined, 1));
const text = (said: string) => ({ type: 'text', text: said });
const task = { role: 'user', content: [text('<task>\nsort this\n</task>'), text('<environment_details>')] };

describe('importing tasks of Cline and Roo Code', () => {
  it("distinguishes the user's text from the extension's", () => {
    const imported = read(
      task,
      { role: 'assistant', content: 'Sorting.', ts: 1_700_000_000_000 },
      { role: 'user', content: [text("[write_to_file for 'a'] Result:"), text('done')] },
      { role: 'user', content: [text('<feedback>\nmore\n</feedback>')] },
    );
    expect(messagesOf(imported).map(({ origin }) => origin)).toEqual([
      'person',
      'model',
      'harness',
      'person',
    ]);
    expect(messagesOf(imported)[1]).toMatchObject({
      content: 'Sorting.',
      createdAt: '2023-11-14T22:13:20.000Z',
    });
  });

  it('reads the model and the usage of each reply', () => {
    const metrics = { tokens: { prompt: 100, completion: 5, cached: 80 }, cost: 1 };
    const modelInfo = { modelId: 'claude-opus-4-6', providerId: 'anthropic' };
    const imported = read(task, { role: 'assistant', content: 'Done.', modelInfo, metrics });
    expect(messagesOf(imported)[1]).toMatchObject({
      modelId: 'claude-opus-4-6',
      usage: { inputTokens: 100, outputTokens: 5, cachedInputTokens: 80 },
    });
  });

  it('separates calls, thoughts and results', () => {
    const imported = read(
      task,
      {
        role: 'assistant',
        content: [
          { type: 'thinking', thinking: 'which?' },
          text('I look.'),
          { type: 'tool_use', id: 'a', name: 'read_file', input: { path: 'x' } },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'a', content: [text('gone')], is_error: true },
          text('<environment_details>'),
        ],
      },
    );
    expect(messagesOf(imported).slice(1)).toMatchObject([
      {
        content: 'I look.',
        reasoning: 'which?',
        tool_calls: [{ id: 'a', function: { name: 'read_file', arguments: '{"path":"x"}' } }],
      },
      { role: 'tool', tool_call_id: 'a', content: 'gone', isError: true },
      { role: 'user', origin: 'harness' },
    ]);
  });

  describe('of Roo Code (synthetic samples)', () => {
    const at = (ts: number, more: object) => ({ ts, ...more });
    const asked = (ts: number, said: string, more: object = {}) =>
      at(ts, { role: 'user', content: [text(said)], ...more });
    const replied = (ts: number, said: string, more: object = {}) =>
      at(ts, { role: 'assistant', content: [text(said)], ...more });
    const first = { ...task, ts: 1 };
    const withShown = (conversation: readonly object[], ...shown: readonly object[]) =>
      clineTaskFormat.parse(JSON.stringify({ conversation, shown }, undefined, 1));

    it('replaces all messages with a summary since version 3.43', () => {
      const imported = read(
        { ...first, condenseParent: 'c' },
        replied(2, 'Sorting.', { condenseParent: 'c' }),
        asked(3, '## Conversation Summary\nnotes', { isSummary: true, condenseId: 'c' }),
        asked(4, 'go on'),
      );
      expect(messagesOf(imported)).toHaveLength(3);
      expect(imported.compactions).toEqual([
        {
          agent: 'roo-code',
          beforeMessageIndex: 2,
          summary: '## Conversation Summary\nnotes',
          createdAt: '1970-01-01T00:00:00.003Z',
        },
      ]);
    });

    it('keeps the first message and the last messages before version 3.43', () => {
      const conversation = [
        first,
        replied(2, 'Sorting.', { condenseParent: 'c' }),
        asked(3, 'on', { condenseParent: 'c' }),
        replied(5, 'notes', { isSummary: true, condenseId: 'c' }),
        replied(6, 'Kept.'),
        asked(9, 'later'),
      ];
      const condensed = { condenseId: 'c', prevContextTokens: 900, newContextTokens: 90, summary: 'notes' };
      const shown = { ts: 7, type: 'say', say: 'condense_context', contextCondense: condensed };
      expect(withShown(conversation, shown).compactions).toMatchObject([
        { beforeMessageIndex: 4, keptFromIndex: 3, alsoKept: [0], summary: 'notes', tokensBefore: 900 },
      ]);
      // Without the neighbouring file, the summary is placed where it removed messages.
      expect(read(...conversation).compactions).toMatchObject([{ beforeMessageIndex: 3, alsoKept: [0] }]);
      const { view } = importTranscript(JSON.stringify(conversation)).transcript;
      expect(view).toHaveLength(5);
    });

    it('keeps only the first message if an early version deleted the summarised messages', () => {
      const imported = read(first, replied(5, 'notes', { isSummary: true }), asked(6, 'on'));
      expect(imported.compactions).toMatchObject([{ beforeMessageIndex: 1, alsoKept: [0] }]);
    });

    it('keeps messages that the sliding window removed from the request', () => {
      const conversation = [
        first,
        replied(2, 'One.', { truncationParent: 't' }),
        asked(3, 'two', { truncationParent: 't' }),
        asked(3, '[Sliding window truncation: 2 messages hidden to reduce context]', {
          isTruncationMarker: true,
          truncationId: 't',
        }),
        replied(4, 'Three.'),
        asked(5, 'four'),
        replied(8, 'Five.'),
      ];
      const shown = {
        ts: 6,
        type: 'say',
        say: 'sliding_window_truncation',
        contextTruncation: { truncationId: 't', messagesRemoved: 2, prevContextTokens: 900 },
      };
      expect(withShown(conversation, shown).compactions).toMatchObject([
        {
          agent: 'roo-code',
          beforeMessageIndex: 6,
          keptFromIndex: 3,
          alsoKept: [0],
          summary: '',
          isCut: true,
          trigger: 'automatic',
          tokensBefore: 900,
        },
      ]);
      expect(read(...conversation).compactions).toMatchObject([{ beforeMessageIndex: 3, alsoKept: [0] }]);
    });

    it('reads the model named by the program, and the usage of answered requests', () => {
      const details = '<environment_details>\n<model>claude-sonnet-4-5</model>\n</environment_details>';
      const request = (ts: number, numbers: object) => ({
        ...{ ts, type: 'say', say: 'api_req_started' },
        text: JSON.stringify({ request: 'all of it', apiProtocol: 'anthropic', ...numbers }),
      });
      const imported = withShown(
        [{ ...first, content: [...task.content, text(details)] }, replied(5, 'One.'), replied(9, 'Two.')],
        request(2, { tokensIn: 100, tokensOut: 5, cacheReads: 80 }),
        request(6, { tokensIn: 10, tokensOut: 5, cacheReads: 80, cacheWrites: 20 }),
        request(7, {}),
      );
      expect(messagesOf(imported).slice(1)).toMatchObject([
        { modelId: 'claude-sonnet-4-5', usage: { inputTokens: 100, outputTokens: 5 } },
        { modelId: 'claude-sonnet-4-5', usage: { inputTokens: 110, outputTokens: 5 } },
      ]);
    });
  });

  describe('of Cline before version 4 (synthetic samples)', () => {
    const said = (words: string) => ({ role: 'user', content: [text(words)] });
    const reply = (...content: readonly object[]) => ({
      role: 'assistant',
      content,
      metrics: { tokens: { prompt: 900, completion: 9 } },
    });
    const continuing =
      '[summarize_task] Result:\n\nThis session is being continued from a previous conversation that ran out of context. The conversation is summarized below:\nWe sort a.ts..\n\nPlease continue the conversation from where we left off without asking the user any further questions. Continue.\nIf the most recent user\'s message starts with "/newtask", you should indicate that.\n';
    const asking = '<explicit_instructions type="summarize_task">\nnow\n</explicit_instructions>';
    const summarising = [
      said(asking),
      reply(text('<summarize_task>\n<context>We sort a.ts.</context>\n</summarize_task>')),
    ];

    it('keeps the first two messages and the summary after a compaction', () => {
      const imported = read(
        task,
        reply(text('Sorting.')),
        said('on'),
        reply(text('On.')),
        ...summarising,
        { role: 'user', content: [text(continuing), text('<environment_details>')] },
        reply(text('Done.')),
      );
      expect(imported.compactions).toEqual([
        {
          agent: 'cline',
          beforeMessageIndex: 6,
          alsoKept: [0, 1],
          summary: 'We sort a.ts.',
          trigger: 'automatic',
          tokensBefore: 900,
        },
      ]);
      expect(messagesOf(imported)[6]?.content).toBe('<environment_details>');
    });

    it('finds the summary, even if the model called the tool directly and files follow', () => {
      const call = { type: 'tool_use', id: 'a', name: 'summarize_task', input: { context: 'We sort.' } };
      const result = {
        type: 'tool_result',
        tool_use_id: 'a',
        content: [text(`${continuing}\n<file_content path="a.ts">b</file_content>`)],
      };
      const imported = read(task, reply(text('Sorting.')), said(asking), reply(call), {
        role: 'user',
        content: [result],
      });
      expect(imported.compactions).toMatchObject([{ beforeMessageIndex: 4, summary: 'We sort.' }]);
      expect(messagesOf(imported)[4]?.content).toBe('<file_content path="a.ts">b</file_content>');
    });

    it('finds a summary that the user requested and accepted', () => {
      const imported = read(
        task,
        reply(text('Sorting.')),
        said('<explicit_instructions type="condense">\nnow\n</explicit_instructions>'),
        reply(text('<condense>\n<context>We sort.</context>\n</condense>')),
        said(
          '[condense] Result:\nThe user has accepted the condensed conversation summary you generated. Ask.',
        ),
      );
      expect(imported.compactions).toMatchObject([
        { beforeMessageIndex: 4, alsoKept: [0, 1], summary: 'We sort.', trigger: 'manual' },
      ]);
    });

    it('finds no compaction if the user only quotes such a summary', () => {
      const imported = read(task, reply(text('Sorting.')), said(continuing));
      expect(imported.compactions).toEqual([]);
    });

    it('removes the ranges noted in the neighbouring file, except ranges of a summary', () => {
      const shown = (ts: number, index: number, range: readonly number[] | undefined, more: object = {}) => ({
        ...{ ts, type: 'say', say: 'text', conversationHistoryIndex: index },
        conversationHistoryDeletedRange: range,
        ...more,
      });
      const conversation = [
        task,
        reply(text('0')),
        said('1'),
        reply(text('2')),
        said('3'),
        reply(text('4')),
        said('5'),
        reply(text('6')),
        ...summarising,
        said(continuing),
      ];
      const numbers = { tokensIn: 10, tokensOut: 5, cacheReads: 80, cacheWrites: 5 };
      const requests = { say: 'api_req_started', text: JSON.stringify(numbers) };
      const events = [
        shown(1, 1, undefined, requests),
        shown(2, 6, [2, 3]),
        shown(3, 7, [2, 3]),
        shown(4, 8, [2, 7]),
        shown(5, 9, [2, 9]),
      ];
      const text1 = JSON.stringify({ conversation, shown: events });
      const cut = {
        agent: 'cline',
        beforeMessageIndex: 7,
        keptFromIndex: 4,
        alsoKept: [0, 1],
        summary: '',
        isCut: true,
        trigger: 'automatic',
        tokensBefore: 100,
        createdAt: '1970-01-01T00:00:00.002Z',
      };
      expect(clineTaskFormat.parse(text1).compactions).toMatchObject([{ summary: 'We sort a.ts.' }, cut]);
      // While the summary is being written, too.
      const soFar = { conversation: conversation.slice(0, 9), shown: events.slice(0, 4) };
      expect(clineTaskFormat.parse(JSON.stringify(soFar)).compactions).toEqual([cut]);
      const brief = shownInBrief(JSON.stringify([...events, { ts: 9, say: 'text', images: ['long'] }]));
      expect(taskEvents(JSON.parse(brief ?? ''))).toEqual(taskEvents(events));
      expect(brief).not.toContain('long');
      expect(shownInBrief(JSON.stringify(events).slice(0, -1))).toBeUndefined();
    });
  });

  it.each([
    [3, 'a message has a content, a text or an array of parts.'],
    [{ role: 'system', content: '' }, 'a message has the role user or assistant.'],
    [{ role: 'user', content: [{ type: 'tool_result' }] }, 'a tool result has a tool_use_id.'],
    [
      { role: 'assistant', content: [{ type: 'image' }] },
      'a part of a reply is a text, a thought or a tool call.',
    ],
  ])('skips %j and names the line', (malformed, objection) => {
    const imported = read(malformed, task);
    expect(imported.problems).toEqual([`Line 2 was skipped: ${objection}`]);
    expect(messagesOf(imported)).toHaveLength(1);
  });

  it.each([
    ['{}', 'Line 1: expected a Cline task'],
    ['[\n{', 'Line 2: expected a Cline task'],
  ])('states the expected form for %j', (broken, message) => {
    expect(() => clineTaskFormat.parse(broken)).toThrow(message);
  });
});
