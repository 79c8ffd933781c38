import { isRecord } from '../../language/is-record.ts';

/** Time limits of an answer, in milliseconds. */
export interface AnswerTimes {
  /** Maximum time without a byte. */
  readonly silence: number;
  /** Maximum time without a complete line of data. Comments keep a connection open but contain no data. */
  readonly standstill: number;
  /** Maximum time from the headers of the answer to its end. */
  readonly duration: number;
}

/** Limit that an answer exceeded. `dropped` means that it ended in the middle of a line. */
type AnswerLimit = keyof AnswerTimes | 'bytes' | 'line' | 'lines' | 'dropped';

/** Error for an answer that exceeded a limit or was cut off. */
export class AnswerLimitError extends Error {
  override readonly name = 'AnswerLimitError';
  readonly limit: AnswerLimit;
  /** The limit in milliseconds, bytes or lines; 0 for `dropped`. */
  readonly value: number;

  constructor(limit: AnswerLimit, value: number) {
    super(`Over the limit of ${limit}: ${value}.`);
    this.limit = limit;
    this.value = value;
  }
}

/** Maximum bytes of one event. A whole reply with encrypted reasoning takes one or two million bytes. */
export const longestEvent = 8_000_000;
/** Maximum number of lines in a stream: three for each of 1.3 million tokens, which is more than any reply has. */
export const mostLines = 4_000_000;
/** Maximum bytes of a stream after decompression: 300 for each of a million tokens, times two. */
const longestStream = 600_000_000;
/** Maximum bytes of an answer that is read whole, after decompression. A compacted conversation is the longest. */
export const longestDocument = 16_000_000;

/** Wraps a response so that its body fails with an `AnswerLimitError` beyond a limit. */
export function withLimits(response: Response, times: AnswerTimes): Response {
  const { body, status, statusText, headers } = response;
  if (body === null) return response;
  const type = headers.get('content-type') ?? '';
  const isStream = /event-stream/i.test(type) || !/json|html/i.test(type);
  const bounded = isStream
    ? boundedBody(body, longestStream, times, new EventBytes())
    : boundedBody(body, longestDocument, times);
  return new Response(bounded, { status, statusText, headers });
}

/** Reads the beginning of a stream that may never end. @param bytes after decompression @param duration milliseconds */
export async function beginningOf(response: Response, bytes: number, duration: number): Promise<string> {
  const { body } = response;
  if (body === null) return '';
  const times = { silence: duration, standstill: duration, duration };
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const piece of boundedBody(body, bytes, times))
      text += decoder.decode(piece, { stream: true });
  } catch {
    // The bytes received so far contain the error, so no more bytes are needed.
  }
  return text + decoder.decode();
}

function boundedBody(
  body: NonNullable<Response['body']>,
  mostBytes: number,
  times: AnswerTimes,
  events?: EventBytes,
): ReadableStream<Uint8Array> {
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  const watch = new Watch(times, mostBytes);
  const next = async (): Promise<Uint8Array | undefined> => {
    for (;;) {
      const { done, value } = await watch.wait(reader.read());
      if (done) return events?.end();
      watch.take(value.byteLength);
      if (events === undefined) {
        watch.progress();
        return value;
      }
      const whole = events.push(value);
      if (events.hasProgressed) watch.progress();
      if (whole !== undefined) return whole;
    }
  };
  let isOver = false;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        try {
          const bytes = isOver ? undefined : await next();
          // The end of the stream may release further events.
          if (bytes === undefined) controller.close();
          else controller.enqueue(bytes);
          isOver ||= events?.isOver === true;
        } catch (error) {
          void reader.cancel(error).catch(() => undefined);
          throw error;
        }
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}

class Watch {
  private readonly times: AnswerTimes;
  private readonly mostBytes: number;
  private readonly start = performance.now();
  private lastProgress = this.start;
  private bytes = 0;

  constructor(times: AnswerTimes, mostBytes: number) {
    this.times = times;
    this.mostBytes = mostBytes;
  }

  progress(): void {
    this.lastProgress = performance.now();
  }

  take(bytes: number): void {
    this.bytes += bytes;
    if (this.bytes > this.mostBytes) throw new AnswerLimitError('bytes', this.mostBytes);
  }

  /** @throws {AnswerLimitError} if a time limit passes first */
  async wait<Value>(value: Promise<Value>): Promise<Value> {
    const { silence, standstill, duration } = this.times;
    const now = performance.now();
    const left: readonly (readonly [keyof AnswerTimes, number])[] = [
      ['silence', silence],
      ['standstill', this.lastProgress + standstill - now],
      ['duration', this.start + duration - now],
    ];
    const [limit, milliseconds] = left.reduce((first, other) => (other[1] < first[1] ? other : first));
    const failure = new AnswerLimitError(limit, this.times[limit]);
    // Checked here as well, because data that is always available would let comments continue for ever.
    if (milliseconds <= 0) {
      value.catch(() => undefined);
      throw failure;
    }
    let timer: NodeJS.Timeout | undefined;
    const passed = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => reject(failure), milliseconds);
    });
    try {
      return await Promise.race([value, passed]);
    } finally {
      clearTimeout(timer);
    }
  }
}

