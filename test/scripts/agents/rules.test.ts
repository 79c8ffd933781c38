import { describe, expect, it } from 'vitest';
import { chatRules } from '../../../scripts/agents/server/rules/chat-rules.ts';
import { geminiRules } from '../../../scripts/agents/server/rules/gemini-rules.ts';
import { messagesRules } from '../../../scripts/agents/server/rules/messages-rules.ts';
import { responsesRules } from '../../../scripts/agents/server/rules/responses-rules.ts';
import { type Rules, signatureOf } from '../../../scripts/agents/server/rules/rules.ts';

/** Asserts that the rules accept a history, and object to each change of it. */
function check(
  { objection }: Rules,
  field: string,
  history: readonly object[],
  broken: Readonly<Record<string, (history: readonly object[]) => readonly object[]>>,
): void {
  it('accept a history with a call and its result', () => {
    expect(objection({ [field]: history })).toBeUndefined();
  });
  it.each(Object.entries(broken))('object to %s', (_, change) => {
    expect(objection({ [field]: change(history) })).toEqual(expect.any(String));
  });
}

const without = (index: number) => (history: readonly object[]) => history.toSpliced(index, 1);
const withBlock = (index: number, block: object) => (history: readonly object[]) =>
  history.with(index, block);

describe('rules of chat completions', () => {
  const call = { id: 'c1', type: 'function', function: { name: 'read', arguments: '{}' } };
  check(
    chatRules,
    'messages',
    [
      { role: 'user', content: 'look' },
      { role: 'assistant', content: null, tool_calls: [call] },
      { role: 'tool', tool_call_id: 'c1', content: 'text' },
      { role: 'user', content: 'thanks' },
    ],
    {
      'a result without a call': without(1),
      'a call without a result': without(2),
      'an empty message': withBlock(3, { role: 'user', content: '' }),
      'arguments that are not JSON': withBlock(1, {
        role: 'assistant',
        tool_calls: [{ ...call, function: { name: 'read', arguments: '{…' } }],
      }),
      'an empty list of calls': withBlock(3, { role: 'assistant', content: 'a', tool_calls: [] }),
    },
  );
});

describe('rules of messages', () => {
  const thinking = { type: 'thinking', thinking: 'hm', signature: signatureOf('hm') };
  const call = { type: 'tool_use', id: 't1', name: 'read', input: {} };
  const result = { type: 'tool_result', tool_use_id: 't1', content: 'text' };
  const text = (words: string) => ({ type: 'text', text: words });
  check(
    messagesRules,
    'messages',
    [
      { role: 'user', content: 'look' },
      { role: 'assistant', content: [thinking, call] },
      { role: 'user', content: [result, text('and?')] },
    ],
    {
      'an assistant’s message at the start': without(0),
      'a result without a call': without(1),
      'a call without a result': without(2),
      'text before a result': withBlock(2, { role: 'user', content: [text('and?'), result] }),
      'blank text': withBlock(0, { role: 'user', content: [text(' ')] }),
      'changed reasoning': withBlock(1, {
        role: 'assistant',
        content: [{ ...thinking, thinking: 'ha' }, call],
      }),
      'too many cache marks': withBlock(0, {
        role: 'user',
        content: Array.from({ length: 5 }, () => ({
          ...text('a'),
          cache_control: { type: 'ephemeral' },
        })),
      }),
    },
  );
  it('demand the reasoning of the reply whose tools run', () => {
    const messages = [
      { role: 'user', content: 'look' },
      { role: 'assistant', content: [call] },
      { role: 'user', content: [result] },
    ];
    const body = { messages, thinking: { type: 'enabled' } };
    expect(messagesRules.objection(body)).toBe('expected thinking, but found tool_use');
  });
});

describe('rules of responses', () => {
  const reasoning = {
    type: 'reasoning',
    id: 'rs_1',
    summary: [{ type: 'summary_text', text: 'hm' }],
    encrypted_content: signatureOf('hm'),
  };
  check(
    responsesRules,
    'input',
    [
      { type: 'message', role: 'user', content: 'look' },
      reasoning,
      { type: 'function_call', call_id: 'c1', name: 'read', arguments: '{}' },
      { type: 'function_call_output', call_id: 'c1', output: 'text' },
    ],
    {
      'a result without a call': without(2),
      'a call without a result': without(3),
      'reasoning without the item that followed it': (history) => history.slice(0, 2),
      'changed reasoning': withBlock(1, { ...reasoning, encrypted_content: signatureOf('ha') }),
    },
  );
});

describe('rules of generateContent', () => {
  const call = { functionCall: { name: 'read', args: {} }, thoughtSignature: signatureOf('read') };
  const response = { functionResponse: { name: 'read', response: { output: 'text' } } };
  check(
    geminiRules,
    'contents',
    [
      { role: 'user', parts: [{ text: 'look' }] },
      { role: 'model', parts: [call] },
      { role: 'user', parts: [response] },
    ],
    {
      'a call at the start': without(0),
      'a response without a call': without(1),
      'a call without a response': without(2),
      'no parts': withBlock(0, { role: 'user', parts: [] }),
      'another role': withBlock(0, { role: 'system', parts: [{ text: 'a' }] }),
      'the signature of another call': withBlock(1, {
        role: 'model',
        parts: [{ ...call, thoughtSignature: signatureOf('write') }],
      }),
    },
  );
});
