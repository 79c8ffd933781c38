import { transcriptOf, type Transcript } from '../compaction/transcript.ts';
import { ImportError, type Imported, type TranscriptFormat } from './format.ts';
import { openaiFormat } from './openai-format.ts';
import { sessionFormat } from './session-format.ts';

const formats: readonly TranscriptFormat[] = [sessionFormat, openaiFormat];

export const formatIds: readonly string[] = formats.map((format) => format.id);

/**
 * Reads a transcript.
 *
 * @param format the id of a format, or `auto`
 * @throws {ImportError} if no format fits, or the named one does not
 */
export function importTranscript(
  text: string,
  format = 'auto',
): Imported & { readonly transcript: Transcript } {
  const chosen =
    format === 'auto'
      ? formats.find((candidate) => candidate.recognises(text))
      : formats.find((candidate) => candidate.id === format);
  if (chosen === undefined) {
    throw new ImportError(
      format === 'auto'
        ? `This is no transcript in a known format (${formatIds.join(', ')}).`
        : `There is no format ${format}; there are ${formatIds.join(', ')}.`,
    );
  }
  const imported = chosen.parse(text);
  return { ...imported, transcript: transcriptOf(imported.entries) };
}
