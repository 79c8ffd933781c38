import type { Readable } from 'node:stream';
import { isRecord } from '../../language/is-record.ts';
import { HookCallError } from './hook-call.ts';

/** Maximum bytes of a call. A call after a tool contains the tool's output. */
const longestCall = 64_000_000;

/** Time limits of a call, in milliseconds. */
const patience = {
  /** Wait for more input after a complete call, because some agents leave standard input open. */
  quiet: 30,
  /** Limit for the whole call, well below the time that agents wait. */
  most: 5_000,
};

/**
 * Reads a call up to the end of input, or after one complete JSON object. It then closes the stream, so that the
 * program can exit.
 * @throws {HookCallError} if the input is too long or does not end
 */
export function readHookInput(input: Readable, { quiet, most } = patience): Promise<string> {
  const pieces: Buffer[] = [];
  let length = 0;
  let pause: NodeJS.Timeout | undefined;
  return new Promise<string>((resolve, reject) => {
    const end = (how: () => void) => {
      clearTimeout(pause);
      clearTimeout(limit);
      input.destroy();
      how();
    };
    const read = () => Buffer.concat(pieces).toString('utf8');
    const limit = setTimeout(() => {
      end(() => reject(new HookCallError('standard input did not end')));
    }, most);
    input.on('data', (piece: Buffer) => {
      pieces.push(piece);
      length += piece.length;
      clearTimeout(pause);
      if (length > longestCall) end(() => reject(new HookCallError('standard input is too long')));
      else
        pause = setTimeout(() => {
          const text = read();
          if (isObject(text)) end(() => resolve(text));
        }, quiet);
    });
    input.once('end', () => end(() => resolve(read())));
    input.once('error', (error) => end(() => reject(error)));
  });
}

function isObject(text: string): boolean {
  try {
    return isRecord(JSON.parse(text));
  } catch {
    return false;
  }
}
