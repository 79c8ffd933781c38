import type { Sentence } from '../../language/sentence.ts';
import { settingsSentences } from '../../language/english/settings-english.ts';

/** Code for the reason why a server's address is invalid. A code cannot reveal a password in the address. */
type BaseUrlProblem = 'no-url' | 'scheme' | 'credentials' | 'query';

/** Checks a server's base address, to which paths are appended. @returns undefined if it is valid */
export function baseUrlProblem(text: string): BaseUrlProblem | undefined {
  if (!URL.canParse(text)) return hasCredentials(text) ? 'credentials' : 'no-url';
  const { protocol, username, password, search, hash } = new URL(text);
  if (username !== '' || password !== '') return 'credentials';
  if (protocol !== 'http:' && protocol !== 'https:') return 'scheme';
  return search === '' && hash === '' ? undefined : 'query';
}

/** Sentences for the user about the problem with an address. */
export const baseUrlAdvice: Readonly<Record<BaseUrlProblem, Sentence>> = {
  'no-url': settingsSentences.say('baseUrlIsNone'),
  scheme: settingsSentences.say('baseUrlScheme'),
  credentials: settingsSentences.say('baseUrlCredentials'),
  query: settingsSentences.say('baseUrlQuery'),
};

/** True if the host name identifies this machine without a name server. */
export function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127\.\d+\.\d+\.\d+$/.test(hostname);
}

/** Returns an origin that is contacted without encryption; undefined for `https:` and for this machine. */
export function clearTextOrigin(baseUrl: string): string | undefined {
  if (!URL.canParse(baseUrl)) return undefined;
  const { protocol, hostname, origin } = new URL(baseUrl);
  return protocol === 'http:' && !isLoopback(hostname) ? origin : undefined;
}

/** True if an address contains credentials, even if it is not a valid URL. */
function hasCredentials(text: string): boolean {
  const start = text.indexOf('://');
  if (start < 0) return false;
  const authority = text.slice(start + 3).split(/[/?#\\]/, 1)[0] ?? '';
  return authority.includes('@');
}
