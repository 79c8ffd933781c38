import type { IncomingMessage, ServerResponse } from 'node:http';
import { finished } from 'node:stream/promises';
import { isRecord } from '../../language/is-record.ts';
import { type Fields, objectionToValue } from '../../transcripts/reading/fields.ts';
import { checkValues, unaskedLimits } from '../../transcripts/reading/read-limits.ts';
import { Credentials } from '../proxy/credentials.ts';
import { decompress } from '../proxy/decompression.ts';
import { credentialsOf } from '../proxy/headers.ts';
import { type LoopbackPorts, type RunningServer, startLoopbackServer } from '../proxy/loopback-server.ts';
import { firstPart } from '../proxy/limited-body.ts';
import { type OtlpAnswer, type OtlpEncoding, sendOtlpAnswer } from './otlp-answer.ts';
import { decodeExport } from './otlp-protobuf.ts';
import { storedTelemetryIn } from './stored-telemetry.ts';
import { TelemetryFiles } from './telemetry-files.ts';

/** The parts of a receiver that differ from run to run. */
interface TelemetryPorts extends LoopbackPorts {
  /** Folder of the files. */
  readonly folder: string;
}

/** Signals by path. Metrics have no messages, so they are accepted and dropped. */
const signals: Readonly<Record<string, 'resourceSpans' | 'resourceLogs' | 'nothing'>> = {
  '/v1/traces': 'resourceSpans',
  '/v1/logs': 'resourceLogs',
  '/v1/metrics': 'nothing',
};
const rejectedCount = { resourceSpans: 'rejectedSpans', resourceLogs: 'rejectedLogRecords' } as const;

/**
 * Starts a receiver of OTLP over HTTP on this machine's loopback interface. It stores requests to models as sessions.
 * @throws {SentenceError} if the port is in use
 */
export async function startTelemetryServer(ports: TelemetryPorts): Promise<RunningServer> {
  const files = new TelemetryFiles(ports.folder);
  const credentials = new Credentials();
  const receive = async (request: IncomingMessage, response: ServerResponse, target: string) => {
    const signal = signals[target.split('?', 1)[0] ?? ''];
    if (signal === undefined) {
      return refusal(404, 'Telemetry is received at /v1/traces, /v1/logs and /v1/metrics.');
    }
    if (request.method !== 'POST') return refusal(405, 'Telemetry is sent with POST.');
    const encoding = encodingOf(request);
    if (encoding === undefined) {
      return refusal(415, 'Telemetry is JSON or protobuf: set OTEL_EXPORTER_OTLP_PROTOCOL=http/json.');
    }
    if (request.headers.expect !== undefined) response.writeContinue();
    const { pieces, isWhole } = await firstPart(request);
    if (!isWhole) {
      // A client reads the answer only when it has sent everything.
      await finished(request.resume()).catch(() => {});
      return refusal(413, 'An export of more than 64 MB is not accepted. Send smaller batches.');
    }
    const body = await decompress(Buffer.concat(pieces), request.headers['content-encoding']);
    if (body === undefined) {
      return refusal(400, 'The compressed export cannot be read, or is larger than 64 MB.');
    }
    if (signal === 'nothing') return { status: 200 };
    const exported = encoding === 'json' ? parsedExport(body) : decodedExport(signal, body);
    if (typeof exported === 'string') return refusal(400, `The export cannot be read: ${exported}`);
    const records = storedTelemetryIn(credentials.redact(exported));
    const fitting = records.filter(({ line }) => Buffer.byteLength(line) <= unaskedLimits.line);
    await files.store(fitting);
    const count = records.length - fitting.length;
    if (count === 0) return { status: 200 };
    const reason = 'A record of more than 16 MB is not accepted.';
    return { status: 200, reason, rejected: [rejectedCount[signal], count] } as const;
  };
  const answer = async (request: IncomingMessage, response: ServerResponse, target: string) => {
    credentials.keepOut(credentialsOf(request.rawHeaders, target));
    const given = await receive(request, response, target).catch((error: unknown): OtlpAnswer => {
      const code = error instanceof Error && 'code' in error ? ` (${String(error.code)})` : '';
      return refusal(503, `The telemetry could not be stored${code}.`);
    });
    if (given.reason !== undefined) ports.log(given.reason);
    sendOtlpAnswer(response, encodingOf(request) ?? 'json', given);
  };
  return startLoopbackServer(ports, (request, response, target) => void answer(request, response, target));
}

function refusal(status: number, reason: string): OtlpAnswer {
  return { status, reason };
}

function encodingOf({ headers }: IncomingMessage): OtlpEncoding | undefined {
  const type = headers['content-type']?.split(';', 1)[0]?.trim().toLowerCase();
  if (type === 'application/json') return 'json';
  return type === 'application/x-protobuf' ? 'protobuf' : undefined;
}

/** @returns the reason if it cannot be read */
function parsedExport(body: Uint8Array): Fields | string {
  try {
    const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('utf8');
    checkValues(text, unaskedLimits);
    const value: unknown = JSON.parse(text);
    if (!isRecord(value)) return 'it is not an object.';
    return objectionToValue(value) ?? value;
  } catch (error) {
    return error instanceof SyntaxError ? 'it is not JSON.' : 'it has too many values.';
  }
}

/** @returns the reason if it cannot be read */
function decodedExport(signal: 'resourceSpans' | 'resourceLogs', body: Uint8Array): Fields | string {
  try {
    return decodeExport(signal, body);
  } catch (error) {
    return `${error instanceof RangeError ? error.message : 'it is not protobuf'}.`;
  }
}
