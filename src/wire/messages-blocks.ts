import { isRecord } from '../language/is-record.ts';
import { embeddedImage, imageUrl } from '../compaction/images/image-part.ts';
import {
  type ChatMessage,
  type Content,
  type ContentPart,
  contentParts,
  textOf,
} from '../compaction/messages/message.ts';
import { parseShallow } from '../compaction/text/parse-json.ts';
import { contentOfParts, picturePlaceholder, pictureUrl } from '../transcripts/reading/content-parts.ts';
import { type Fields, recordsIn, wordIn } from '../transcripts/reading/fields.ts';
import { callOf } from '../transcripts/reading/transcript-format.ts';
import type { TurnForm } from './turns.ts';
import type { WireMessage } from './wire.ts';

/** True for a model's thinking, which is signed. */
function isThinking({ type }: Fields): boolean {
  return type === 'thinking' || type === 'redacted_thinking';
}

/** Reads the blocks of a reply. */
export function replyOfBlocks(blocks: readonly Fields[]): ChatMessage {
  const reasoning = blocks.filter(isThinking).map(thoughtIn);
  const calls = blocks.filter(({ type }) => type === 'tool_use');
  const said = blocks.filter((block) => !isThinking(block) && block['type'] !== 'tool_use');
  return {
    role: 'assistant',
    content: said.length === 0 ? null : contentOfBlocks(said),
    ...(reasoning.length > 0 && { reasoning_content: reasoning.join('\n') }),
    ...(calls.length > 0 && {
      tool_calls: calls.map(({ id, name, input }) =>
        callOf(wordIn(id), wordIn(name), typeof input === 'string' ? input : JSON.stringify(input ?? {})),
      ),
    }),
  };
}

function thoughtIn({ thinking }: Fields): string {
  return typeof thinking === 'string' ? thinking : '[redacted thinking]';
}

/** Reads a text or blocks. Blocks of an unknown type count as text. */
export function contentOfBlocks(content: unknown): Content {
  return typeof content === 'string' ? content : (contentOfParts(recordsIn(content).map(partOf)) ?? '');
}

function partOf(block: Fields): ContentPart {
  const { type, text } = block;
  if (type === 'text' && typeof text === 'string') return { type, text };
  if (type === 'image') return { type: 'image_url', image_url: { url: pictureUrl(block) ?? '' } };
  if (type === 'tool_reference') return { type, tool_name: block['tool_name'] };
  if (type === 'document') return documentPart(block);
  // Marks move from request to request, and the model does not read them.
  const { cache_control: _mark, ...read } = block;
  return { type: 'text', text: JSON.stringify(read) };
}

/** The text of a document; its title in brackets if the text is elsewhere or in a binary form. */
function documentPart(block: Fields): ContentPart {
  const { source, title, context } = block;
  const held = isRecord(source) ? source : {};
  const text = held['type'] === 'text' ? wordIn(held['data']) : textOf(contentOfBlocks(held['content']));
  if (text === '') return { type: 'document', title };
  const texts = [title, context, text].filter((one) => typeof one === 'string');
  return { type: 'text', text: texts.join('\n') };
}

function writtenContent(content: Content): readonly Fields[] {
  return contentParts(content).flatMap((part): readonly Fields[] => {
    const image = embeddedImage(part);
    if (image !== undefined) {
      return [{ type: 'image', source: { type: 'base64', media_type: image.type, data: image.base64 } }];
    }
    const url = imageUrl(part);
    if (url?.startsWith('http') === true) return [{ type: 'image', source: { type: 'url', url } }];
    const text = part.text ?? picturePlaceholder;
    // The provider refuses a block without a word.
    return /\S/u.test(text) ? [{ type: 'text', text }] : [];
  });
}

/** Writes system messages that are not from the body. */
export function writtenSystem({ content }: ChatMessage): readonly Fields[] {
  return writtenContent(textOf(content));
}

/**
 * Writes a message that is not from the body.
 *
 * @param thoughts call id → signed thinking that has to stay in front of the call
 */
function writtenBlocks(
  { chat, isError }: WireMessage,
  thoughts: ReadonlyMap<string, readonly Fields[]>,
): readonly Fields[] {
  if (chat.role === 'tool') {
    const { content, tool_call_id } = chat;
    return [
      {
        type: 'tool_result',
        tool_use_id: tool_call_id ?? '',
        content: typeof content === 'string' ? content : writtenContent(content),
        ...(isError === true && { is_error: true }),
      },
    ];
  }
  const { tool_calls: calls = [] } = chat;
  return [
    ...new Set(calls.flatMap(({ id }) => thoughts.get(id) ?? [])),
    ...writtenContent(chat.content),
    ...calls.map(({ id, function: { name, arguments: text } }) => {
      const input = parseShallow(text)?.value;
      return { type: 'tool_use', id, name, input: isRecord(input) ? input : { arguments: text } };
    }),
  ];
}

/** The form of Anthropic's messages. @param sent messages of the body, for the thinking in them */
export function messagesForm(sent: readonly Fields[]): TurnForm {
  const thoughts = new Map<string, readonly Fields[]>();
  for (const { content } of sent) {
    const blocks = recordsIn(content);
    const thinking = blocks.filter(isThinking);
    for (const { type, id } of thinking.length === 0 ? [] : blocks) {
      if (type === 'tool_use') thoughts.set(wordIn(id), thinking);
    }
  }
  const text = (said: string) => ({ type: 'text', text: said });
  return {
    roleOf: ({ role }) => (role === 'assistant' || role === 'user' ? role : 'system'),
    blocksOf: ({ content }) => (typeof content === 'string' ? [text(content)] : recordsIn(content)),
    write: (message) => writtenBlocks(message, thoughts),
    turn: (role, content, turn) => ({ ...turn, role, content }),
    text,
    callKey: ({ type, id }) => (type === 'tool_use' ? wordIn(id) : undefined),
    resultKey: ({ type, tool_use_id: id }) => (type === 'tool_result' ? wordIn(id) : undefined),
    resultOf: ({ id }, content) => ({ type: 'tool_result', tool_use_id: id, content }),
    textOfResult: ({ content }) => textOf(contentOfBlocks(content)),
    isFirst: isThinking,
  };
}
