import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { keyEncodings } from '../../support/key-encodings.ts';
import { KeyForms, KeyRedactor } from '../../../src/agent/network/key-redactor.ts';

const key = 'sk-proj-CANARY7f3a91c2d4e5/+Zq_0';
const forms = new KeyForms(key);

describe('a key that a server sends back', () => {
  test.each(Object.entries(keyEncodings))('%s is removed', (_name, encode) => {
    const sent = encode(key);
    const shown = forms.redact(`The key ${sent} is wrong.`);
    expect(shown).toMatch(/^The key \S*\[key\]\S* is wrong\.$/);
    for (const part of partsOf(sent, 12)) expect(shown).not.toContain(part);
  });

  test.each(Object.entries(keyEncodings))('%s is removed even in part', (_name, encode) => {
    for (const part of partsOf(key.slice('sk-proj-'.length), 8)) {
      expect(forms.redact(`"${encode(part)}"`)).toContain('[key]');
    }
  });

  test('is removed wherever the pieces of a stream split it', () => {
    const pieces = fc.array(
      fc.oneof(
        fc.string({ maxLength: 6 }),
        fc.constantFrom(...Object.values(keyEncodings).map((f) => f(key))),
      ),
      { maxLength: 6 },
    );
    fc.assert(
      fc.property(pieces, fc.array(fc.integer({ min: 1, max: 12 }), { minLength: 1 }), (texts, lengths) => {
        const text = texts.join('');
        expect(streamed(text, lengths)).toBe(forms.redact(text));
      }),
    );
  });

  test('is replaced by one mark, however many pieces it arrives in', () => {
    expect(streamed(`<${key}>`, [1])).toBe('<[key]>');
  });
});

describe('text that is not a key', () => {
  test('stays unchanged, including escape sequences', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.integer({ min: 1, max: 9 }), (text, length) => {
        expect(streamed(text, [length])).toBe(text);
      }),
    );
  });

  test("may begin with the prefix of a provider's keys", () => {
    const text = "if (key.startsWith('sk-proj-')) return;";
    expect(forms.redact(text)).toBe(text);
  });

  test.each(['ollama', 'lm-studio', 'not-needed', 'sk-no-key-required', 'key', ''])(
    'may be a placeholder: "%s"',
    (placeholder) => {
      const text = `The server is called ${placeholder} here.`;
      expect(new KeyForms(placeholder).redact(text)).toBe(text);
    },
  );

  test('may be any text if no key is sent', () => {
    expect(new KeyForms(undefined).redact(key)).toBe(key);
  });
});

test('a short key is removed as a whole', () => {
  expect(new KeyForms('sk-1234').redact('Wrong: sk-1234')).toBe('Wrong: [key]');
});

test('strings and names in a JSON value are redacted, and nothing else changes', () => {
  const value = { kind: 'x', [key]: [1, null, `a ${key}`, { b: keyEncodings['backwards']!(key) }] };
  expect(forms.redactJson(value)).toEqual({ kind: 'x', '[key]': [1, null, 'a [key]', { b: '[key]' }] });
  const harmless = { kind: 'x', list: [1, true, 'y'] };
  expect(forms.redactJson(harmless)).toEqual(harmless);
});

function partsOf(text: string, length: number): readonly string[] {
  return Array.from({ length: text.length - length + 1 }, (_, at) => text.slice(at, at + length));
}

function streamed(text: string, lengths: readonly number[]): string {
  const redactor = new KeyRedactor(forms);
  let shown = '';
  for (let at = 0, piece = 0; at < text.length; piece++) {
    const length = lengths[piece % lengths.length] ?? 1;
    shown += redactor.push(text.slice(at, at + length));
    at += length;
  }
  return shown + redactor.end();
}
