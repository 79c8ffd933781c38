import type { ServerResponse } from 'node:http';
import { encodeMessage } from './otlp-protobuf.ts';

/** The encodings of OTLP over HTTP. */
export type OtlpEncoding = 'json' | 'protobuf';

/** An answer to an export. */
export interface OtlpAnswer {
  readonly status: number;
  /** Reason why not everything was accepted. */
  readonly reason?: string;
  /** Number of records that were not accepted, although others were, and its name in OTLP/JSON. */
  readonly rejected?: readonly [name: string, count: number];
}

/** Sends an answer in the encoding of the request, as OTLP demands. */
export function sendOtlpAnswer(response: ServerResponse, encoding: OtlpEncoding, answer: OtlpAnswer): void {
  if (response.destroyed) return;
  const type = encoding === 'json' ? 'application/json' : 'application/x-protobuf';
  response.writeHead(answer.status, { 'content-type': type });
  response.end(encoding === 'json' ? JSON.stringify(asJson(answer)) : asProtobuf(answer));
}

function asJson({ status, reason, rejected }: OtlpAnswer): object {
  if (status >= 400) return { message: reason };
  if (rejected === undefined) return {};
  const [name, count] = rejected;
  return { partialSuccess: { [name]: String(count), errorMessage: reason } };
}

function asProtobuf({ status, reason = '', rejected }: OtlpAnswer): Uint8Array {
  const text = Buffer.from(reason);
  if (status >= 400) return encodeMessage([[2, text]]);
  if (rejected === undefined) return encodeMessage([]);
  const partial = encodeMessage([
    [1, rejected[1]],
    [2, text],
  ]);
  return encodeMessage([[1, partial]]);
}
