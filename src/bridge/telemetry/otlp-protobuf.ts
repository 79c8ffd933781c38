import type { Fields } from '../../transcripts/reading/fields.ts';

/** The type of a field. `id`: bytes as hexadecimal digits; `number`: a whole number of any size. */
type Kind = 'text' | 'id' | 'bytes' | 'bool' | 'number' | 'fixed' | 'double';

/** The name of a message's field in OTLP/JSON, and its type. A list has any number of values. */
type Field = readonly [name: string, holds: Kind | (() => Shape), list?: 'list'];
/** The fields of a message by number. All others are skipped. */
type Shape = Readonly<Record<number, Field>>;

const anyValue: Shape = {
  1: ['stringValue', 'text'],
  2: ['boolValue', 'bool'],
  3: ['intValue', 'number'],
  4: ['doubleValue', 'double'],
  5: ['arrayValue', () => ({ 1: ['values', () => anyValue, 'list'] })],
  6: ['kvlistValue', () => ({ 1: ['values', () => keyValue, 'list'] })],
  7: ['bytesValue', 'bytes'],
};
const keyValue: Shape = { 1: ['key', 'text'], 2: ['value', () => anyValue] };
const resource: Shape = { 1: ['attributes', () => keyValue, 'list'] };
const event: Shape = {
  1: ['timeUnixNano', 'fixed'],
  2: ['name', 'text'],
  3: ['attributes', () => keyValue, 'list'],
};
const span: Shape = {
  1: ['traceId', 'id'],
  2: ['spanId', 'id'],
  4: ['parentSpanId', 'id'],
  5: ['name', 'text'],
  7: ['startTimeUnixNano', 'fixed'],
  8: ['endTimeUnixNano', 'fixed'],
  9: ['attributes', () => keyValue, 'list'],
  11: ['events', () => event, 'list'],
};
const logRecord: Shape = {
  1: ['timeUnixNano', 'fixed'],
  5: ['body', () => anyValue],
  6: ['attributes', () => keyValue, 'list'],
  9: ['traceId', 'id'],
  10: ['spanId', 'id'],
  11: ['observedTimeUnixNano', 'fixed'],
  12: ['eventName', 'text'],
};

/** Exports by their name in OTLP/JSON. Of each message, the fields that the reader of telemetry needs. */
const exports = {
  resourceSpans: exportOf('resourceSpans', 'scopeSpans', 'spans', span),
  resourceLogs: exportOf('resourceLogs', 'scopeLogs', 'logRecords', logRecord),
} as const;

function exportOf(outer: string, middle: string, inner: string, record: Shape): Shape {
  const scope: Shape = { 2: [inner, () => record, 'list'] };
  return {
    1: [outer, () => ({ 1: ['resource', () => resource], 2: [middle, () => scope, 'list'] }), 'list'],
  };
}

/** Maximum number of messages in an export, because each takes memory, and of levels. */
const mostMessages = 1_000_000;
const deepest = 100;

/**
 * Reads an export in protobuf. @returns the same export as in OTLP/JSON
 * @throws {RangeError} if the bytes are not protobuf, or hold too many messages
 */
export function decodeExport(kind: keyof typeof exports, bytes: Uint8Array): Fields {
  return new Reader(bytes).message(bytes.byteLength, exports[kind], deepest);
}

class Reader {
  private readonly view: DataView;
  private readonly bytes: Buffer;
  private at = 0;
  private left = mostMessages;

  constructor(bytes: Uint8Array) {
    this.bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** @param end position after the message */
  message(end: number, shape: Shape, levels: number): Fields {
    if (levels === 0 || this.left-- === 0) throw new RangeError('too many messages');
    const read: Record<string, unknown> = {};
    while (this.at < end) {
      const tag = Number(this.varint());
      const [name = '', holds, list] = shape[Math.floor(tag / 8)] ?? [];
      const value = this.value(tag % 8, holds, levels);
      if (value === undefined) continue;
      if (list === undefined) read[name] = value;
      else if (Array.isArray(read[name])) read[name].push(value);
      else read[name] = [value];
    }
    if (this.at > end) throw new RangeError('a field is longer than its message');
    return read;
  }

  /** @returns undefined for a field that is not read, or has another type */
  private value(wire: number, holds: Field[1] | undefined, levels: number): unknown {
    if (wire === 0) {
      const value = this.varint();
      if (holds === 'bool') return value !== 0n;
      return holds === 'number' ? String(BigInt.asIntN(64, value)) : undefined;
    }
    const length = wire === 1 ? 8 : wire === 5 ? 4 : wire === 2 ? Number(this.varint()) : Infinity;
    const start = this.at;
    const end = start + length;
    if (end > this.bytes.length)
      throw new RangeError('a field is longer than the body, or of an unknown type');
    if (wire === 2 && typeof holds === 'function') return this.message(end, holds(), levels - 1);
    this.at = end;
    if (wire === 1 && holds === 'fixed') return String(this.view.getBigUint64(start, true));
    if (wire === 1 && holds === 'double') return this.view.getFloat64(start, true);
    if (wire !== 2) return undefined;
    if (holds === 'text') return this.bytes.toString('utf8', start, end);
    if (holds === 'id') return this.bytes.toString('hex', start, end);
    return holds === 'bytes' ? this.bytes.toString('base64', start, end) : undefined;
  }

  private varint(): bigint {
    const first = this.bytes[this.at];
    if (first !== undefined && first < 0x80) {
      this.at++;
      return BigInt(first);
    }
    let value = 0n;
    for (let shift = 0n; shift < 70n; shift += 7n) {
      const byte = this.bytes[this.at++];
      if (byte === undefined) break;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return BigInt.asUintN(64, value);
    }
    throw new RangeError('a number does not end');
  }
}

/** Writes a message of numbers and bytes, each with the number of its field. */
export function encodeMessage(
  fields: readonly (readonly [field: number, value: number | Uint8Array])[],
): Uint8Array {
  return Buffer.concat(
    fields.flatMap(([field, value]) =>
      typeof value === 'number'
        ? [varint(field * 8), varint(value)]
        : [varint(field * 8 + 2), varint(value.length), value],
    ),
  );
}

function varint(value: number): Uint8Array {
  const bytes: number[] = [];
  let left = value;
  for (; left >= 0x80; left = Math.floor(left / 0x80)) bytes.push((left % 0x80) + 0x80);
  return Uint8Array.from([...bytes, left]);
}
