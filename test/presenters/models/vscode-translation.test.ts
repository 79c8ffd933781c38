import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { imageNotTaken, ModelError } from '../../../src/agent/model/chat-model.ts';
import { imagePart } from '../../../src/compaction/images/image-part.ts';
import type { ChatMessage } from '../../../src/compaction/messages/message.ts';
import {
  findVscodeModel,
  toolCallOf,
  vscodeFailure,
  vscodeMessages,
  vscodeModelName,
  vscodeReply,
  vscodeTools,
} from '../../../src/presenters/models/vscode-translation.ts';

describe('the translation for VS Code', () => {
  const call = (id: string, written: string) =>
    ({ id, type: 'function', function: { name: 'read_file', arguments: written } }) as const;

  describe('messages for VS Code', () => {
    it('begin with the system message, in the first message of the user', () => {
      const messages: readonly ChatMessage[] = [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello.' },
      ];
      expect(vscodeMessages(messages)).toEqual([
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'Be brief.' },
            { type: 'text', text: 'Hi' },
          ],
        },
        { role: 'assistant', parts: [{ type: 'text', text: 'Hello.' }] },
      ]);
    });

    it('have images after the text unless the model accepts no images', () => {
      const image = { type: 'image/png', base64: 'AAAA' };
      const messages: readonly ChatMessage[] = [
        { role: 'user', content: [{ type: 'text', text: 'Look' }, imagePart(image)] },
      ];
      expect(vscodeMessages(messages)).toEqual([
        {
          role: 'user',
          parts: [
            { type: 'text', text: 'Look' },
            { type: 'image', image },
          ],
        },
      ]);
      expect(JSON.stringify(vscodeMessages(messages, false))).toContain(imageNotTaken);
    });

    it('keep the ids and the order of calls and results', () => {
      const messages: readonly ChatMessage[] = [
        { role: 'user', content: 'Read both' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [call('1', '{"path":"a"}'), call('2', '{"path":"b"}')],
        },
        { role: 'tool', tool_call_id: '1', content: 'A' },
        { role: 'tool', tool_call_id: '2', content: 'B' },
        { role: 'user', content: 'Go on' },
      ];
      expect(vscodeMessages(messages).slice(1)).toEqual([
        {
          role: 'assistant',
          parts: [
            { type: 'call', id: '1', name: 'read_file', input: { path: 'a' } },
            { type: 'call', id: '2', name: 'read_file', input: { path: 'b' } },
          ],
        },
        {
          role: 'user',
          parts: [
            { type: 'result', id: '1', text: 'A' },
            { type: 'result', id: '2', text: 'B' },
            { type: 'text', text: 'Go on' },
          ],
        },
      ]);
    });

    it('return arguments that are not an object as their original text', () => {
      const inputOf = (written: string) =>
        vscodeMessages([{ role: 'assistant', content: '', tool_calls: [call('1', written)] }])[0]?.parts[0];
      expect(inputOf('{"path":')).toMatchObject({ input: { malformed: '{"path":' } });
      expect(inputOf('[1]')).toMatchObject({ input: { malformed: '[1]' } });
    });

    it('leave out thinking and empty content', () => {
      const messages: readonly ChatMessage[] = [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: '', reasoning_content: 'hm' },
      ];
      expect(vscodeMessages(messages)).toHaveLength(1);
    });

    it('alternate between roles, and lose no text, for any order of roles', () => {
      const message = fc.record({
        role: fc.constantFrom('system', 'developer', 'user', 'assistant'),
        content: fc.string({ minLength: 1 }).filter((text) => text.trim() !== ''),
      });
      fc.assert(
        fc.property(fc.array(message), (messages) => {
          const sent = vscodeMessages(messages);
          sent.forEach(({ role }, index) => expect(role).not.toBe(sent[index + 1]?.role));
          const texts = sent.flatMap(({ parts }) => parts.map((part) => part.type === 'text' && part.text));
          expect(texts).toEqual(messages.map(({ content }) => content));
        }),
      );
    });

    it('begin with the messages of the previous request, so that they stay in the cache', () => {
      const before: readonly ChatMessage[] = [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello.' },
      ];
      const after: readonly ChatMessage[] = [...before, { role: 'user', content: 'More' }];
      expect(vscodeMessages(after).slice(0, 2)).toEqual(vscodeMessages(before));
    });
  });

  describe('tools for VS Code', () => {
    it('always have a schema', () => {
      const tools = [{ type: 'function', function: { name: 'compact' } }] as const;
      expect(vscodeTools(tools)).toEqual([
        { name: 'compact', description: '', inputSchema: { type: 'object' } },
      ]);
    });
  });

  describe('a reply of VS Code', () => {
    it('continues with tools if there are calls, and ends otherwise', () => {
      const asked = toolCallOf({ callId: '1', name: 'read_file', input: { path: 'a' } });
      expect(vscodeReply('', [asked])).toEqual({
        content: '',
        reasoning: '',
        toolCalls: [call('1', '{"path":"a"}')],
        finishReason: 'tool-calls',
      });
      expect(vscodeReply('Done.', [])).toMatchObject({ content: 'Done.', finishReason: 'stop' });
    });

    it('may call a tool without input', () => {
      expect(toolCallOf({ callId: '1', name: 'compact', input: undefined }).function.arguments).toBe('{}');
    });
  });
});

