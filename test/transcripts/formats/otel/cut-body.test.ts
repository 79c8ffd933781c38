import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bodyOfRequest } from '../../../../src/transcripts/formats/otel/cut-body.ts';

const marker = '\n\n[TRUNCATED - Content exceeds 60KB limit]';
const messages = [
  { role: 'user', content: [{ type: 'text', text: 'Is "a\\b" {whole}?' }] },
  { role: 'assistant', content: [{ type: 'tool_use', id: 'c1', name: 'Read', input: { path: ['a'] } }] },
];
const body = {
  model: 'm',
  messages,
  system: [{ type: 'text', text: 'Be brief.' }],
  tools: [{ name: 'Read', input_schema: { type: 'object' } }, { name: 'Edit' }],
  stream: true,
};
const text = JSON.stringify(body);
const cutAfter = (end: string) => text.slice(0, text.indexOf(end) + end.length) + marker;

describe('the body of a request in telemetry', () => {
  it('is read as it is if it is whole', () => {
    expect(bodyOfRequest(text)).toEqual({ fields: body });
  });

  it('has the tools before the cut', () => {
    const { fields, cut } = bodyOfRequest(cutAfter('"Edit'));
    expect(cut).toBe('tools');
    expect(fields).toEqual({
      model: 'm',
      messages,
      system: body.system,
      tools: body.tools.slice(0, 1),
    });
  });

  it('has the messages before the cut, and a list of tools all the same', () => {
    expect(bodyOfRequest(cutAfter('"path":["a'))).toEqual({
      fields: { model: 'm', messages: messages.slice(0, 1), tools: [] },
      cut: 'messages',
    });
  });

  it('is empty if it is no JSON', () => {
    expect(bodyOfRequest('no body').fields).toEqual({ tools: [] });
    expect(bodyOfRequest(undefined).fields).toEqual({});
  });

  it('begins like the whole body, wherever it was cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.record({ role: fc.string(), content: fc.json() }), { minLength: 1 }),
        fc.nat(),
        (said, at) => {
          const whole = JSON.stringify({ messages: said, tools: body.tools });
          const { fields } = bodyOfRequest(whole.slice(0, at % whole.length) + marker);
          const read = (fields['messages'] ?? []) as readonly unknown[];
          expect(read).toEqual(said.slice(0, read.length));
        },
      ),
    );
  });
});
