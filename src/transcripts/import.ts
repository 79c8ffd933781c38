import { transcriptOf, type Transcript } from '../compaction/transcript.ts';
import { aiderFormat } from './aider-format.ts';
import { chatReplayFormat } from './chat-replay-format.ts';
import { claudeCodeFormat } from './claude-code-format.ts';
import { clineFormat } from './cline-format.ts';
import { clineTaskFormat } from './cline-task-format.ts';
import { codexFormat } from './codex-format.ts';
import { fileShape } from './file-shape.ts';
import { ImportError, OtherFileError, type Imported, type TranscriptFormat } from './format.ts';
import { geminiCliFormat } from './gemini-cli-format.ts';
import { litellmFormat } from './litellm-format.ts';
import { openaiFormat } from './openai-format.ts';
import { openhandsFormat } from './openhands-format.ts';
import { piFormat } from './pi-format.ts';
import { withResultsBehindCalls } from './result-order.ts';
import { sessionFormat } from './session-format.ts';
import { soundImport } from './sound-import.ts';
import { specstoryFormat } from './specstory-format.ts';
import { sweAgentFormat } from './swe-agent-format.ts';
import { tauBenchFormat } from './tau-bench-format.ts';

/**
 * The first that recognises a file reads it. Pi's sessions begin like our own, with more in the first line; what is
 * JSON and nothing else is left to the last.
 */
const formats: readonly TranscriptFormat[] = [
  piFormat,
  sessionFormat,
  claudeCodeFormat,
  codexFormat,
  geminiCliFormat,
  openhandsFormat,
  litellmFormat,
  chatReplayFormat,
  clineFormat,
  clineTaskFormat,
  sweAgentFormat,
  tauBenchFormat,
  specstoryFormat,
  aiderFormat,
  openaiFormat,
];

export const formatIds: readonly string[] = formats.map((format) => format.id);

/** What a file holds, and in which format that was. */
export interface ImportedTranscript extends Imported {
  /** Id of the format. */
  readonly format: string;
  readonly transcript: Transcript;
}

/**
 * Reads a transcript.
 *
 * @param format the id of a format, or `auto`
 * @param conversation id of another one in the file than the one in force
 * @throws {ImportError} if no format fits, or the named one does not, or there is no such conversation
 */
export function importTranscript(text: string, format = 'auto', conversation?: string): ImportedTranscript {
  const chosen =
    format === 'auto'
      ? formats.find((candidate) => candidate.recognises(text))
      : formats.find((candidate) => candidate.id === format);
  if (chosen === undefined) throw format === 'auto' ? unknownFile(text) : unknownFormat(format);
  const imported = soundImport(
    withResultsBehindCalls(conversationIn(parse(chosen, text, format === 'auto'), conversation)),
  );
  return { ...imported, format: chosen.id, transcript: transcriptOf(imported.entries) };
}

function parse(chosen: TranscriptFormat, text: string, isGuess: boolean): Imported {
  try {
    return chosen.parse(text);
  } catch (error) {
    throw isGuess && error instanceof OtherFileError ? unknownFile(text) : error;
  }
}

function unknownFile(text: string): ImportError {
  const known = formatIds.join(', ');
  return new ImportError(
    `This is no transcript in a known format (${known}); it looks like ${fileShape(text)}.`,
  );
}

function unknownFormat(format: string): ImportError {
  return new ImportError(`There is no format ${format}; there are ${formatIds.join(', ')}.`);
}

function conversationIn(imported: Imported, id: string | undefined): Imported {
  if (id === undefined) return imported;
  const others = imported.others ?? [];
  const found = others.find((other) => other.id === id);
  if (found !== undefined) return found.read();
  const ids = others.map((other) => other.id).join(', ');
  throw new ImportError(
    ids === ''
      ? `There is no conversation ${id} in this file, which holds only one.`
      : `There is no conversation ${id} in this file; beside the one in force there are ${ids}.`,
  );
}
