import type { IncomingMessage } from 'node:http';
import { largestBody } from './decompression.ts';

/** Reads a body up to the limit for recording. The rest stays in the request. */
export function firstPart(
  request: IncomingMessage,
): Promise<{ readonly pieces: readonly Buffer[]; readonly isWhole: boolean }> {
  return new Promise((resolve) => {
    const pieces: Buffer[] = [];
    let size = 0;
    const stop = (isWhole: boolean) => {
      request.off('data', take);
      if (!isWhole) request.pause();
      resolve({ pieces, isWhole });
    };
    const take = (piece: Buffer) => {
      pieces.push(piece);
      size += piece.length;
      if (size > largestBody) stop(false);
    };
    request.on('data', take);
    request.once('end', () => stop(true));
    request.once('close', () => stop(request.complete));
  });
}
