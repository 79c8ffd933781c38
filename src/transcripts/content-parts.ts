import type { Content, ContentPart } from '../compaction/message.ts';
import { isFields, type Fields } from './fields.ts';

/** Stands in a text for a picture that is left out. */
const pictureMark = '[image]';

/**
 * The text of a content, which is a text or an array of parts: the texts among them, joined by line feeds, and
 * `[image]` for each picture. Parts that are neither contribute nothing.
 *
 * @returns nothing for what is no content
 */
export function textOfParts(content: unknown): string | undefined {
  if (typeof content === 'string') return content;
  return partsOf(content)
    ?.map((part) => part.text ?? pictureMark)
    .join('\n');
}

/**
 * The content with its pictures as OpenAI's `image_url` parts; a text where it has none.
 *
 * @returns nothing for what is no content
 */
export function contentOfParts(content: unknown): Content | undefined {
  const parts = partsOf(content);
  return parts?.some(({ text }) => text === undefined) === true ? parts : textOfParts(content);
}

function partsOf(content: unknown): readonly ContentPart[] | undefined {
  if (!Array.isArray(content)) return undefined;
  return (content as readonly unknown[]).flatMap((part): readonly ContentPart[] => {
    if (!isFields(part)) return [];
    const { text } = part;
    if (typeof text === 'string') return [{ type: 'text', text }];
    const url = pictureUrl(part);
    return url === undefined ? [] : [{ type: 'image_url', image_url: { url } }];
  });
}

/** Pictures as OpenAI's two endpoints, Anthropic and Pi have them. */
function pictureUrl({ image_url: picture, source, data, mimeType }: Fields): string | undefined {
  if (typeof picture === 'string') return picture;
  if (isFields(picture)) return typeof picture['url'] === 'string' ? picture['url'] : undefined;
  if (isFields(source)) return dataUrl(source['media_type'], source['data']);
  return dataUrl(mimeType, data);
}

function dataUrl(mediaType: unknown, data: unknown): string | undefined {
  return typeof mediaType === 'string' && typeof data === 'string'
    ? `data:${mediaType};base64,${data}`
    : undefined;
}
