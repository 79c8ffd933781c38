import { describe, expect, it } from 'vitest';
import { readProviderError } from '../../../src/agent/model/provider-error.ts';

describe('the error message of a provider', () => {
  it.each([
    ['OpenAI', { error: { message: 'No.', type: 'invalid', code: null } }, 'No.'],
    ['Mistral', { object: 'error', message: 'No.', code: '3051' }, 'No.'],
    ['FastAPI', { detail: 'No.' }, 'No.'],
    ['FastAPI, after validation', { detail: [{ loc: ['body', 'x'], msg: 'No.' }] }, 'body.x: No.'],
    ['Gemini', [{ error: { message: 'No.', status: 'INVALID_ARGUMENT' } }], 'No.'],
    ['Cloudflare', { success: false, errors: [{ code: 5021, message: 'No.' }] }, 'No.'],
    ['Bedrock', { Message: 'No.' }, 'No.'],
    ['Ollama', { error: 'No.' }, 'No.'],
    ['a proxy', '<!DOCTYPE html><style>b{}</style><b>No.</b>', 'No.'],
    ['a plain text', 'No.', 'No.'],
    ['JSON in a text', '400 {"error":{"message":"No."}}', 'No.'],
    [
      'a gateway and the server behind it',
      { error: { message: 'Provider error.', metadata: { raw: '{"error":{"message":"No."}}' } } },
      'Provider error. No.',
    ],
    ['a text that only looks like JSON', 'What {is} this?', 'What {is} this?'],
    ['an empty body', null, ''],
    ['a number', 7, ''],
  ])('is found in the form of %s', (_who, body, message) => {
    expect(readProviderError(body).message).toBe(message);
  });

  it('comes with the code, which is also the status if it is a number', () => {
    expect(readProviderError({ message: 'No.', code: 502 })).toMatchObject({ code: '502', status: 502 });
  });

  it('is empty if it is nested too deeply', () => {
    let body: unknown = 'bottom';
    for (let depth = 0; depth < 10_000; depth++) body = { error: body };
    expect(readProviderError(body).message).toBe('');
  });
});
