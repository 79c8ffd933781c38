import type { Content, ContentPart } from '../compaction/messages/message.ts';
import { isRecord } from '../language/is-record.ts';
import { pictureUrl } from '../transcripts/reading/content-parts.ts';

/** Returns content of any protocol in the form of chat completions. Unknown parts become text, so that they count. */
export function contentOf(value: unknown): Content {
  if (value === undefined || value === null || typeof value === 'string') return value ?? null;
  const parts = (Array.isArray(value) ? (value as readonly unknown[]) : [value]).map(partOf);
  const [only] = parts;
  if (only === undefined) return null;
  return parts.length === 1 && only.text !== undefined ? only.text : parts;
}

function partOf(part: unknown): ContentPart {
  if (typeof part === 'string') return { type: 'text', text: part };
  if (!isRecord(part)) return asText(part);
  const said = part['text'] ?? part['refusal'];
  if (typeof said === 'string') return { type: 'text', text: said };
  const url = pictureUrl(part);
  return url === undefined ? asText(part) : { type: 'image_url', image_url: { url } };
}

function asText(part: unknown): ContentPart {
  return { type: 'text', text: JSON.stringify(part) ?? '' };
}
