import { bridgeSentences } from '../../language/english/bridge-english.ts';
import { SentenceError } from '../../language/sentence.ts';

/** @throws {SentenceError} unless the text is the address of an HTTP server, without a name and password */
export function upstreamOf(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isUsable =
    url !== undefined &&
    (url.protocol === 'https:' || url.protocol === 'http:') &&
    url.username === '' &&
    url.password === '' &&
    url.search === '' &&
    url.hash === '';
  if (!isUsable) throw new SentenceError(bridgeSentences.say('notAnUpstream', { text }));
  return url;
}
