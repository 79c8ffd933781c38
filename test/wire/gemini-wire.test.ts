import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { sizesOf, totalOf } from '../../scripts/agents/server/request-sizes.ts';
import { geminiWire as server } from '../../scripts/agents/server/wires/gemini-wire.ts';
import type { Message } from '../../src/compaction/messages/message.ts';
import { loadEncoding } from '../../src/compaction/tokens/token-counter.ts';
import { sum } from '../../src/compaction/tokens/usage.ts';
import type { Fields } from '../../src/transcripts/reading/fields.ts';
import { geminiWire } from '../../src/wire/gemini-wire.ts';
import { requestMessages } from '../../src/wire/sent-messages.ts';
import { createMeter } from '../support/engine.ts';

const path = '/v1beta/models/gemini-2.5-pro:streamGenerateContent';
const file = new URL('../fixtures/agents/gemini-cli/last-request.json', import.meta.url);
const { body: real } = JSON.parse(readFileSync(file, 'utf8')) as { readonly body: Fields };
const read = (body: Fields) => geminiWire.readRequest(body, path)!;
const signed = { functionCall: { name: 'read', args: { path: 'a.ts' } }, thoughtSignature: 'c2ln' };
const response = { functionResponse: { name: 'read', response: { output: 'const a = 1;' } } };
const body: Fields = {
  systemInstruction: { parts: [{ text: 'You write code.' }] },
  contents: [
    { role: 'user', parts: [{ text: 'What is in a.ts?' }] },
    { role: 'model', parts: [{ text: 'Read it.', thought: true }, signed, signed] },
    { role: 'user', parts: [response, response] },
  ],
};

describe('a request of Gemini', () => {
  it('has as many tokens as a server counts, within 1 %', async () => {
    const meter = await createMeter();
    const { messages, tools } = read(real);
    const view = requestMessages(messages, false).map((message, index): Message => {
      return { ...message, id: `m${index}`, createdAt: new Date(0).toISOString() };
    });
    const declared = await meter.measureTools(tools.map(({ schema }) => schema));
    const { total } = sum([declared, await meter.measure(view)]);
    const counted = totalOf(sizesOf(server.read(real), await loadEncoding('o200k_base')));
    expect(Math.abs(total / counted - 1)).toBeLessThan(0.01);
  });

  it('pairs results with calls without ids, in their order', () => {
    const [, , reply, first, second] = read(body).messages.map(({ chat }) => chat);
    expect(reply?.tool_calls?.map(({ id }) => id)).toEqual(['read#1', 'read#2']);
    expect([first?.tool_call_id, second?.tool_call_id]).toEqual(['read#1', 'read#2']);
  });

  it.each([
    ['as Gemini CLI sent it', real],
    ['with signatures', body],
    ['as Code Assist wraps it', { model: 'gemini-2.5-pro', request: body }],
  ])('is written back %s', (_form, sent) => {
    expect(geminiWire.withMessages(sent, read(sent).messages)).toEqual(sent);
  });

  it('keeps the signature of a call that was changed', () => {
    const messages = read(body).messages.map((message) =>
      message.chat.role === 'assistant' ? { ...message, raw: [] } : message,
    );
    const contents = geminiWire.withMessages(body, messages)['contents'] as readonly Fields[];
    expect(contents[1]).toEqual({ role: 'model', parts: [signed, signed] });
  });

  it('never throws, whatever the body', () => {
    const fields = fc.constantFrom('contents', 'tools', 'systemInstruction', 'request');
    fc.assert(
      fc.property(fc.dictionary(fields, fc.jsonValue()), (sent) => {
        geminiWire.withMessages(sent, geminiWire.readRequest(sent, path)?.messages ?? []);
      }),
    );
  });
});

describe('a reply of Gemini', () => {
  const readReply = (pieces: readonly unknown[]) => {
    const reader = geminiWire.createReplyReader();
    for (const piece of pieces) reader.take(piece);
    return reader.reply;
  };
  const pieceOf = (text: string) => ({ response: { candidates: [{ content: { parts: [{ text }] } }] } });

  it('is the same in any pieces', () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), (text) => {
        expect(readReply(Array.from(text, pieceOf))).toEqual(readReply([pieceOf(text)]));
      }),
    );
  });

  it('counts thoughts as output, and what tools added to the prompt as input', () => {
    const usageMetadata = {
      promptTokenCount: 90,
      cachedContentTokenCount: 80,
      toolUsePromptTokenCount: 10,
      candidatesTokenCount: 5,
      thoughtsTokenCount: 4,
    };
    const usage = { inputTokens: 100, outputTokens: 9, cachedInputTokens: 80 };
    expect(readReply([{ usageMetadata }])?.usage).toEqual(usage);
  });

  it('never throws, whatever the pieces', () => {
    fc.assert(fc.property(fc.array(fc.jsonValue()), (pieces) => void readReply(pieces)));
  });
});
