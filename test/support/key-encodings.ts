function backwards(text: string): string {
  return Array.from(text).reverse().join('');
}

function percent(text: string): string {
  return Array.from(text, (character) => `%${character.charCodeAt(0).toString(16)}`).join('');
}

/** Ways in which a server could send back a key that it received. */
export const keyEncodings: Readonly<Record<string, (text: string) => string>> = {
  plain: (text) => text,
  'in capitals': (text) => text.toUpperCase(),
  backwards,
  'in base64': (text) => Buffer.from(text).toString('base64'),
  'in base64 for addresses': (text) => Buffer.from(text).toString('base64url'),
  'in base64 behind one other byte': (text) => Buffer.from(`:${text}`).toString('base64'),
  'in base64 behind two other bytes': (text) => Buffer.from(`u:${text}!`).toString('base64'),
  'in base64, backwards': (text) => backwards(Buffer.from(text).toString('base64')),
  'backwards, in base64': (text) => Buffer.from(backwards(text)).toString('base64'),
  'in hexadecimal digits': (text) => Buffer.from(text).toString('hex'),
  'in large hexadecimal digits': (text) => Buffer.from(text).toString('hex').toUpperCase(),
  'in hexadecimal digits, backwards': (text) => backwards(Buffer.from(text).toString('hex')),
  'as parts of an address': (text) => encodeURIComponent(text),
  'as parts of an address, every character': percent,
  'with the escapes of JSON': (text) => percent(text).replaceAll('%', '\\u00'),
  'with the escapes of JavaScript': (text) => percent(text).replaceAll('%', '\\x'),
  'with the escapes of HTML': (text) => percent(text).replace(/%(..)/g, '&#x$1;'),
};
