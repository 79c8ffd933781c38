import type { IncomingMessage } from 'node:http';
import { createDecompressor, decompress, isBomb, isPlain, largestBody } from './decompression.ts';
import type { ExchangeObserver, ExchangeOutcome } from './observed-exchange.ts';
import { observedOfResponse } from './headers.ts';

/** Maximum bytes of a response that wait until the body of the request is decompressed. */
const mostWaitingBytes = 16_000_000;

/**
 * Tells an observer about an exchange, in the order of its members. A failure of the observer or of a decompressor is
 * logged and ends the observation. It does not reach the exchange.
 */
export class Observation {
  private observer: ExchangeObserver | undefined;
  private readonly log: (line: string) => void;
  /** Calls until the body of the request is known. */
  private waiting: (() => void)[] | undefined = [];
  private waitingBytes = 0;
  private isBodyComing = false;
  /** Ends the reading of the response. @param then is called after its last bytes */
  private finish = (then: () => void): void => then();

  constructor(observer: ExchangeObserver, log: (line: string) => void) {
    this.observer = observer;
    this.log = log;
  }

  /** Reads the body of the request while it is passed on. */
  readRequest(request: IncomingMessage): void {
    let pieces: Buffer[] = [];
    let size = 0;
    request.on('data', (piece: Buffer) => {
      size += piece.length;
      if (size > largestBody) pieces = [];
      else pieces.push(piece);
    });
    request.once('end', () => {
      if (size > largestBody) this.body(undefined);
      else {
        this.isBodyComing = true;
        const encoding = request.headers['content-encoding'];
        void decompress(Buffer.concat(pieces), encoding).then((bytes) => this.body(bytes));
      }
    });
  }

  /** Takes the body of the request. Only the first call counts. */
  body(bytes: Uint8Array | undefined): void {
    const { waiting } = this;
    if (waiting === undefined) return;
    this.waiting = undefined;
    this.tell((observer) => observer.body(bytes));
    for (const call of waiting) call();
  }

  /** Reads a response while it is passed on. */
  readResponse(response: IncomingMessage): void {
    const { headers, statusCode = 0 } = response;
    this.inOrder(0, (observer) => observer.head(statusCode, observedOfResponse(headers)));
    const encoding = headers['content-encoding'];
    if (isPlain(encoding)) response.on('data', (bytes: Buffer) => this.chunk(bytes));
    else this.readCompressed(response, encoding);
  }

  end(outcome: ExchangeOutcome): void {
    this.finish(() => {
      this.inOrder(0, (observer) => observer.end(outcome));
      if (!this.isBodyComing) this.body(undefined);
    });
  }

  private readCompressed(response: IncomingMessage, encoding: string | undefined): void {
    const decompressor = createDecompressor(encoding);
    if (decompressor === undefined) {
      this.log(
        `A response is in an encoding that cannot be read: ${encoding?.slice(0, 40)}. It is not recorded.`,
      );
      return;
    }
    let size = 0;
    const stop = (reason: string) => {
      response.unpipe(decompressor);
      decompressor.destroy();
      this.log(`A compressed response cannot be read: ${reason}. The rest of it is not recorded.`);
    };
    decompressor.on('data', (bytes: Buffer) => {
      size += bytes.length;
      if (isBomb(decompressor.bytesWritten, size)) stop('it grows too much');
      else this.chunk(bytes);
    });
    decompressor.on('error', ({ message }) => stop(message));
    // As one of two receivers, it slows the response down rather than keep more and more of it.
    response.pipe(decompressor, { end: false });
    this.finish = (then) => {
      if (decompressor.destroyed) then();
      else decompressor.once('close', then).end();
    };
  }

  private chunk(bytes: Uint8Array): void {
    this.inOrder(bytes.byteLength, (observer) => observer.chunk(bytes));
  }

  private inOrder(bytes: number, call: (observer: ExchangeObserver) => void): void {
    this.waitingBytes += bytes;
    if (this.waitingBytes > mostWaitingBytes) this.body(undefined);
    if (this.waiting === undefined) this.tell(call);
    else this.waiting.push(() => this.tell(call));
  }

  private tell(call: (observer: ExchangeObserver) => void): void {
    if (this.observer === undefined) return;
    try {
      call(this.observer);
    } catch (error) {
      this.observer = undefined;
      this.log(
        `An exchange is not recorded any further: ${error instanceof Error ? error.message : 'it failed'}`,
      );
    }
  }
}
