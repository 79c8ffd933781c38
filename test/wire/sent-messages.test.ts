import { describe, expect, it } from 'vitest';
import type { Fields } from '../../src/transcripts/reading/fields.ts';
import { geminiWire } from '../../src/wire/gemini-wire.ts';
import { requestMessages } from '../../src/wire/sent-messages.ts';

describe('the messages of a request', () => {
  it('include a second result of a call, as a text that the model reads', () => {
    const call = { functionCall: { id: 'call_1', name: 'read', args: {} } };
    const result = { functionResponse: { id: 'call_1', name: 'read', response: { output: 'const a = 1;' } } };
    const body: Fields = {
      contents: [
        { role: 'user', parts: [{ text: 'What is in a.ts?' }] },
        { role: 'model', parts: [call] },
        { role: 'user', parts: [result, result] },
      ],
    };
    const { messages } = geminiWire.readRequest(body, '/v1beta/models/a:generateContent')!;
    expect(requestMessages(messages, false).slice(2)).toMatchObject([
      { role: 'tool', tool_call_id: 'call_1', content: 'const a = 1;' },
      { role: 'user', content: 'const a = 1;', origin: 'tool' },
    ]);
  });
});
