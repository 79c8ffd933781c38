import { type Transcript, transcriptOf } from '../compaction/transcript/transcript.ts';
import { aiderFormat } from './formats/aider-format.ts';
import { claudeCodeFormat } from './formats/claude-code/claude-code-format.ts';
import { clineFormat } from './formats/cline/cline-format.ts';
import { clineTaskFormat } from './formats/cline/cline-task-format.ts';
import { codexFormat } from './formats/codex/codex-format.ts';
import { copilotChatFormat } from './formats/copilot/copilot-chat-format.ts';
import { copilotEventsFormat } from './formats/copilot/copilot-events-format.ts';
import { geminiCliFormat } from './formats/gemini-cli/gemini-cli-format.ts';
import { openaiFormat } from './formats/openai-format.ts';
import { opencodeFormat } from './formats/opencode/opencode-format.ts';
import { openhandsFormat } from './formats/openhands-format.ts';
import { otelFormat } from './formats/otel/otel-format.ts';
import { piFormat } from './formats/pi/pi-format.ts';
import { qwenCodeFormat } from './formats/qwen-code/qwen-code-format.ts';
import { specstoryFormat } from './formats/specstory-format.ts';
import { objectionToValue } from './reading/fields.ts';
import { checkValues, noLimits, type ReadLimits, ValueLimit } from './reading/read-limits.ts';
import { linesOf, readEventLines } from './reading/json-document.ts';
import { jsonLines } from './reading/json-lines.ts';
import {
  type Imported,
  ImportError,
  OtherFileError,
  type TranscriptFormat,
} from './reading/transcript-format.ts';
import { sessionFormat } from './session/session-format.ts';
import { validateImport, withResultsBehindCalls } from './validate-import.ts';
import { importsSentences } from '../language/english/imports-english.ts';
import type { Sentence } from '../language/sentence.ts';
import { ellipsised } from '../compaction/text/clip.ts';
import { isRecord } from '../language/is-record.ts';

/**
 * Formats of agents in order of precedence: the first format that recognises a file reads it. Pi's sessions begin
 * like our own, with more fields in the first line. Lines of Qwen Code look like Claude Code's, but with messages in
 * another form. The last format takes JSON that no other format recognises.
 */
export const agentFormats: readonly TranscriptFormat[] = [
  piFormat,
  sessionFormat,
  qwenCodeFormat,
  claudeCodeFormat,
  codexFormat,
  copilotEventsFormat,
  copilotChatFormat,
  opencodeFormat,
  geminiCliFormat,
  openhandsFormat,
  clineFormat,
  clineTaskFormat,
  specstoryFormat,
  aiderFormat,
  otelFormat,
  openaiFormat,
];

/** Content of a file, with its format. */
export interface ImportedFile extends Imported {
  readonly format: string;
}

export interface ImportedTranscript extends ImportedFile {
  readonly transcript: Transcript;
}

/**
 * Reads a transcript.
 *
 * @param format the id of a format, or `auto`
 * @param conversation id of another conversation in the file; by default the active conversation
 * @param limits limits on lines and values; the size of the text is not limited here
 * @param formats formats to choose from
 * @throws {ImportError} if no format fits, or the named format does not, if the conversation does not exist, or if
 * the text exceeds the limits on values
 */
export function importTranscript(
  text: string,
  format = 'auto',
  conversation?: string,
  limits = noLimits,
  formats = agentFormats,
): ImportedTranscript {
  return withTranscript(importFile(text, format, conversation, limits, formats));
}

/** Reads a file as `importTranscript` does, without making a transcript of its entries. */
export function importFile(
  text: string,
  format: string,
  conversation: string | undefined,
  limits: ReadLimits,
  formats: readonly TranscriptFormat[],
): ImportedFile {
  // Some editors and shells first write a byte order mark, which is not valid JSON.
  const unmarked = text.startsWith('\uFEFF') ? text.slice(1) : text;
  const chosen = formatOf(unmarked, format, formats);
  if (chosen === undefined) throw unknownFile(unmarked, limits, formats);
  try {
    return finishImport(chosen.id, conversationIn(parseWithin(limits, chosen, unmarked), conversation));
  } catch (error) {
    const isOther = format === 'auto' && error instanceof OtherFileError;
    throw isOther ? unknownFile(unmarked, limits, formats) : error;
  }
}

/**
 * Returns another conversation of an imported file; the active conversation if the id is undefined.
 *
 * @throws {ImportError} if the conversation does not exist
 */
export function conversationOf(imported: ImportedFile, id: string | undefined): ImportedTranscript {
  return withTranscript(
    id === undefined ? imported : finishImport(imported.format, conversationIn(imported, id)),
  );
}

/**
 * Finds the format of a file.
 *
 * @param format the id of a format, or `auto`
 * @returns undefined if no format fits
 * @throws {ImportError} if the id is unknown
 */
