import { describe, expect, it } from 'vitest';
import { messagesOf } from '../../../../src/compaction/transcript/transcript.ts';
import { claudeCodeFormat } from '../../../../src/transcripts/formats/claude-code/claude-code-format.ts';
import { qwenCodeFormat } from '../../../../src/transcripts/formats/qwen-code/qwen-code-format.ts';
import { formatOf } from '../../../../src/transcripts/import-transcript.ts';
import { formatSamples } from '../../../support/format-samples.ts';

const timestamp = '2026-02-03T04:05:06.000Z';
const text = (said: string) => ({ text: said });
/** Lines in sequence, unless one names another parent. */
const read = (...rows: readonly { readonly type: string; readonly [field: string]: unknown }[]) =>
  qwenCodeFormat.parse(
    rows
      .map((row, index) =>
        JSON.stringify({
          uuid: `u${index}`,
          parentUuid: index === 0 ? null : `u${index - 1}`,
          sessionId: 's1',
          cwd: '/projects/here',
          timestamp,
          ...row,
        }),
      )
      .join('\n'),
  );
const asked = (...parts: readonly object[]) => ({ type: 'user', message: { role: 'user', parts } });
const replied = (...parts: readonly object[]) => ({ type: 'assistant', message: { role: 'model', parts } });
const call = { functionCall: { id: 'c1', name: 'read_file', args: { path: 'a.ts' } } };
const answer = { functionResponse: { id: 'c1', name: 'read_file', response: { output: 'export {};' } } };
const answered = { type: 'tool_result', message: { role: 'user', parts: [answer] } };
const noted = (subtype: string, systemPayload: object) => ({ type: 'system', subtype, systemPayload });
const said = (imported: ReturnType<typeof read>) =>
  messagesOf(imported).map(({ origin, content }) => [origin, content]);

describe('importing Qwen Code sessions', () => {
  it("recognises files of Qwen Code although their fields resemble Claude Code's", () => {
    const sample = formatSamples['qwen-code'] ?? '';
    expect(claudeCodeFormat.recognises(sample)).toBe(true);
    expect(formatOf(sample)?.id).toBe('qwen-code');
  });

  it('reads messages, thoughts, calls, results and usage', () => {
    const imported = read(
      asked(text('read a.ts')),
      noted('ui_telemetry', { uiEvent: { input_token_count: 900_000 } }),
      {
        ...replied({ text: 'which?', thought: true }, text('I look.'), call),
        model: 'coder-model',
        contextWindowSize: 131_072,
        usageMetadata: {
          promptTokenCount: 100,
          candidatesTokenCount: 9,
          thoughtsTokenCount: 4,
          totalTokenCount: 109,
          cachedContentTokenCount: 60,
        },
      },
      answered,
    );
    expect(imported.problems).toEqual([]);
    expect(imported.window).toBe(131_072);
    expect(messagesOf(imported)).toMatchObject([
      { role: 'user', content: 'read a.ts', origin: 'person' },
      {
        role: 'assistant',
        content: 'I look.',
        reasoning: 'which?',
        tool_calls: [{ id: 'c1', function: { name: 'read_file', arguments: '{"path":"a.ts"}' } }],
        modelId: 'coder-model',
        usage: { inputTokens: 100, outputTokens: 9, cachedInputTokens: 60 },
      },
      { role: 'tool', tool_call_id: 'c1', content: 'export {};', origin: 'tool' },
    ]);
  });

  it('marks a failed call', () => {
    const failure = {
      functionResponse: { id: 'c1', name: 'read_file', response: { error: 'no such file' } },
    };
    const imported = read(asked(text('read a.ts')), replied(call), {
      ...answered,
      message: { parts: [failure] },
    });
    expect(messagesOf(imported).at(-1)).toMatchObject({ content: 'no such file', isError: true });
  });

  it('treats only the first text of a message as typed', () => {
    const imported = read(
      asked(
        text('what is in @a.md?'),
        text('\n--- Content from referenced files ---'),
        text('Always run ./setup.sh before every commit.'),
      ),
    );
    expect(said(imported)).toEqual([
      ['person', 'what is in @a.md?'],
      ['harness', '\n--- Content from referenced files ---\nAlways run ./setup.sh before every commit.'],
    ]);
  });

  it.each([
    ['a notification', { subtype: 'notification', provenance: 'system' }],
    ['a scheduled prompt', { subtype: 'cron' }],
    ['a prompt of a goal', { provenance: 'goal_runtime' }],
    ['a message of another agent', { externalInputKind: 'message' }],
  ])('treats %s as text of the program', (_what, more) => {
    expect(said(read({ ...asked(text('Go on.')), ...more }))).toEqual([['harness', 'Go on.']]);
  });

  it('treats text typed during a turn as typed', () => {
    expect(said(read({ ...asked(text('Stop.')), subtype: 'mid_turn_user_message' }))).toEqual([
      ['person', 'Stop.'],
    ]);
  });

  it('finds compactions and the messages that they kept', () => {
    const compressedHistory = [
      { role: 'user', parts: [text('The user counts lines.')] },
      { role: 'model', parts: [text('Got it. Thanks for the additional context!')] },
      { role: 'user', parts: [text('and now?')] },
      { role: 'model', parts: [call] },
      { role: 'user', parts: [answer] },
    ];
    const imported = read(
      asked(text('count the lines')),
      replied(text('Three.')),
      asked(text('and now?')),
      replied(call),
      answered,
      noted('chat_compression', { info: { originalTokenCount: 900 }, compressedHistory }),
      replied(text('Four.')),
    );
    expect(imported.compactions).toEqual([
      {
        agent: 'qwen-code',
        beforeMessageIndex: 5,
        keptFromIndex: 2,
        summary: 'The user counts lines.',
        tokensBefore: 900,
        createdAt: timestamp,
      },
    ]);
  });

  it('follows the branch of the last line, and lists an abandoned branch as another conversation', () => {
    const imported = read(
      asked(text('one')),
      replied(text('1')),
      asked(text('two')),
      { ...noted('rewind', { truncatedCount: 1 }), parentUuid: 'u1' },
      asked(text('three')),
    );
    expect(said(imported).map(([, content]) => content)).toEqual(['one', '1', 'three']);
    expect(imported.others?.map(({ kind, opening }) => [kind, opening])).toEqual([['branch', 'two']]);
    expect(messagesOf(imported.others![0]!.read()).map(({ content }) => content)).toEqual([
      'one',
      '1',
      'two',
    ]);
  });

  it('reports a message without parts', () => {
    const imported = read(asked(text('one')), { type: 'assistant', message: { role: 'model' } });
    expect(imported.problems).toEqual(['Line 2 was skipped: a message has an array of parts.']);
  });
});
