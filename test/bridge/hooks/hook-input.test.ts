import { PassThrough } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { readHookInput } from '../../../src/bridge/hooks/hook-input.ts';

const call = '{"hook_event_name": "PreCompact"}';
/** Time passes only as the test says. */
const never = 2_147_483_647;

describe('readHookInput', () => {
  it('reads to the end of the input', async () => {
    const input = new PassThrough();
    const read = readHookInput(input, { quiet: never, most: never });
    input.write(call.slice(0, 9));
    input.end(call.slice(9));
    expect(await read).toBe(call);
  });

  it('does not wait for the end of the input after a complete object', async () => {
    const input = new PassThrough();
    const read = readHookInput(input, { quiet: 1, most: never });
    input.write(call);
    expect(await read).toBe(call);
    expect(input.destroyed).toBe(true);
  });

  it('continues to wait after part of an object', async () => {
    const input = new PassThrough();
    const read = readHookInput(input, { quiet: 1, most: never });
    input.write(call.slice(0, 9));
    await new Promise(setImmediate);
    input.write(call.slice(9));
    expect(await read).toBe(call);
  });

  it('gives up on an input that stays silent and never ends', async () => {
    const input = new PassThrough();
    await expect(readHookInput(input, { quiet: 1, most: 1 })).rejects.toThrow('did not end');
    expect(input.destroyed).toBe(true);
  });

  it('gives up on an input that is too long', async () => {
    const input = new PassThrough();
    const read = readHookInput(input, { quiet: never, most: never });
    const piece = Buffer.alloc(1_000_000, ' ');
    for (let written = 0; written < 70; written++) input.write(piece);
    await expect(read).rejects.toThrow('too long');
  });

  it('passes on the error of a broken stream', async () => {
    const input = new PassThrough();
    const read = readHookInput(input, { quiet: never, most: never });
    input.destroy(new Error('the pipe broke'));
    await expect(read).rejects.toThrow('the pipe broke');
  });
});
