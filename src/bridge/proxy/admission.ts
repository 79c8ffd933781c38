import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/**
 * Checks that a request is from a program of this machine that knows the token. Refuses what a web page could send: a
 * foreign host, to which a rebound name leads, and an origin. Refuses targets in absolute form, too.
 * @returns what follows the token in the target, with its query; undefined if the request is refused
 */
export function admittedTarget(request: IncomingMessage, token: string, port: number): string | undefined {
  const { headers, url = '' } = request;
  const [given] = /^\/[^/?]*/u.exec(url) ?? [];
  const isAdmitted =
    given !== undefined &&
    isSame(given, `/${token}`) &&
    isHere(headers.host, port) &&
    headers.origin === undefined;
  return isAdmitted ? url.slice(given.length) : undefined;
}

/** Compares hashes, whose length does not depend on the secret, in constant time. */
function isSame(given: string, secret: string): boolean {
  const [one, other] = [given, secret].map((text) => createHash('sha256').update(text).digest());
  return timingSafeEqual(one!, other!);
}

function isHere(host: string | undefined, port: number): boolean {
  const [, given] = /^(?:127\.0\.0\.1|localhost|\[::1\])(?::(\d{1,5}))?$/iu.exec(host ?? '') ?? [null];
  return given !== null && Number(given ?? 80) === port;
}
