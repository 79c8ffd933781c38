import { describe, expect, it } from 'vitest';
import {
  frameOf,
  framesIn,
  MessageError,
  readBoundedJson,
} from '../../../src/agent/custom-strategy/frames.ts';
import { readProcessMessage } from '../../../src/agent/custom-strategy/worker-messages.ts';

const largest = 1_000;

async function* pieces(bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield await Promise.resolve(bytes.subarray(at, at + size));
}

async function read(bytes: Buffer, size: number): Promise<unknown[]> {
  const found: unknown[] = [];
  for await (const frame of framesIn(pieces(bytes, size), largest)) found.push(readBoundedJson(frame));
  return found;
}

describe('messages of a process', () => {
  const messages = [{ a: 'ä"\\' }, [], 'text', 7, { deep: [[{ x: null }]] }];
  const bytes = Buffer.concat(messages.map((message) => frameOf(message, largest)));

  it.each([1, 2, 3, 5, 7, 64, 1_000])('are reassembled from pieces of %i bytes', async (size) => {
    expect(await read(bytes, size)).toEqual(messages);
  });

  it('are refused before they are read if they are too long', async () => {
    const header = Buffer.alloc(4);
    header.writeUInt32LE(4_000_000_000);
    await expect(read(header, 4)).rejects.toThrow(MessageError);
    expect(() => frameOf('x'.repeat(largest), largest)).toThrow(MessageError);
  });

  it.each([
    ['values', `[${'[],'.repeat(300_000)}[]]`],
    ['levels', `${'['.repeat(101)}${']'.repeat(101)}`],
  ])('are refused before they are parsed if they have too many %s', (_name, json) => {
    expect(() => readBoundedJson(Buffer.from(json))).toThrow(MessageError);
  });

  it('may contain brackets, commas and quotes in their strings', () => {
    const text = '[{,"\\'.repeat(100_000);
    expect(readBoundedJson(Buffer.from(JSON.stringify([text])))).toEqual([text]);
  });

  it.each(['{', '"', '"\\', '{"a":}', 'undefined', ''])('are refused if they are not JSON: %j', (json) => {
    expect(() => readBoundedJson(Buffer.from(json))).toThrow(SyntaxError);
  });

  it.each([
    null,
    7,
    [],
    {},
    { id: 1, call: 'exec', parameters: [] },
    { id: '1', call: 'now', parameters: [] },
    { id: 1, call: 'now', parameters: {} },
    { id: 1, call: ['now'], parameters: [] },
    { id: '1', value: 7 },
    { id: 1, error: 'x' },
    { id: 1, error: { code: 'internal', message: 'x' } },
    { id: 1, error: { message: 'x' } },
    { id: 1, error: { code: 'custom-failed', message: 7 } },
  ])('are ignored if their form is unknown: %j', (message) => {
    expect(readProcessMessage(message)).toBeUndefined();
  });

  describe('of a failure', () => {
    const error = { code: 'custom-failed', message: 'as it says' };

    it('use the English of our table, whatever the process sends', () => {
      const sentence = { key: 'custom.cannotImport', values: { module: 'node:net' }, english: 'Call 555.' };
      expect(readProcessMessage({ id: 1, error: { ...error, sentence } })).toEqual({
        id: 1,
        error: {
          ...error,
          sentence: { ...sentence, english: 'A custom strategy cannot import node:net.' },
        },
      });
    });

    it.each([
      { key: 'host.noSuchChat', values: {} },
      { key: 'custom.toString', values: {} },
      { key: 'custom', values: {} },
      { key: 'custom.noFile', values: 7 },
      'custom.noFile',
    ])('use no sentence that is unknown or from another table: %j', (sentence) => {
      expect(readProcessMessage({ id: 1, error: { ...error, sentence } })).toEqual({
        id: 1,
        error: { ...error, sentence: undefined },
      });
    });
  });
});
