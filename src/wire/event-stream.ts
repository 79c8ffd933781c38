import { objectionToValue } from '../transcripts/reading/fields.ts';

// Every JavaScript runtime has it. The types of this layer include neither a browser's nor Node's.
declare const TextDecoder: new (label?: string) => {
  decode(bytes: Uint8Array, options?: { readonly stream?: boolean }): string;
};

/** Reads a stream of server-sent events that arrives in pieces. */
export interface EventStreamReader {
  /** Takes the next bytes, which may end anywhere. */
  push(bytes: Uint8Array): void;
  /** Takes an event without the empty line at its end. */
  end(): void;
}

/** Maximum characters of one event. A longer one is skipped. */
const longestEvent = 8_000_000;

/**
 * Reads the events of a stream by the rules of the HTML standard, section 9.2.6. Events whose data is not JSON, such as
 * `[DONE]`, are skipped.
 *
 * @param take receives the parsed data of each event
 */
export function createEventStreamReader(take: (data: unknown) => void): EventStreamReader {
  const decoder = new TextDecoder('utf-8');
  /** The pieces of the unfinished line. */
  let pieces: string[] = [];
  let data: string[] = [];
  let length = 0;
  let endsWithReturn = false;

  const dispatch = () => {
    if (data.length > 0 && length <= longestEvent) takeJson(data.join('\n'), take);
    data = [];
    length = 0;
  };
  const endLine = () => {
    const line = pieces.join('');
    pieces = [];
    if (line === '') dispatch();
    else if (line.startsWith('data:')) data.push(line.slice(line.startsWith('data: ') ? 6 : 5));
  };
  const add = (text: string) => {
    length += text.length;
    if (length <= longestEvent) pieces.push(text);
    // An empty line stays empty, because it ends the event.
    else if (text !== '') pieces = ['skipped'];
  };
  const read = (text: string) => {
    let from = endsWithReturn && text.startsWith('\n') ? 1 : 0;
    if (text !== '') endsWithReturn = text.endsWith('\r');
    lineEnd.lastIndex = from;
    for (let found = lineEnd.exec(text); found !== null; found = lineEnd.exec(text)) {
      add(text.slice(from, found.index));
      endLine();
      from = lineEnd.lastIndex;
    }
    if (from < text.length) add(text.slice(from));
  };
  return {
    push: (bytes) => read(decoder.decode(bytes, { stream: true })),
    end: () => {
      read(decoder.decode(new Uint8Array()));
      endLine();
      dispatch();
    },
  };
}

const lineEnd = /\r\n|\r|\n/gu;

function takeJson(text: string, take: (data: unknown) => void): void {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return;
  }
  if (objectionToValue(value) === undefined) take(value);
}
