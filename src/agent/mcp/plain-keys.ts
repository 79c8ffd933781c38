import { decoded } from '../../compaction/text/file-names.ts';
import { secretsOf } from '../command/redact.ts';
import type { McpServer } from './server-settings.ts';

/** Names of headers, parameters and options whose values are keys. */
const keyName = /auth|cookie|credential|key|passphrase|passwd|password|secret|session|signature|token/i;
/** Authentication schemes, which precede a key in a header. */
const schemes = /^(?:apikey|basic|bearer|digest|key|token)$/i;
/** Minimum characters of a value that counts as a key by its look alone. */
const shortestKey = 16;
/** Minimum characters of a value that counts as a key because of its name, such as `password`. */
const shortestNamed = 6;

/** Finds keys in plain text in a server's settings: values whose names indicate a key, or that look like keys. */
export function plainKeysOf(server: McpServer): readonly string[] {
  if (server.type === 'stdio') {
    const { args, environment } = server;
    const ofEnvironment = secretsOf(environment).map(({ value }) => value);
    const ofArguments = args.flatMap((argument, index) => {
      const [name = '', ...value] = argument.split('=');
      const isOption = argument.startsWith('-');
      return isOption && value.length > 0
        ? keysIn(name, value.join('='))
        : keysIn(args[index - 1]?.startsWith('-') === true ? args[index - 1]! : '', argument);
    });
    return [...ofEnvironment, ...ofArguments];
  }
  const { username, password, searchParams, pathname } = new URL(server.url);
  return [
    ...Object.entries(server.headers).flatMap(([name, value]) => keysIn(name, value)),
    ...[...searchParams].flatMap(([name, value]) => keysIn(name, value)),
    ...pathname.split('/').flatMap((part) => keysIn('', part)),
    ...keysIn('password', decoded(password)),
    ...keysIn('', decoded(username)),
  ];
}

/** Finds the keys in a value or a list of values: `Bearer …`, `a=…; b=…`, `Basic` with a user and a password. */
function keysIn(name: string, value: string): readonly string[] {
  const words = value.split(/[\s,;]+/).filter((word) => word !== '' && !schemes.test(word));
  const ofBasic = /^basic\s/i.test(value) ? words.map((word) => passwordIn(word)) : [];
  return [...words, ...words.map((word) => word.slice(word.indexOf('=') + 1)), ...ofBasic].filter((word) =>
    keyName.test(name) ? word.length >= shortestNamed : looksLikeKey(word),
  );
}

function passwordIn(base64: string): string {
  const text = Buffer.from(base64, 'base64').toString();
  return text.slice(text.indexOf(':') + 1);
}

/** True for a text that switches between small letters, capitals and digits more often than words do. */
function looksLikeKey(text: string): boolean {
  if (text.length < shortestKey || !/^[\w+/=.~:-]+$/.test(text)) return false;
  const kinds = (text.match(/[a-z]+|[A-Z]+|\d+/g) ?? []).length;
  return kinds >= text.length / 4;
}
