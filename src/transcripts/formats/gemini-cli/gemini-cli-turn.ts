import { type Content, textOf } from '../../../compaction/messages/message.ts';
import type { SaidPart } from '../../../compaction/messages/typed-parts.ts';
import { contentOfParts, saidParts, textOfParts } from '../../reading/content-parts.ts';
import type { Fields } from '../../reading/fields.ts';
import { isRecord } from '../../../language/is-record.ts';

/** A turn of a Gemini CLI session, as stored in its file. */
export interface GeminiTurn {
  /** True for the model's turns. Results of tools are user turns. */
  readonly isReply: boolean;
  /** True if the program wrote the turn in the user's name. */
  readonly isHarness?: boolean;
  /** A part list of Google's SDK, see `geminiParts`. */
  readonly content: unknown;
  /** Other fields of the turn: `timestamp`, `toolCalls`, `thoughts`, `tokens`. */
  readonly fields: Fields;
  /** Receives a sentence for each part that cannot be read. */
  readonly skip: (objection: string) => void;
}

/** A compaction that the file shows next to its turns. */
export interface GeminiCompaction {
  /** Number of turns before the compaction. */
  readonly position: number;
  /** Index of the first kept turn; absent if none was kept. */
  readonly keptFrom?: number;
  readonly summary: string;
  /** Tokens of the history before the compaction, as the program counted them. */
  readonly tokensBefore?: number | undefined;
  /** Time in ISO 8601, or another value from the file. */
  readonly timestamp: unknown;
}

/** Reply that the program writes in the model's name after a summary. */
const acknowledgement = 'Got it. Thanks for the additional context!';

export function textOfTurn(turn: Pick<GeminiTurn, 'content'>): string {
  return textOf(geminiParts(turn.content)?.content ?? '');
}

/** True if a turn is the program's answer to its own summary. */
export function isAcknowledgement(turn: GeminiTurn | undefined): boolean {
  return turn?.isReply === true && textOfTurn(turn) === acknowledgement;
}

/** True if a turn is a compaction's summary, which the program writes with the user role and answers itself. */
export function isSummaryTurn(turn: GeminiTurn, next: GeminiTurn | undefined): boolean {
  if (turn.isReply) return false;
  return isAcknowledgement(next) || /^\s*<state_snapshot>/.test(textOfTurn(turn));
}

/** Content of the parts of a Gemini turn. */
export interface GeminiParts {
  readonly content: Content;
  /** Texts of the content, in order. */
  readonly texts: readonly SaidPart[];
  /** Parts marked as reasoning, joined by line feeds. */
  readonly thought: string;
  /** Calls of the model: `{ id?, name, args? }` each. */
  readonly calls: readonly Fields[];
  /** Responses to calls: `{ id?, name, response }` each. */
  readonly responses: readonly Fields[];
  /** Number of other parts. */
  readonly unreadable: number;
}

/**
 * Splits a part list of Google's SDK by kind. A list is a string, a part, or an array of both. Files other than
 * pictures are replaced by their type or address in square brackets.
 *
 * @returns undefined if the value is not a part list
 */
export function geminiParts(value: unknown): GeminiParts | undefined {
  const list = listOf(value);
  if (list === undefined) return undefined;
  const parts = list.map((part) => (typeof part === 'string' ? { text: part } : part)).filter(isRecord);
  const thoughts = parts.filter(({ thought }) => thought === true);
  const others = parts.filter(({ thought }) => thought !== true);
  const calls = others.map(({ functionCall }) => functionCall).filter(isRecord);
  const responses = others.map(({ functionResponse }) => functionResponse).filter(isRecord);
  const said = others.map(saidIn).filter((part) => part !== undefined);
  return {
    content: contentOfParts(said) ?? '',
    texts: saidParts(said),
    thought: textOfParts(thoughts) ?? '',
    calls,
    responses,
    unreadable: list.length - thoughts.length - calls.length - responses.length - said.length,
  };
}

/**
 * Marks the untyped texts of a turn. If the program sent more than the typed text, it records the typed text
 * (`displayContent`). Then either the first text is the typed text with expanded file names, or no text is typed.
 *
 * @param display the recorded typed text, if present
 */
export function typedTexts(texts: readonly SaidPart[], display: unknown): readonly SaidPart[] {
  if (display === undefined) return texts;
  const shown = withoutNames(textOfTurn({ content: display }));
  const isShown = shown !== '' && withoutNames(texts[0]?.text ?? '').startsWith(shown);
  return texts.map((part, index) => (isShown && index === 0 ? part : { ...part, isData: true }));
}

function withoutNames(text: string): string {
  return text.replace(/@\S+/gu, '').replace(/\s+/gu, ' ').trim();
}

/** Returns the output of a tool as text for the model. */
export function responseText(response: unknown): string {
  if (typeof response === 'string') return response;
  if (!isRecord(response)) return response === undefined || response === null ? '' : JSON.stringify(response);
  const { output, error, content } = response;
  const text = [output, error, content].find((field) => typeof field === 'string');
  return typeof text === 'string' ? text : JSON.stringify(response);
}

function listOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value as readonly unknown[];
  return typeof value === 'string' || isRecord(value) ? [value] : undefined;
}

/** Returns a part in the form that other importers use. */
function saidIn({ text, inlineData, fileData }: Fields): Fields | undefined {
  if (typeof text === 'string') return { text };
  if (isRecord(inlineData) && typeof inlineData['mimeType'] === 'string') {
    return inlineData['mimeType'].startsWith('image/') ? inlineData : { text: `[${inlineData['mimeType']}]` };
  }
  if (isRecord(fileData) && typeof fileData['fileUri'] === 'string') {
    return { text: `[${fileData['fileUri']}]` };
  }
  return undefined;
}
