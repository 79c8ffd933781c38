import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Redactor, secretsOf } from '../../../src/agent/command/redact.ts';
import { words } from '../words.ts';

function redact(environment: Readonly<Record<string, string>>, pieces: readonly string[]): string {
  const redactor = new Redactor(secretsOf(environment));
  return pieces.map((piece) => redactor.push(piece)).join('') + redactor.end();
}

const hides = (name: string, value: string) => redact({ [name]: value }, [`<${value}>`]) === `<[${name}]>`;

describe('secretsOf', () => {
  it.each(
    words(`OPENAI_API_KEY APIKEY githubToken TOKEN CLIENT_SECRET DB_PASSWORD DB_PASSWD DB_PWD
      SMTP_PASS AWS_SECRET_ACCESS_KEY GOOGLE_CREDENTIALS NPM_CONFIG__AUTH SESSION_COOKIE
      AZURE_STORAGE_CONNECTION_STRING TOKEN_2`),
  )('recognises %s as the name of a secret', (name) => {
    expect(hides(name, 'k3-9fj2kq')).toBe(true);
  });

  it.each(['HOME', 'LANG', 'KEYBOARD', 'AUTHOR', 'MONKEYS_IN_ZOO', 'EDITOR', 'COMPASS_DIRECTION'])(
    'does not recognise %s as the name of a secret',
    (name) => {
      expect(hides(name, 'k3-9fj2kq')).toBe(false);
    },
  );

  it.each([
    ...words(`short /run/agent.sock ~/.ssh/id default production 123456`),
    ...['', 'C:\\keys\\x', '        '],
  ])('does not treat %j as a secret', (value) => {
    expect(hides('MY_KEY', value)).toBe(false);
  });

  it('finds passwords in addresses', () => {
    expect(redact({ DATABASE_URL: 'postgres://me:hu-nt3r2@host/db' }, ['postgres://me:hu-nt3r2@host'])).toBe(
      'postgres://me:[DATABASE_URL]@host',
    );
  });

  it.each([
    ['in an address', (key: string) => encodeURIComponent(key)],
    ['in JSON', (key: string) => JSON.stringify(key)],
    ['in HTML', (key: string) => key.replace('&', '&amp;').replace('<', '&lt;').replace('"', '&quot;')],
    ['as hexadecimal digits', (key: string) => Buffer.from(key).toString('hex')],
    ['as hexadecimal digits in capitals', (key: string) => Buffer.from(key).toString('hex').toUpperCase()],
  ])('finds a key that occurs %s', (_where, coded) => {
    const key = 'k3/9+fj"2k\\q&w<e';
    expect(redact({ API_KEY: key }, [coded(key).replace(/^"|"$/g, '')])).toBe('[API_KEY]');
  });

  it('finds long keys line by line', () => {
    const key = '-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG\nAoIBAQC7VJTUt9Us8cKj\n-----END KEY-----';
    expect(redact({ SIGNING_KEY: key }, ['  AoIBAQC7VJTUt9Us8cKj\r\n'])).toBe('  [SIGNING_KEY]\r\n');
  });

  it.each(['', 'u', 'us', 'user:'])('finds a secret in base64 after %j', (before) => {
    const encoded = Buffer.from(`${before}pass>>word??1~${before}`).toString('base64');
    const shown = redact({ MY_PASSWORD: 'pass>>word??1~' }, [encoded]);
    expect(shown).toContain('[MY_PASSWORD]');
    expect(Buffer.from(shown, 'base64').toString()).not.toContain('pass>>word');
  });
});

describe('Redactor', () => {
  it('passes on text at once unless it could be the start of a secret', () => {
    const redactor = new Redactor(secretsOf({ MY_TOKEN: 'abcdefgh' }));
    expect(redactor.push('some text')).toBe('some text');
    expect(redactor.push('ab')).toBe('');
    expect(redactor.push('x')).toBe('abx');
  });

  it('returns held text at the end', () => {
    expect(redact({ MY_TOKEN: 'abcdefgh' }, ['abcdefg'])).toBe('abcdefg');
  });

  it('waits for the longer of two secrets', () => {
    const environment = { A_TOKEN: 'abcdef', B_TOKEN: 'abcdefgh' };
    expect(redact(environment, ['abcdef', 'gh', 'abcdef', 'x'])).toBe('[B_TOKEN][A_TOKEN]x');
  });

  it('removes every secret, however the output is split, and changes nothing else', () => {
    // Few letters, so that secrets overlap each other and the text around them.
    const value = fc.string({ unit: fc.constantFrom('a', 'b', '.'), minLength: 6, maxLength: 9 });
    const piece = fc.string({ unit: fc.constantFrom('a', 'b', '.'), maxLength: 12 });
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 3 }), fc.array(piece), (values, between) => {
        const environment = Object.fromEntries(values.map((each, index) => [`TOKEN_${index}`, each]));
        const secrets = Object.values(environment).filter((each) => !/^\.{1,2}\//.test(each));
        const text = between.map((each, index) => each + (secrets[index % secrets.length] ?? '')).join('');
        const pieces = text.match(/[^]{1,5}/g) ?? [];
        const shown = redact(environment, pieces);
        expect(secrets.filter((secret) => shown.includes(secret))).toEqual([]);
        expect(shown).toBe(redact(environment, [text]));
        expect(restored(shown, environment)).toBe(text);
      }),
    );
  });

  it('is fast even for a secret of one repeated character', () => {
    const secret = 'a'.repeat(2_000);
    const text = 'a'.repeat(200_000);
    expect(redact({ MY_KEY: secret }, text.match(/.{1,4096}/g) ?? [])).toBe('[MY_KEY]'.repeat(100));
  });
});

function restored(shown: string, environment: Readonly<Record<string, string>>): string {
  return shown.replace(/\[(TOKEN_\d)\]/g, (_mark, name: string) => environment[name] ?? '');
}
