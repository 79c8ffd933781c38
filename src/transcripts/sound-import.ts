import { pairCalls } from '../compaction/exchange.ts';
import type { ContentPart, Message } from '../compaction/message.ts';
import { messagesOf } from '../compaction/transcript.ts';
import { pictureMark, pictureUrl } from './content-parts.ts';
import type { Imported } from './format.ts';

/**
 * What every import is held against, whatever its format: a picture without data is a mark in the text, and a tool
 * result that no call stands before is named, because it will not be in the context.
 */
export function soundImport(imported: Imported): Imported {
  const problems = [...imported.problems];
  const entries = imported.entries.map((entry) => {
    if (entry.type !== 'message') return entry;
    const { message } = entry;
    const sound = withoutEmptyPictures(message);
    if (sound === message) return entry;
    problems.push(`A picture in message ${message.id} was skipped: it has no data.`);
    return { ...entry, message: sound };
  });
  const messages = messagesOf({ entries });
  for (const index of pairCalls(messages).orphans) {
    problems.push(`Message ${messages[index]?.id} was skipped: a tool result has a call before it.`);
  }
  return { ...imported, entries, problems };
}

function withoutEmptyPictures(message: Message): Message {
  const { content } = message;
  if (typeof content === 'string' || !content?.some(isEmptyPicture)) return message;
  const parts = content.map((part): ContentPart =>
    isEmptyPicture(part) ? { type: 'text', text: pictureMark } : part,
  );
  return { ...message, content: parts };
}

function isEmptyPicture(part: ContentPart): boolean {
  if (part.type !== 'image_url') return false;
  return /^(?:data:(?:[^,]+,|[^,]*;base64))?\s*$/i.test(pictureUrl(part) ?? '');
}
