import { importTranscript } from '../../transcripts/import-transcript.ts';
import type { Imported } from '../../transcripts/reading/transcript-format.ts';

/** A transcript whose text comes piece by piece. */
export interface FollowedTranscript {
  append(text: string): void;
  /**
   * Everything so far, as if it had come at once.
   *
   * @throws {ImportError} as `importTranscript`
   */
  read(): Imported;
}

/** Reads the whole text each time, which is right for every format. */
export function wholeTranscript(): FollowedTranscript {
  const pieces: string[] = [];
  return {
    append: (text) => void pieces.push(text),
    read: () => {
      const text = pieces.join('');
      pieces.splice(0, pieces.length, text);
      return importTranscript(text);
    },
  };
}
