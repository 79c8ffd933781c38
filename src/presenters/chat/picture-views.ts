import {
  type EmbeddedImage,
  embeddedImage,
  imageHeaderOf,
  imageParts,
} from '../../compaction/images/image-part.ts';
import type { ContentPart, Message } from '../../compaction/messages/message.ts';
import type { UserRow, PictureView } from '../../protocol/chat-rows.ts';

/** The pictures in a message, attached pictures last; undefined without pictures. */
export function picturesOf({ id, content, attached }: Message): Pick<UserRow, 'pictures'> {
  const parts = imageParts(content);
  if (parts.length === 0) return {};
  const counted = attached?.items.filter(({ type }) => type === 'picture') ?? [];
  const first = parts.length - counted.length;
  return {
    pictures: parts.map((part, index) => ({
      key: `${index}:${id}`,
      ...pictureSize(part),
      tokens: counted[index - first]?.tokens,
    })),
  };
}

/** The size of a picture, if its data is in the message. */
export function pictureSize(part: ContentPart): Pick<PictureView, 'size'> {
  const header = imageHeaderOf(part);
  return header === undefined ? {} : { size: { width: header.width, height: header.height } };
}

/** Finds the picture with a key of `picturesOf`; undefined if it is missing or of a type that is not shown. */
export function pictureAt(messages: readonly Message[], key: string): EmbeddedImage | undefined {
  const { index, id } = /^(?<index>\d{1,4}):(?<id>.+)$/su.exec(key)?.groups ?? {};
  const message = messages.find((each) => each.id === id);
  const part = message && imageParts(message.content)[Number(index)];
  const header = part && imageHeaderOf(part);
  const image = part && embeddedImage(part);
  return header && image && { type: header.type, base64: image.base64 };
}
