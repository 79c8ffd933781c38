import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createEventStreamReader } from '../../src/wire/event-stream.ts';

/** Reads a stream that arrives in the given pieces. */
function dataOf(pieces: Iterable<Uint8Array>): readonly unknown[] {
  const taken: unknown[] = [];
  const reader = createEventStreamReader((data) => taken.push(data));
  for (const piece of pieces) reader.push(piece);
  reader.end();
  return taken;
}

const bytesOf = (text: string) => new TextEncoder().encode(text);

describe('an event stream', () => {
  it.each([
    ['lines that end with a line feed', 'data: {"a":1}\n\ndata: {"b":2}\n\n'],
    ['lines that end with both characters', 'data: {"a":1}\r\n\r\ndata: {"b":2}\r\n\r\n'],
    ['lines that end with a carriage return', 'data: {"a":1}\r\rdata: {"b":2}\r\r'],
    ['no space after the colon', 'data:{"a":1}\n\ndata:{"b":2}\n\n'],
    ['comments and other fields', ': ping\n\nevent: x\nid: 1\ndata: {"a":1}\n\n: ping\ndata: {"b":2}\n\n'],
    ['data over several lines', 'data: {"a":\ndata: 1}\n\ndata: {"b":2}\n\n'],
    ['an end mark', 'data: {"a":1}\n\ndata: {"b":2}\n\ndata: [DONE]\n\n'],
    ['data that is not JSON', 'data: {"a":1}\n\ndata: {"a\n\ndata: {"b":2}\n\n'],
    ['no empty line at its end', 'data: {"a":1}\n\ndata: {"b":2}'],
    ['a byte order mark', '\uFEFFdata: {"a":1}\n\ndata: {"b":2}\n\n'],
  ])('may have %s', (_, text) => {
    expect(dataOf([bytesOf(text)])).toEqual([{ a: 1 }, { b: 2 }]);
  });

  it('is read alike wherever it is cut', () => {
    const bytes = bytesOf('data: {"text":"“ä” 🦉"}\r\n\r\n: ping\n\ndata: {"text":\rdata: "é"}\r\r');
    const expected = [{ text: '“ä” 🦉' }, { text: 'é' }];
    expect(dataOf(Array.from(bytes, (byte) => Uint8Array.of(byte)))).toEqual(expected);
    fc.assert(
      fc.property(fc.array(fc.nat(bytes.length), { maxLength: 6 }), (cuts) => {
        const places = [0, ...cuts.toSorted((one, other) => one - other), bytes.length];
        const pieces = places.slice(1).map((end, index) => bytes.subarray(places[index], end));
        expect(dataOf(pieces)).toEqual(expected);
      }),
    );
  });

  it('skips an event that is too long, and reads the next one', () => {
    const long = bytesOf(`data: "${'x'.repeat(999_990)}`);
    const pieces = [bytesOf('data: [1,\n'), ...Array.from({ length: 9 }, () => long)];
    expect(dataOf([...pieces, bytesOf('\n\ndata: {"next":1}\n\n')])).toEqual([{ next: 1 }]);
  });

  it('skips data that is nested too deeply, and drops fields that would change a prototype', () => {
    const deep = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
    const [data, ...others] = dataOf([bytesOf(`data: ${deep}\n\ndata: {"__proto__":{"a":1},"b":2}\n\n`)]);
    expect(others).toEqual([]);
    expect(Object.keys(data as object)).toEqual(['b']);
  });
});
