import type { Wire } from '../../wire/wire.ts';

/** Receives an exchange of a client with its provider while the proxy passes it on. Bytes are decompressed. */
export interface ExchangeObserver {
  /** Takes the body of the request; undefined if it is larger than the limit for recording. */
  body(bytes: Uint8Array | undefined): void;
  /** Takes the head of the response. Headers are in lower case, and only those on the allow-list. */
  head(status: number, headers: Readonly<Record<string, string>>): void;
  chunk(bytes: Uint8Array): void;
  end(outcome: ExchangeOutcome): void;
}

/**
 * `complete`: the whole response came; `cancelled`: the client left; `cut-off`: the upstream broke off; `unreachable`:
 * there was no response.
 */
export type ExchangeOutcome = 'complete' | 'cancelled' | 'cut-off' | 'unreachable';

/** A request that a client sent, before its body. */
export interface ExchangeStart {
  readonly wire: Wire;
  readonly asks: 'reply' | 'count';
  readonly method: string;
  /** Path without the token and the query. */
  readonly path: string;
  /** Headers that name the client and its session, in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  /** Values of the headers with credentials, only for a recorder to remove. They are stored nowhere. */
  readonly secrets: readonly string[];
  readonly at: Date;
}
