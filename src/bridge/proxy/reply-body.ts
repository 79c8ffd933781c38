import { objectionToValue } from '../../transcripts/reading/fields.ts';
import { createEventStreamReader, type EventStreamReader } from '../../wire/event-stream.ts';
import type { ReplyReader, WireReply } from '../../wire/wire.ts';

/** Maximum bytes of a reply that is read whole. */
const longestReply = 64_000_000;
/** Maximum characters of an error that a provider sends instead of a reply. */
const longestError = 500;

/** The body of a response: a stream of events, or one document. */
export class ReplyBody {
  private readonly reader: ReplyReader;
  private events: EventStreamReader | undefined;
  private pieces: Buffer[] = [];
  private length = 0;

  constructor(reader: ReplyReader) {
    this.reader = reader;
  }

  /** @param type the content type of the response */
  begin(type: string): void {
    if (/event-stream/iu.test(type)) this.events = createEventStreamReader((data) => this.reader.take(data));
  }

  push(bytes: Uint8Array): void {
    if (this.events !== undefined) {
      this.events.push(bytes);
      return;
    }
    this.length += bytes.length;
    if (this.length > longestReply) this.pieces = [];
    else this.pieces.push(Buffer.from(bytes));
  }

  /** @returns the reply as far as it came */
  end(): WireReply | undefined {
    this.events?.end();
    const document = this.document();
    // Gemini streams a list of replies unless it is asked for events.
    for (const part of Array.isArray(document) ? document : [document]) {
      if (part !== undefined) this.reader.take(part);
    }
    return this.reader.reply;
  }

  /** Returns the provider's message if the status is an error. */
  refusal(status: number | undefined): string | undefined {
    if (status === undefined || status < 400) return undefined;
    const text = Buffer.concat(this.pieces)
      .toString('utf8')
      .slice(0, 4 * longestError);
    const named = /"message"\s*:\s*"((?:[^"\\]|\\.){1,500})/u.exec(text)?.[1];
    const shown = named ?? (/^\s*</u.test(text) ? 'the answer is a web page' : text);
    return shown.replace(/\s+/gu, ' ').trim().slice(0, longestError) || undefined;
  }

  private document(): unknown {
    if (this.events !== undefined || this.length === 0 || this.length > longestReply) return undefined;
    try {
      const value: unknown = JSON.parse(Buffer.concat(this.pieces).toString('utf8'));
      return objectionToValue(value) === undefined ? value : undefined;
    } catch {
      return undefined;
    }
  }
}
