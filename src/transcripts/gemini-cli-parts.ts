import { contentOfParts, textOfParts } from './content-parts.ts';
import type { Content } from '../compaction/message.ts';
import { isFields, type Fields } from './fields.ts';

/** What the parts of a turn of Gemini's say. */
export interface GeminiParts {
  readonly content: Content;
  /** Parts that are marked as thoughts, joined by line feeds. */
  readonly thought: string;
  /** What the model called: `{ id?, name, args? }` each. */
  readonly calls: readonly Fields[];
  /** What came back: `{ id?, name, response }` each. */
  readonly responses: readonly Fields[];
  /** Parts that are none of these. */
  readonly unreadable: number;
}

/**
 * Takes apart what Google's SDK calls a part list: a text, a part, or an array of both. Files that are no pictures
 * become their type or address in square brackets.
 *
 * @returns nothing for what is no part list
 */
export function geminiParts(value: unknown): GeminiParts | undefined {
  const list = listOf(value);
  if (list === undefined) return undefined;
  const parts = list.map((part) => (typeof part === 'string' ? { text: part } : part)).filter(isFields);
  const thoughts = parts.filter(({ thought }) => thought === true);
  const others = parts.filter(({ thought }) => thought !== true);
  const calls = others.map(({ functionCall }) => functionCall).filter(isFields);
  const responses = others.map(({ functionResponse }) => functionResponse).filter(isFields);
  const said = others.map(saidIn).filter((part) => part !== undefined);
  return {
    content: contentOfParts(said) ?? '',
    thought: textOfParts(thoughts) ?? '',
    calls,
    responses,
    unreadable: list.length - thoughts.length - calls.length - responses.length - said.length,
  };
}

/** What a tool gave, as the text that the model reads. */
export function responseText(response: unknown): string {
  if (typeof response === 'string') return response;
  if (!isFields(response)) return response === undefined || response === null ? '' : JSON.stringify(response);
  const { output, error, content } = response;
  const text = [output, error, content].find((field) => typeof field === 'string');
  return typeof text === 'string' ? text : JSON.stringify(response);
}

function listOf(value: unknown): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value as readonly unknown[];
  return typeof value === 'string' || isFields(value) ? [value] : undefined;
}

/** The part in a form that other importers have, too. */
function saidIn({ text, inlineData, fileData }: Fields): Fields | undefined {
  if (typeof text === 'string') return { text };
  if (isFields(inlineData) && typeof inlineData['mimeType'] === 'string') {
    return inlineData['mimeType'].startsWith('image/') ? inlineData : { text: `[${inlineData['mimeType']}]` };
  }
  if (isFields(fileData) && typeof fileData['fileUri'] === 'string') {
    return { text: `[${fileData['fileUri']}]` };
  }
  return undefined;
}
