import type { Content, ContentPart } from '../compaction/messages/message.ts';
import { isRecord } from '../language/is-record.ts';
import { pictureUrl } from '../transcripts/reading/content-parts.ts';

/** Parts with data in a binary form, which is not a text that the model reads. */
const binaryTypes: ReadonlySet<unknown> = new Set(['file', 'input_file', 'input_audio']);

/** Returns content of any protocol in the form of chat completions. Unknown parts become text, so that they count. */
export function wireContent(value: unknown): Content {
  if (value === undefined || value === null || typeof value === 'string') return value ?? null;
  const parts = (Array.isArray(value) ? (value as readonly unknown[]) : [value]).map(partOf);
  const [only] = parts;
  if (only === undefined) return null;
  return parts.length === 1 && only.text !== undefined ? only.text : parts;
}

function partOf(part: unknown): ContentPart {
  if (typeof part === 'string') return { type: 'text', text: part };
  if (!isRecord(part)) return asText(part);
  const { type } = part;
  const said = part['text'] ?? part['refusal'];
  if (typeof said === 'string') return { type: 'text', text: said };
  if (typeof type === 'string' && binaryTypes.has(type)) {
    const { text: _text, ...file } = part;
    return { ...file, type };
  }
  // An image that the provider stores has an id instead of an address.
  const url = pictureUrl(part) ?? (type === 'input_image' ? '' : undefined);
  return url === undefined ? asText(part) : { type: 'image_url', image_url: { url } };
}

function asText(part: unknown): ContentPart {
  return { type: 'text', text: JSON.stringify(part ?? null) };
}
