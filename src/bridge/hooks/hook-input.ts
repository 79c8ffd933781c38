import type { Readable } from 'node:stream';
import { isRecord } from '../../language/is-record.ts';
import { HookCallError } from './hook-call.ts';

/** Bytes of the longest call that is read. Calls after a tool hold what it returned. */
const longestCall = 64_000_000;

/** Time that a call may take, in milliseconds. */
interface HookPatience {
  /** After an input that is whole; agents that leave standard input open write no more. */
  readonly quiet: number;
  /** For all of it: well before agents stop waiting. */
  readonly most: number;
}

const patience: HookPatience = { quiet: 30, most: 5_000 };

/**
 * Reads a call to its end: where the input ends, or where nothing comes after a whole JSON object. The stream is closed
 * then, so that it does not keep the program running.
 *
 * @throws {HookCallError} if the input is too long, or never ends
 */
export function readHookInput(input: Readable, { quiet, most }: HookPatience = patience): Promise<string> {
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
