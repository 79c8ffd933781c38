import type { EmbeddedImage } from '../../compaction/images/image-part.ts';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import { agentSentences } from '../../language/english/agent-english.ts';
import type { Sentence } from '../../language/sentence.ts';
import { readWholeFile, withRealFile } from '../files/real-file.ts';
import type { Workspace } from '../files/workspace.ts';
import { fileProblem } from '../tools/support/tool.ts';
import { checkPicture, largestPicture, tooLarge } from './picture.ts';

/** The store of pictures in messages, and the model that gets them. */
export interface PicturePorts {
  /** The bytes of a stored picture; undefined if it was removed. */
  readonly read: (name: string) => Promise<Uint8Array | undefined>;
  readonly model: () => PictureTaker;
}

/** A model that may or may not take pictures. */
export interface PictureTaker {
  readonly label: string;
  /** False if the model takes no pictures; undefined if that is unknown. */
  readonly takesPictures: boolean | undefined;
}

/** A picture to send with a message, or the reason why it cannot be sent. */
export type PictureReading =
  | { readonly type: 'picture'; readonly path?: string; readonly image: EmbeddedImage }
  | { readonly problem: Sentence | string; readonly isPicture: boolean };

/** Reads a stored picture. */
export async function readKept(name: string, pictures: PicturePorts | undefined): Promise<PictureReading> {
  const bytes = await pictures?.read(name);
  if (bytes === undefined) return { problem: agentSentences.say('pictureGone', { name }), isPicture: true };
  const checked = checkPicture(bytes, name);
  return 'problem' in checked ? { ...checked, isPicture: true } : { type: 'picture', image: checked.image };
}

/** Reads a picture of the workspace. @throws {CancelledError} if the signal was aborted */
export async function readPictureFile(
  path: string,
  workspace: Workspace,
  signal: AbortSignal,
): Promise<PictureReading> {
  const resolution = await workspace.resolve(path);
  if ('refusal' in resolution) return { problem: resolution.refusal, isPicture: true };
  const { shown, path: real } = resolution.place;
  try {
    const checked = await withRealFile(real, async (file) => {
      const bytes = await readWholeFile(file, largestPicture, signal);
      return bytes === undefined ? { problem: tooLarge(shown, file.size) } : checkPicture(bytes, shown);
    });
    throwIfCancelled(signal);
    return 'problem' in checked
      ? { ...checked, isPicture: true }
      : { type: 'picture', path: shown, image: checked.image };
  } catch (error) {
    throwIfCancelled(signal);
    const { summary, content } = fileProblem(error, shown);
    const isAbsent = error instanceof Error && Reflect.get(error, 'code') === 'ENOENT';
    // A path without a file may be an ordinary word of the message.
    return { problem: summary ?? content, isPicture: !isAbsent };
  }
}

/** Returns the reason why a model gets no pictures. Undefined if it takes pictures or may take them. */
export function refusalOf({ label, takesPictures }: PictureTaker, name: string): Sentence | undefined {
  return takesPictures === false ? agentSentences.say('pictureNotTaken', { model: label, name }) : undefined;
}
