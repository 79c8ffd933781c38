import type { ServerResponse } from 'node:http';
import type { Wire } from '../../wire/wire.ts';

/** Answers in place of the upstream, with one line in the form of the client's protocol if it is known. */
export function answerInOneLine(response: ServerResponse, status: number, line: string, wire?: Wire): void {
  if (response.headersSent) return;
  const body = wire?.errorBody(status, line) ?? `${line}\n`;
  const type = wire === undefined ? 'text/plain; charset=utf-8' : 'application/json';
  response.writeHead(status, { 'content-type': type, 'content-length': Buffer.byteLength(body) });
  response.end(body);
}