describe('failures in VS Code', () => {
  /** As VS Code's `LanguageModelError` is made. */
  function languageModelError(code: string, message: string, cause?: unknown): Error {
    return Object.assign(new Error(message, { cause }), { name: 'LanguageModelError', code });
  }

  const failure = (error: unknown) => vscodeFailure(error, 'Some Model');

  describe('a failure of VS Code’s models', () => {
    it.each([
      ['NoPermissions', 'unauthorised', /Send the message again and allow it/],
      ['NotFound', 'not-found', /Select Model/],
      ['Blocked', 'rate-limited', /limit or quota is reached/],
    ])('is recognised by its code %s', (code, expected, words) => {
      const found = failure(languageModelError(code, 'no'));
      expect(found.code).toBe(expected);
      expect(found.message).toMatch(words);
    });

    it('is an overflow if its message or the message of its cause says so', () => {
      const words = 'prompt token count of 130000 exceeds the limit of 128000';
      const expected = { code: 'overflow', limit: 128_000, actual: 130_000 };
      expect(failure(languageModelError('Unknown', words))).toMatchObject(expected);
      expect(failure(languageModelError('Unknown', 'Request failed', new Error(words)))).toMatchObject(
        expected,
      );
    });

    it.each([
      ['off_topic', 'rejected'],
      ['You have exceeded your monthly quota', 'rate-limited'],
      ['Rate limit exceeded', 'rate-limited'],
      ['Request timed out', 'timeout'],
      ['net::ERR_INTERNET_DISCONNECTED', 'network'],
      ['Response contained no choices', 'server'],
    ])('is recognised by the message of its cause: %s', (words, expected) => {
      expect(failure(languageModelError('Unknown', 'Failed', new Error(words))).code).toBe(expected);
    });

    it('is a cancellation if the user stopped it', () => {
      expect(failure(Object.assign(new Error('Canceled'), { name: 'Canceled' })).code).toBe('cancelled');
    });

    it('quotes the shortened message, and keeps the cause', () => {
      const cause = languageModelError('Unknown', 'x'.repeat(10_000));
      const found = failure(cause);
      expect(found.message.length).toBeLessThan(700);
      expect(found.cause).toBe(cause);
    });

    it('stays unchanged if it is one of our own errors', () => {
      const ours = new ModelError('cut-off', 'Broken off.');
      expect(failure(ours)).toBe(ours);
    });

    it('may be any value', () => {
      expect(failure('text')).toMatchObject({ code: 'server' });
      expect(failure(undefined)).toMatchObject({ code: 'server' });
    });
  });
});

describe('finding a model of VS Code', () => {
  const models = [
    { vendor: 'copilot', id: 'gpt-5-mini-2', family: 'gpt-5-mini', name: 'GPT-5 mini' },
    { vendor: 'other', id: 'gpt-5-mini', family: 'gpt', name: 'Mine' },
  ];

  describe('a model of VS Code', () => {
    it('is found by vendor and id, by id, by family and by common name', () => {
      const found = (name: string) => findVscodeModel(models, name)?.vendor;
      expect(found('copilot/gpt-5-mini-2')).toBe('copilot');
      expect(found('copilot/gpt-5-mini')).toBe('copilot');
      expect(found('GPT-5 mini')).toBe('copilot');
      expect(found('gpt')).toBe('other');
    });

    it('with a matching id takes precedence over a model with a matching family', () => {
      expect(findVscodeModel(models, 'gpt-5-mini')?.vendor).toBe('other');
    });

    it('is not found if no name matches', () => {
      expect(findVscodeModel(models, 'gpt-5')).toBeUndefined();
    });

    it('is found again by the name in the settings', () => {
      for (const model of models) expect(findVscodeModel(models, vscodeModelName(model))).toBe(model);
    });
  });
});