export function formatOf(
  text: string,
  format = 'auto',
  formats = agentFormats,
): TranscriptFormat | undefined {
  if (format === 'auto') return formats.find((candidate) => candidate.recognises(text));
  const named = formats.find((candidate) => isCalled(candidate, format));
  if (named === undefined)
    throw new ImportError(importsSentences.say('noFormat', { format, formats: idsOf(formats) }));
  return named;
}

/** True if this is the id of the format, or was in earlier versions. */
export function isCalled({ id, formerId }: TranscriptFormat, name: string): boolean {
  return id === name || formerId === name;
}

/** Completes an import of any format. It moves results after their calls, and marks missing data. */
export function finishImport(format: string, read: Imported): ImportedFile {
  return { ...validateImport(withResultsBehindCalls(read)), format };
}

function withTranscript(imported: ImportedFile): ImportedTranscript {
  return { ...imported, transcript: transcriptOf(imported.entries) };
}

/**
 * Reads a text in a known format.
 *
 * @throws {ImportError} if the text is not in this format, or exceeds the limits on values, which do not
 * apply to our own sessions that the user opens
 */
function parseWithin(limits: ReadLimits, format: TranscriptFormat, text: string): Imported {
  const { lines } = format;
  if (lines?.fits(text) === true) return lines.read(readEventLines(text, limits, lines.partOf));
  if (format !== sessionFormat && looksLikeJson(text)) checkValues(text, limits);
  if (format === sessionFormat && Number.isFinite(limits.own)) {
    const limit = new ValueLimit(limits);
    for (const line of linesOf(text)) limit.add(line);
  }
  return format.parse(text);
}

/** @throws {ImportError} if the file has too many values to examine */
function unknownFile(text: string, limits: ReadLimits, formats: readonly TranscriptFormat[]): ImportError {
  checkValues(text, limits);
  const shape = fileShape(text);
  return new ImportError(importsSentences.say('unknownFormat', { formats: idsOf(formats), shape }));
}

function idsOf(formats: readonly TranscriptFormat[]): string {
  return formats.map(({ id }) => id).join(', ');
}

function conversationIn(imported: Imported, id: string | undefined): Imported {
  if (id === undefined) return imported;
  const others = imported.others ?? [];
  const found = others.find((other) => other.id === id);
  if (found !== undefined) return found.read();
  const ids = others.map((other) => other.id).join(', ');
  throw new ImportError(
    ids === ''
      ? importsSentences.say('noOtherConversation', { id })
      : importsSentences.say('noConversation', { id, ids }),
  );
}

/** Maximum number of lines read to detect JSON lines. */
const mostLinesTried = 20;
const mostFields = 8;
const longestName = 40;
/** Maximum depth of described objects and arrays. */
const deepest = 3;

/**
 * Describes a file in no known format: its JSON with `…` for every text, or the fact that it is not JSON. Names of
 * fields are the only words taken from the file.
 *
 * @returns the end of a sentence
 */
export function fileShape(text: string): Sentence {
  if (text.trim() === '') return importsSentences.say('emptyFile');
  if (text.includes('\0')) return importsSentences.say('notText');
  const whole = parseJson(text);
  if (whole !== undefined) {
    return objectionToValue(whole) === undefined
      ? importsSentences.say('jsonLike', { shape: sketch(whole, deepest) })
      : importsSentences.say('jsonTooDeep');
  }
  const lines = text.split('\n', mostLinesTried).filter((line) => line.trim() !== '');
  const first = lines.map(parseJson).find(isRecord);
  if (first !== undefined && lines.length > 1) {
    return importsSentences.say('jsonLinesLike', { shape: sketch(first, deepest) });
  }
  if (!looksLikeJson(text)) return importsSentences.say('plainText');
  return importsSentences.say('brokenJson', { line: String(jsonLines(text).brokenAt ?? 1) });
}

function looksLikeJson(text: string): boolean {
  return /^\s*[[{]/.test(text);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function sketch(value: unknown, depth: number): string {
  if (typeof value === 'string') return '"…"';
  if (Array.isArray(value)) {
    if (value.length === 0) return '[]';
    return depth === 0 ? '[…]' : `[${value.length} × ${sketch(value[0], depth - 1)}]`;
  }
  if (!isRecord(value)) return String(value);
  const fields = Object.entries(value);
  if (fields.length === 0) return '{}';
  if (depth === 0) return '{…}';
  const named = fields
    .slice(0, mostFields)
    .map(([name, field]) => `"${plain(name)}": ${sketch(field, depth - 1)}`);
  return `{${[...named, ...(fields.length > mostFields ? ['…'] : [])].join(', ')}}`;
}

function plain(name: string): string {
  const visible = name.replace(/[\p{C}\p{Z}]+/gu, ' ');
  return ellipsised(visible, longestName);
}
