import type { Content, ContentPart, ToolCall, ToolSchema } from '../../compaction/messages/message.ts';
import type { SaidPart } from '../../compaction/messages/typed-parts.ts';
import { callOf } from './transcript-format.ts';
import type { Fields } from './fields.ts';
import { isRecord } from '../../language/is-record.ts';

/** Placeholder for a picture left out of a text. */
export const picturePlaceholder = '[image]';

/** Types of picture parts, even without data. */
const pictureTypes: ReadonlySet<unknown> = new Set(['image', 'image_url', 'input_image']);

/**
 * Returns the text of content, which is a string or an array of parts: its texts, joined by line feeds, `[image]` for
 * each picture, and a placeholder with the name of each attached tool or document. Other parts are left out.
 *
 * @returns undefined if the value is not content
 */
export function textOfParts(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  return partsOf(content)
    ?.map((part) => part.text ?? picturePlaceholder)
    .join('\n');
}

/**
 * Returns the content with its pictures as OpenAI's `image_url` parts, or as a string if it has no pictures. A
 * picture without data has an empty URL.
 *
 * @returns undefined if the value is not content
 */
export function contentOfParts(content: unknown): Content | undefined {
  const parts = partsOf(content);
  return parts?.some(({ text }) => text === undefined) === true ? parts : textOfParts(content);
}

/** Returns the texts of content, in order. A part that only names a document or a tool was not typed. */
export function saidParts(content: unknown): readonly SaidPart[] {
  if (typeof content === 'string') return [{ text: content }];
  if (!Array.isArray(content)) return [];
  return (content as readonly unknown[]).flatMap((part): readonly SaidPart[] => {
    const isText = isRecord(part) && typeof part['text'] === 'string';
    return (partsOf([part]) ?? []).flatMap(({ text }) =>
      text === undefined ? [] : [isText ? { text } : { text, isData: true }],
    );
  });
}

function partsOf(content: unknown): readonly ContentPart[] | undefined {
  if (!Array.isArray(content)) return undefined;
  return (content as readonly unknown[]).flatMap((part): readonly ContentPart[] => {
    if (!isRecord(part)) return [];
    const { text } = part;
    if (typeof text === 'string') return [{ type: 'text', text }];
    const mark = markOf(part);
    if (mark !== undefined) return [{ type: 'text', text: mark }];
    const url = pictureUrl(part) ?? (pictureTypes.has(part['type']) ? '' : undefined);
    return url === undefined ? [] : [{ type: 'image_url', image_url: { url } }];
  });
}

/** Returns the placeholder for a part with only a name: a tool found by a search, or a document. */
function markOf({ type, tool_name: tool, title, filename }: Fields): string | undefined {
  const named = (name: unknown) => (typeof name === 'string' && name !== '' ? `: ${name}` : '');
  if (type === 'tool_reference') return `[tool${named(tool)}]`;
  if (type === 'document' || type === 'input_file') return `[document${named(title ?? filename)}]`;
  return undefined;
}

/** Reads the URL of a picture in the form of OpenAI's two endpoints, Anthropic or Pi; undefined for other parts. */
export function pictureUrl({ image_url: picture, source, data, mimeType }: Fields): string | undefined {
  if (typeof picture === 'string') return picture;
  if (isRecord(picture)) return typeof picture['url'] === 'string' ? picture['url'] : undefined;
  if (isRecord(source)) {
    const { url } = source;
    return typeof url === 'string' ? url : dataUrl(source['media_type'], source['data']);
  }
  return dataUrl(mimeType, data);
}

function dataUrl(mediaType: unknown, data: unknown): string | undefined {
  return typeof mediaType === 'string' && typeof data === 'string'
    ? `data:${mediaType};base64,${data}`
    : undefined;
}

/**
 * Reads tool calls in the form of OpenAI chat messages.
 *
 * @param value the calls from a file; may be absent or null
 * @returns the calls, or a sentence that states why the value is invalid
 */
export function chatCalls(value: unknown): readonly ToolCall[] | string {
  if (value === undefined || value === null) return [];
  const objection = 'tool calls are an array of { id, function: { name, arguments } }.';
  if (!Array.isArray(value)) return objection;
  const calls: ToolCall[] = [];
  for (const call of value as readonly unknown[]) {
    if (!isRecord(call) || typeof call['id'] !== 'string' || !isRecord(call['function'])) return objection;
    const { name, arguments: text } = call['function'];
    if (typeof name !== 'string' || typeof text !== 'string') return objection;
    calls.push(callOf(call['id'], name, text));
  }
  return calls;
}

/** Returns the tool schemas in a list; an empty list if the value is not a list. */
export function toolsOf(list: unknown): readonly ToolSchema[] {
  if (!Array.isArray(list)) return [];
  return (list as readonly unknown[]).filter(
    (tool): tool is ToolSchema =>
      isRecord(tool) && isRecord(tool['function']) && typeof tool['function']['name'] === 'string',
  );
}
