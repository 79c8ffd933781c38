import type { EmbeddedImage } from '../../compaction/images/image-part.ts';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';
import { agentSentences } from '../../language/english/agent-english.ts';
import type { Sentence } from '../../language/sentence.ts';
import { readWholeFile, withRealFile } from '../files/real-file.ts';
import type { Workspace } from '../files/workspace.ts';
import { fileProblem } from '../tools/support/tool.ts';
import { checkPicture, largestPicture, tooLarge } from './picture.ts';

/** Sources of the pictures in messages. */
export interface PicturePorts {
  /** The bytes of a stored picture; undefined if it was removed. */
  readonly read: (name: string) => Promise<Uint8Array | undefined>;
  readonly model: () => PictureTaker;
}

/** The picture support of a model. */
export interface PictureTaker {
  readonly label: string;
  /** False if it takes no pictures; undefined if that is not known. */
  readonly takesPictures: boolean | undefined;
}

/** A picture that is sent with a message, or the reason why it is not. */
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

/** The reason why a model gets no pictures, as a sentence; undefined if it takes them, or that is not known. */
export function refusalOf({ label, takesPictures }: PictureTaker, name: string): Sentence | undefined {
  return takesPictures === false ? agentSentences.say('pictureNotTaken', { model: label, name }) : undefined;
}
