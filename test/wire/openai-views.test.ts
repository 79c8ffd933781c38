import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Fields, recordsIn } from '../../src/transcripts/reading/fields.ts';
import { chatWire } from '../../src/wire/chat-wire.ts';
import { responsesWire } from '../../src/wire/responses-wire.ts';
import type { Wire, WireMessage } from '../../src/wire/wire.ts';

const words = fc.constantFrom('Go.', 'I read the file.', 'export const zone = 1;', '“ä”');
const callTypes = fc.constantFrom(
  ['function_call', 'arguments', '{"path":"src/main.ts"}'],
  ['custom_tool_call', 'input', '*** Begin'],
  ['local_shell_call', 'action', { type: 'exec', command: ['ls'] }],
);

/** Items of a turn: a prompt, and a reply with its reasoning, its calls and their results. */
const responsesTurn = (turn: number) =>
  fc
    .record({
      prompt: words,
      thinks: fc.boolean(),
      said: fc.option(words),
      calls: fc.array(callTypes, { maxLength: 3 }),
      output: words,
    })
    .map(({ prompt, thinks, said, calls, output }): readonly Fields[] => {
      const made = calls.map(([type, field, input], index) => ({
        ...{ type, id: `c_${turn}.${index}`, call_id: `${turn}.${index}`, name: 'tool' },
        ...{ [field as string]: input },
      }));
      const reply = [
        ...(said === null
          ? []
          : [
              {
                type: 'message',
                id: `m_${turn}`,
                role: 'assistant',
                content: [{ type: 'output_text', text: said }],
              },
            ]),
        ...made,
      ];
      return [
        { type: 'message', role: 'user', content: [{ type: 'input_text', text: prompt }] },
        ...(thinks && reply.length > 0
          ? [{ type: 'reasoning', id: `r_${turn}`, summary: [], encrypted_content: 'x' }]
          : []),
        ...reply,
        ...made.map(({ type, call_id }) => ({ type: `${type as string}_output`, call_id, output })),
      ];
    });

const chatTurn = (turn: number) =>
  fc
    .record({
      prompt: words,
      said: fc.option(words),
      inputs: fc.array(words, { maxLength: 3 }),
      output: words,
      extra: fc.constantFrom({}, { reasoning_content: 'I think.' }, { name: 'coder' }),
    })
    .map(({ prompt, said, inputs, output, extra }): readonly Fields[] => {
      const calls = inputs.map((input, index) => ({
        ...{ id: `${turn}.${index}`, type: 'function', function: { name: 'tool', arguments: input } },
        extra_content: { signature: index },
      }));
      const reply = {
        ...{ role: 'assistant', content: said, ...extra },
        ...(calls.length > 0 && { tool_calls: calls }),
      };
      return [
        { role: 'user', content: [{ type: 'text', text: prompt }] },
        ...(said === null && calls.length === 0 ? [] : [reply]),
        ...calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: output })),
      ];
    });

const turnsOf = (turnOf: (turn: number) => fc.Arbitrary<readonly Fields[]>) =>
  fc.tuple(turnOf(0), turnOf(1), turnOf(2)).map((turns) => turns.flat());

const bodies: readonly (readonly [Wire, fc.Arbitrary<Fields>])[] = [
  [
    responsesWire,
    turnsOf(responsesTurn).map((input) => ({ instructions: 'You code.', input, store: false })),
  ],
  [chatWire, turnsOf(chatTurn).map((messages) => ({ model: 'a-model', messages, stream: true }))],
];

const messagesOf = (wire: Wire, body: Fields) => wire.readRequest(body, '')!.messages;
const itemsIn = (body: Fields) => recordsIn(body['input'] ?? body['messages']);

/** True for a message whose items are found again. Calls have ids, and the other fields of a prompt do not matter. */
const isFound = ({ chat: { role, tool_calls: calls } }: WireMessage) =>
  role !== 'assistant' || calls !== undefined;

/** The message as the engine writes it after it shortened the text. */
function shortened({ chat: { reasoning_content: _, ...chat } }: WireMessage): WireMessage {
  return { chat: { ...chat, content: chat.content === null ? null : '…' }, raw: [] };
}

describe.each(bodies)('a view over $title', (wire, generated) => {
  it('without a change is the body, with the same items', () => {
    fc.assert(
      fc.property(generated, (body) => {
        const written = wire.withMessages(body, messagesOf(wire, body));
        expect(JSON.stringify(written)).toBe(JSON.stringify(body));
        itemsIn(written).forEach((item, index) => expect(item).toBe(itemsIn(body)[index]));
      }),
    );
  });

  it('with shortened messages has the same items in the same order, apart from their texts', () => {
    fc.assert(
      fc.property(generated, fc.array(fc.boolean(), { minLength: 20, maxLength: 20 }), (body, choices) => {
        const messages = messagesOf(wire, body);
        const view = messages.map((message, index) =>
          choices[index] === true && isFound(message) ? shortened(message) : message,
        );
        const written = wire.withMessages(body, view);
        const ownText = ({ content: _content, output: _output, id: _id, ...item }: Fields) => item;
        const skeleton = (items: readonly Fields[]) =>
          items.map((item) => (item['type'] === 'message' ? item['role'] : ownText(item)));
        expect(skeleton(itemsIn(written))).toEqual(skeleton(itemsIn(body)));
        expect(messagesOf(wire, written).map(({ chat }) => chat.tool_calls)).toEqual(
          messages.map(({ chat }) => chat.tool_calls),
        );
      }),
    );
  });
});
