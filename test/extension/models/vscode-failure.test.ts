import { describe, expect, it } from 'vitest';
import { ModelError } from '../../../src/agent/model/chat-model.ts';
import { vscodeFailure } from '../../../src/extension/models/vscode-failure.ts';

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
  ])('is told by its code %s', (code, expected, words) => {
    const found = failure(languageModelError(code, 'no'));
    expect(found.code).toBe(expected);
    expect(found.message).toMatch(words);
  });

  it('is an overflow where the words or those of the cause say so', () => {
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
  ])('is told by the words of its cause: %s', (words, expected) => {
    expect(failure(languageModelError('Unknown', 'Failed', new Error(words))).code).toBe(expected);
  });

  it('is no failure where somebody stopped it', () => {
    expect(failure(Object.assign(new Error('Canceled'), { name: 'Canceled' })).code).toBe('cancelled');
  });

  it('quotes what was said, shortened, and keeps the cause', () => {
    const cause = languageModelError('Unknown', 'x'.repeat(10_000));
    const found = failure(cause);
    expect(found.message.length).toBeLessThan(700);
    expect(found.cause).toBe(cause);
  });

  it('stays what it was where it is one of ours', () => {
    const ours = new ModelError('cut-off', 'Broken off.');
    expect(failure(ours)).toBe(ours);
  });

  it('may be anything', () => {
    expect(failure('text')).toMatchObject({ code: 'server' });
    expect(failure(undefined)).toMatchObject({ code: 'server' });
  });
});
