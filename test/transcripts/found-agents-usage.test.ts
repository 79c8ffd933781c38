import { describe, expect, it } from 'vitest';
import { opencodeUsage } from '../../src/transcripts/formats/opencode/opencode-files.ts';
import { copilotChatWindow } from '../../src/transcripts/formats/copilot/copilot-chat-files.ts';
import { lastUsage } from '../../src/transcripts/found-agents.ts';
import { clineTask, rooAnswered, rooTask } from '../support/agents/cline-task.ts';

const lines = (...events: readonly object[]) => events.map((event) => `${JSON.stringify(event)}\n`).join('');
const reply = (input: number, output: number, more: object = {}) => ({
  type: 'assistant',
  message: {
    model: 'claude-sonnet-4-5',
    usage: {
      input_tokens: 5,
      cache_read_input_tokens: input - 5,
      cache_creation_input_tokens: 0,
      output_tokens: output,
    },
  },
  ...more,
});

describe('the last reported usage of a session', () => {
  it('is the usage of the newest reply, including cached tokens', () => {
    const tail = `d":'a partial line'}\n${lines(reply(1_000, 10), reply(2_000, 20), { type: 'user' })}`;
    expect(lastUsage('claude-code', tail)).toMatchObject({ tokens: 2_020, model: 'claude-sonnet-4-5' });
  });

  it('is outdated once messages follow, but not if only other lines follow', () => {
    const answered = lines(reply(1_000, 10), { type: 'file-history-snapshot' });
    expect(lastUsage('claude-code', answered)).not.toHaveProperty('isOvertaken');
    expect(lastUsage('claude-code', answered + lines({ type: 'user' }))?.isOvertaken).toBe(true);
  });

  it('is unknown after a compaction until the next reply', () => {
    const compacted = lines(reply(1_000, 10), { type: 'system', subtype: 'compact_boundary' });
    expect(lastUsage('claude-code', compacted)).toBeUndefined();
    expect(lastUsage('claude-code', compacted + lines(reply(300, 5)))?.tokens).toBe(305);
  });

  it('ignores the usage of a sub-agent in the same file', () => {
    const tail = lines(reply(1_000, 10), reply(9_000, 10, { isSidechain: true }));
    expect(lastUsage('claude-code', tail)?.tokens).toBe(1_010);
  });

  it('includes the window if Codex states it', () => {
    const info = {
      last_token_usage: { input_tokens: 700, cached_input_tokens: 600, output_tokens: 30 },
      model_context_window: 258_400,
    };
    const tail = lines({ type: 'event_msg', payload: { type: 'token_count', info } });
    expect(lastUsage('codex', tail)).toEqual({ tokens: 730, window: 258_400 });
  });

  describe('of Copilot CLI', () => {
    const event = (type: string, data: object) => ({ type, data });

    it('is the newest report on a request or on the context', () => {
      const request = event('assistant.usage', { inputTokens: 900, outputTokens: 50, model: 'gpt-5' });
      const info = event('session.usage_info', { currentTokens: 1_200, tokenLimit: 128_000 });
      expect(lastUsage('copilot-cli', lines(info, request))).toEqual({ tokens: 950, model: 'gpt-5' });
      expect(lastUsage('copilot-cli', lines(request, info))).toEqual({ tokens: 1_200, window: 128_000 });
    });

    it('is the newest usage record, with its window and model', () => {
      const usage = { model: 'gpt-5', inputTokens: 900, outputTokens: 50, maxPromptTokens: 128_000 };
      const record = event('session.usage_record', { usage });
      const other = {
        ...event('session.usage_record', { usage: { inputTokens: 4, outputTokens: 4 } }),
        agentId: 'a1',
      };
      const ended = event('session.shutdown', { currentTokens: 880 });
      expect(lastUsage('copilot-cli', lines(record, other, ended))).toEqual({
        tokens: 950,
        model: 'gpt-5',
        window: 128_000,
      });
    });

    it('is the program’s own count if nothing was reported since a compaction', () => {
      const record = event('session.usage_record', { usage: { inputTokens: 900, outputTokens: 50 } });
      const counts = { systemTokens: 100, conversationTokens: 40, toolDefinitionsTokens: 200 };
      const compacted = event('session.compaction_complete', { success: true, ...counts });
      const ended = event('session.shutdown', { currentTokens: 350 });
      expect(lastUsage('copilot-cli', lines(record, compacted))?.tokens).toBe(340);
      expect(lastUsage('copilot-cli', lines(record, compacted, ended))?.tokens).toBe(350);
    });

    it('ignores sub-agents, and is unknown after a compaction', () => {
      const request = event('assistant.usage', { inputTokens: 900, outputTokens: 50 });
      const other = event('assistant.usage', { inputTokens: 5, outputTokens: 5, parentToolCallId: 'c1' });
      expect(lastUsage('copilot-cli', lines(request, other))?.tokens).toBe(950);
      const compacted = event('session.compaction_complete', { success: true });
      expect(lastUsage('copilot-cli', lines(request, compacted))).toBeUndefined();
    });
  });

  describe('of Cline', () => {
    const task = (...messages: readonly object[]) =>
      JSON.stringify([{ role: 'user', content: [] }, ...messages]);
    const replied = {
      role: 'assistant',
      content: [{ type: 'text', text: '{"metrics":{"tokens":{"prompt":1,"completion":1}}}' }],
      modelInfo: { modelId: 'claude-sonnet-4-5' },
      metrics: { tokens: { prompt: 700, completion: 30, cached: 600 }, cost: 0.1 },
    };

    it('is the usage of the newest reply, even if the beginning of the document is missing', () => {
      const text = task({ ...replied, metrics: { tokens: { prompt: 9, completion: 9 } } }, replied);
      expect(lastUsage('cline', text.slice(20))).toEqual({ tokens: 730, model: 'claude-sonnet-4-5' });
    });

    it('is unknown after a summary until the next reply', () => {
      const words =
        'This session is being continued from a previous conversation that ran out of context. The conversation is summarized below:\nnotes.';
      const summary = {
        role: 'user',
        content: [{ type: 'text', text: `[summarize_task] Result:\n\n${words}` }],
      };
      const shown = JSON.stringify(rooTask.shown);
      expect(lastUsage('cline', task(replied, summary), shown)).toBeUndefined();
      expect(lastUsage('cline', task(replied, summary, replied))?.tokens).toBe(730);
    });

    it('is unknown until the next reply if the neighbouring file notes a compaction', () => {
      const session = (...messages: readonly object[]) =>
        JSON.stringify({ version: 1, sessionId: 's', messages, system_prompt: 'rules' }, undefined, 2);
      const reply = (ts: number) => ({
        role: 'assistant',
        ts,
        modelInfo: { id: 'claude-opus-4.8' },
        metrics: { inputTokens: 700, outputTokens: 30, cacheReadTokens: 600 },
      });
      const at = Date.parse('2026-07-17T02:04:41.983Z');
      const state = JSON.stringify(
        { version: 1, updated_at: new Date(at).toISOString(), messages: [] },
        undefined,
        2,
      );
      expect(lastUsage('cline', session(reply(at - 1)), state)).toBeUndefined();
      const usage = { tokens: 730, model: 'claude-opus-4.8' };
      expect(lastUsage('cline', session(reply(at - 1), reply(at + 1)), state)).toEqual(usage);
      expect(lastUsage('cline', session(reply(at - 1)))).toEqual(usage);
    });

    it('is read from the neighbouring file before version 3.46, including cached tokens', () => {
      expect(lastUsage('cline', task({ role: 'assistant', content: 'Done.' }))).toBeUndefined();
      const shown = JSON.stringify(clineTask.shown);
      expect(lastUsage('cline', JSON.stringify(clineTask.conversation), shown)).toEqual({ tokens: 100 });
    });
  });

  describe('of Roo Code, and of Kilo Code before version 7', () => {
    const tail = JSON.stringify(rooTask.conversation);
    const shown = (...more: readonly object[]) => JSON.stringify([...rooTask.shown, ...more]);

    it.each(['roo-code', 'kilo-code'] as const)('is the usage of the last answered request: %s', (agent) => {
      expect(lastUsage(agent, tail, shown(rooAnswered))).toEqual({
        tokens: 137,
        model: 'claude-sonnet-4-5',
      });
      // A tail may begin anywhere.
      const cut = shown(rooAnswered);
      for (const start of [10, cut.length - 120]) {
        expect(lastUsage(agent, '', cut.slice(start))).toMatchObject({ tokens: 137 });
      }
    });

    it('is the size stated with a summary until the next request is answered', () => {
      expect(lastUsage('roo-code', tail, shown())?.tokens).toBe(120);
    });

    it('counts cached tokens once in the notation of every version', () => {
      const request = (numbers: object) => ({
        ...{ ts: 9, type: 'say', say: 'api_req_started', text: JSON.stringify(numbers) },
      });
      const tokens = (numbers: object) => lastUsage('roo-code', '', shown(request(numbers)))?.tokens;
      expect(tokens({ tokensIn: 100, tokensOut: 5, cacheWrites: 20, cacheReads: 70 })).toBe(105);
      expect(tokens({ tokensIn: 10, tokensOut: 5, cacheWrites: 20, cacheReads: 70 })).toBe(105);
    });

    it('is not read from typed text, other messages or removed ranges', () => {
      const said = JSON.stringify({ tokensIn: 5, tokensOut: 5 });
      const others = [
        { ts: 9, type: 'say', say: 'subtask_result', text: said },
        {
          ts: 9,
          type: 'say',
          say: 'text',
          text: `it says {"tokensIn":5,"tokensOut":5} and ${JSON.stringify(said)}`,
        },
        { ts: 9, say: 'sliding_window_truncation', contextTruncation: { newContextTokens: 5 } },
      ];
      expect(lastUsage('roo-code', tail, shown(rooAnswered, ...others))?.tokens).toBe(137);
      expect(lastUsage('roo-code', tail)).toBeUndefined();
      expect(lastUsage('roo-code', tail, '[]')).toBeUndefined();
    });
  });

  describe('of Copilot Chat', () => {
    const line = (kind: number, k: readonly unknown[], v: unknown) => `${JSON.stringify({ kind, k, v })}\n`;
    const result = (more: object) => ({ timings: {}, metadata: { toolCallRounds: [{ id: 'o1' }], ...more } });
    const selected = (more: object = {}) => ({
      identifier: 'copilot/claude-sonnet-4.5',
      metadata: { maxInputTokens: 111_000, maxOutputTokens: 16_000, name: 'Claude' },
      ...more,
    });
    const asked = line(2, ['requests'], [{ requestId: 'q9', message: { text: '"promptTokens":7' } }]);
    const answered = (index: number, input: number, output?: number) =>
      line(
        1,
        ['requests', index, 'result'],
        result({ promptTokens: input, ...(output && { outputTokens: output }) }),
      ) +
      line(1, ['requests', index, 'promptTokens'], input) +
      line(1, ['requests', index, 'completionTokens'], 9_999);

    it("is the usage of the last call of the last answered request, in the agent's own window", () => {
      const tail = answered(0, 500, 5) + answered(1, 900, 30) + asked;
      expect(lastUsage('copilot-chat', tail)).toEqual({ tokens: 930, hasOwnWindows: true });
      expect(lastUsage('copilot-chat', tail + line(1, ['inputState', 'selectedModel'], selected()))).toEqual({
        tokens: 930,
        hasOwnWindows: true,
        window: 127_000,
      });
    });

    it('is only the prompt of the call if the file states no output tokens', () => {
      const tail = answered(0, 500, 5) + line(1, ['requests', 1, 'promptTokens'], 900);
      expect(lastUsage('copilot-chat', tail)?.tokens).toBe(900);
    });

    it('is unknown after a request that only wrote a summary', () => {
      const summary = { metadata: { summary: { toolCallRoundId: 'o1', text: 'notes' } } };
      const compacted =
        line(1, ['requests', 1, 'promptTokens'], 800) + line(1, ['requests', 1, 'result'], summary);
      expect(lastUsage('copilot-chat', answered(0, 500, 5) + compacted)).toBeUndefined();
      expect(lastUsage('copilot-chat', answered(0, 500, 5) + compacted + answered(2, 90, 1))?.tokens).toBe(
        91,
      );
    });

    it('is also found in a complete document and in a partial line', () => {
      const chat = {
        requests: [
          { requestId: 'q1', result: result({ promptTokens: 500, outputTokens: 5 }) },
          { requestId: 'q2', result: result({ promptTokens: 900, outputTokens: 30 }) },
        ],
        inputState: { selectedModel: selected() },
      };
      const text = JSON.stringify(chat, undefined, 2);
      for (const start of [0, 60, text.indexOf('900') - 20]) {
        expect(lastUsage('copilot-chat', text.slice(start))).toMatchObject({ tokens: 930, window: 127_000 });
      }
    });

    it.each<readonly [string, object, number | undefined]>([
      ['set by the user', { modelConfiguration: { contextSize: 272_000 } }, 288_000],
      [
        'by default',
        {
          metadata: {
            ...selected().metadata,
            configurationSchema: { properties: { contextSize: { default: 64_000 } } },
          },
        },
        80_000,
      ],
      ['without limits of the model', { metadata: { maxInputTokens: 0, maxOutputTokens: 0 } }, undefined],
      ["without the model's output limit", { metadata: { maxInputTokens: 9 } }, undefined],
    ])('has the window of the model %s', (_what, more, window) => {
      expect(copilotChatWindow(JSON.stringify({ inputState: { selectedModel: selected(more) } }))).toBe(
        window,
      );
    });
  });

  describe('of opencode, and of Kilo Code since version 7', () => {
    const reply = (tokens: object, more: object = {}) => ({
      role: 'assistant',
      modelID: 'gpt-5',
      tokens,
      ...more,
    });
    const tokens = { input: 10, output: 5, reasoning: 3, cache: { read: 80, write: 2 } };

    it('is the usage of the last reply, including cached tokens and tokens of thinking', () => {
      const pending = reply({ input: 0, output: 0, reasoning: 0, cache: { read: 0, write: 0 } });
      expect(
        opencodeUsage([reply({ input: 1, output: 1 }), reply(tokens), { role: 'user' }, pending]),
      ).toEqual({
        tokens: 100,
        model: 'gpt-5',
        isOvertaken: true,
      });
    });

    it('is unknown after a summary until the next reply', () => {
      const summary = reply({ input: 900, output: 50 }, { summary: true });
      expect(opencodeUsage([reply(tokens), summary, { role: 'user' }])).toBeUndefined();
      expect(opencodeUsage([summary, reply(tokens)])?.tokens).toBe(100);
    });

    it.each([[[]], [[null, 'x', { role: 'assistant' }, reply({ output: '5' })]]])(
      'is undefined for %j',
      (messages) => {
        expect(opencodeUsage(messages)).toBeUndefined();
      },
    );
  });

  it('is unknown after Gemini CLI has replaced its messages', () => {
    const said = { id: 'g1', type: 'gemini', tokens: { input: 900, output: 9 }, model: 'gemini-2.5-pro' };
    expect(lastUsage('gemini-cli', lines(said))?.tokens).toBe(909);
    expect(lastUsage('gemini-cli', lines(said, { $set: { messages: [] } }))).toBeUndefined();
  });

  it('remains known after Gemini CLI has resumed a session', () => {
    const said = { id: 'g1', type: 'gemini', tokens: { input: 900, output: 9 } };
    const resumed = { $set: { messages: [{ id: 'g1', type: 'gemini' }] } };
    const compacted = { $set: { messages: [{ id: 'new', type: 'user' }] } };
    expect(lastUsage('gemini-cli', lines(said, resumed))?.tokens).toBe(909);
    expect(lastUsage('gemini-cli', lines(said, compacted, resumed))?.tokens).toBeUndefined();
  });

  it('is the total of a reply of Qwen Code, with the window stated in the file', () => {
    const usageMetadata = { promptTokenCount: 900, candidatesTokenCount: 9, totalTokenCount: 909 };
    const said = { type: 'assistant', usageMetadata, contextWindowSize: 131_072, model: 'coder-model' };
    expect(lastUsage('qwen-code', lines(said))).toEqual({
      tokens: 909,
      window: 131_072,
      model: 'coder-model',
    });
    const compressed = { type: 'system', subtype: 'chat_compression' };
    expect(lastUsage('qwen-code', lines(said, compressed))).toBeUndefined();
  });

  it('includes tokens that Pi read from or wrote to the cache', () => {
    const usage = { input: 100, output: 9, cacheRead: 700, cacheWrite: 100 };
    const said = { type: 'message', message: { role: 'assistant', usage, model: 'x' } };
    expect(lastUsage('pi', lines(said))).toEqual({ tokens: 909, model: 'x' });
    expect(lastUsage('pi', lines(said, { type: 'compaction' }))).toBeUndefined();
  });

  it('remains known after the compaction of a sub-agent in the same file', () => {
    const compacted = { type: 'user', isCompactSummary: true, isSidechain: true };
    expect(lastUsage('claude-code', lines(reply(1_000, 10), compacted))?.tokens).toBe(1_010);
  });

  it.each<readonly [string, string]>([
    ['nothing', ''],
    ['a partial line', '{"message":{"usage":{"input_'],
    ['invalid numbers', lines({ message: { usage: { input_tokens: '7', output_tokens: null } } })],
  ])('is undefined for %s', (_what, tail) => {
    expect(lastUsage('claude-code', tail)).toBeUndefined();
  });
});
