import type { TakenText } from '../../../src/presenters/live/appended-text.ts';

/** A source that hands over its text piece by piece. */
interface Readable {
  read(into: TakenText, signal: AbortSignal, progress?: (share: number) => void): Promise<boolean>;
}

/** The text that one reading returns, and whether it is the whole text; undefined if there is no new text. */
export async function takenText(
  from: Readable,
  progress?: (share: number) => void,
): Promise<{ readonly text: string; readonly isWhole: boolean } | undefined> {
  const pieces: Buffer[] = [];
  let isWhole = false;
  const into: TakenText = {
    append: (added) => void pieces.push(Buffer.from(added as string)),
    reset: () => void (isWhole = true),
  };
  const isNew = await from.read(into, new AbortController().signal, progress);
  return isNew ? { text: Buffer.concat(pieces).toString(), isWhole } : undefined;
}