const lineFeed = 10;
const carriageReturn = 13;
const colon = 58;

/** Passes on a stream in whole events, without comments, so that the next reader reads each byte once. */
class EventBytes {
  /** Whole events, followed by the beginning of the next one. */
  private kept = new Uint8Array(4_096);
  private length = 0;
  private eventStart = 0;
  private lineStart = 0;
  /** Bytes of the unfinished line. The bytes of a comment count, although they are not kept. */
  private lineLength = 0;
  private lines = 0;
  private isComment = false;
  private skipsLineFeed = false;
  /** True if the last bytes completed a line of data. */
  hasProgressed = false;
  isOver = false;

  push(bytes: Uint8Array): Uint8Array | undefined {
    this.hasProgressed = false;
    let start = 0;
    for (let at = 0; at < bytes.length; at++) {
      const byte = bytes[at];
      if (byte !== lineFeed && byte !== carriageReturn) {
        this.skipsLineFeed = false;
        continue;
      }
      const isSecondHalf = byte === lineFeed && this.skipsLineFeed;
      this.skipsLineFeed = byte === carriageReturn;
      if (!isSecondHalf) {
        this.addToLine(bytes.subarray(start, at));
        this.endLine();
      }
      start = at + 1;
    }
    this.addToLine(bytes.subarray(start));
    return this.takeEvents();
  }

  /** @returns the rest, with its missing empty line @throws {AnswerLimitError} if the last line is incomplete */
  end(): Uint8Array | undefined {
    this.isOver = true;
    if (this.lineLength > 0 && !this.isComment) {
      const line = Buffer.from(this.kept.subarray(this.lineStart, this.length)).toString('utf8');
      if (!isWhole(line)) throw new AnswerLimitError('dropped', 0);
      this.endLine();
    }
    this.endLine();
    return this.takeEvents();
  }

  private addToLine(bytes: Uint8Array): void {
    if (bytes.length === 0) return;
    if (this.lineLength === 0) this.isComment = bytes[0] === colon;
    this.lineLength += bytes.length;
    const eventLength = this.lineStart - this.eventStart + this.lineLength;
    if (eventLength > longestEvent) throw new AnswerLimitError('line', longestEvent);
    if (!this.isComment) this.keep(bytes);
  }

  private endLine(): void {
    if (++this.lines > mostLines) throw new AnswerLimitError('lines', mostLines);
    const isEmpty = this.lineLength === 0;
    const endsEvent = isEmpty && this.length > this.eventStart;
    if (endsEvent || (!isEmpty && !this.isComment)) this.keep(newLine);
    if (!isEmpty && !this.isComment) this.hasProgressed = true;
    if (endsEvent) {
      const event = Buffer.from(this.kept.subarray(this.eventStart, this.length)).toString('utf8');
      if (saysNothing(event)) this.length = this.eventStart;
      this.eventStart = this.length;
    }
    this.lineStart = this.length;
    this.lineLength = 0;
  }

  private keep(bytes: Uint8Array): void {
    const needed = this.length + bytes.length;
    if (needed > this.kept.length) {
      const larger = new Uint8Array(2 * needed);
      larger.set(this.kept.subarray(0, this.length));
      this.kept = larger;
    }
    this.kept.set(bytes, this.length);
    this.length = needed;
  }

  private takeEvents(): Uint8Array | undefined {
    const { eventStart } = this;
    if (eventStart === 0) return undefined;
    const events = this.kept.slice(0, eventStart);
    this.kept.copyWithin(0, eventStart, this.length);
    this.length -= eventStart;
    this.lineStart -= eventStart;
    this.eventStart = 0;
    return events;
  }
}

const newLine = Uint8Array.of(lineFeed);

/** True for an event without data or choices. Such an event would make the SDK fail. */
function saysNothing(event: string): boolean {
  const data = event
    .split('\n')
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice('data:'.length))
    .join('\n');
  if (data.trim() === '') return true;
  if (!data.includes('"choices"')) return false;
  try {
    const fields: unknown = JSON.parse(data);
    const choices = isRecord(fields) && fields['error'] == null ? fields['choices'] : undefined;
    return Array.isArray(choices) && !choices.every(isRecord);
  } catch {
    return false;
  }
}

/** True if a last line without a line end is complete: its data is valid JSON or `[DONE]`. */
function isWhole(line: string): boolean {
  if (!line.startsWith('data:')) return false;
  const data = line.slice('data:'.length).trim();
  if (data === '[DONE]') return true;
  try {
    JSON.parse(data);
    return true;
  } catch {
    return false;
  }
}
