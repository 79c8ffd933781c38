import type { SentMessage } from '../../agent/governed/history-change.ts';
import { type EmbeddedImage, imagePart } from '../../compaction/images/image-part.ts';
import type { Content, ContentPart, ToolCall, ToolSchema } from '../../compaction/messages/message.ts';

/** A part of a message that VS Code sends to a model of ours. */
export type ReceivedPart =
  | TextOrImage
  | { readonly type: 'thinking'; readonly text: string }
  | { readonly type: 'call'; readonly id: string; readonly name: string; readonly input: unknown }
  | { readonly type: 'result'; readonly id: string; readonly parts: readonly TextOrImage[] };

type TextOrImage =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; readonly image: EmbeddedImage };

export interface ReceivedMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly parts: readonly ReceivedPart[];
}

interface ReceivedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema?: object | undefined;
}

/** Converts the messages of a request. Results of tools become separate messages before the rest of their message. */
export function sentMessages(received: readonly ReceivedMessage[]): readonly SentMessage[] {
  return received.flatMap(({ role, parts }) =>
    role === 'assistant' ? assistantMessage(parts) : otherMessages(role, parts),
  );
}

export function sentTools(tools: readonly ReceivedTool[]): readonly ToolSchema[] {
  return tools.map(({ name, description, inputSchema }) => ({
    type: 'function',
    function: {
      name,
      description,
      ...(inputSchema === undefined ? {} : { parameters: { ...inputSchema } }),
    },
  }));
}

function assistantMessage(parts: readonly ReceivedPart[]): readonly SentMessage[] {
  const calls = parts.flatMap((part): readonly ToolCall[] =>
    part.type === 'call'
      ? [
          {
            id: part.id,
            type: 'function',
            function: { name: part.name, arguments: JSON.stringify(part.input ?? {}) },
          },
        ]
      : [],
  );
  const reasoning = parts.map((part) => (part.type === 'thinking' ? part.text : '')).join('');
  const content = contentOf(parts.filter(isTextOrImage));
  if (content === '' && calls.length === 0) return [];
  return [
    {
      role: 'assistant',
      origin: 'model',
      content: content === '' ? null : content,
      ...(calls.length === 0 ? {} : { tool_calls: calls }),
      ...(reasoning === '' ? {} : { reasoning }),
    },
  ];
}

function otherMessages(role: 'system' | 'user', parts: readonly ReceivedPart[]): readonly SentMessage[] {
  const results = parts.flatMap((part): readonly SentMessage[] =>
    part.type === 'result'
      ? [{ role: 'tool', origin: 'tool', tool_call_id: part.id, content: contentOf(part.parts) }]
      : [],
  );
  const content = contentOf(parts.filter(isTextOrImage));
  if (content === '') return results;
  return [...results, { role, origin: role === 'system' ? 'harness' : 'person', content }];
}

function isTextOrImage(part: ReceivedPart): part is TextOrImage {
  return part.type === 'text' || part.type === 'image';
}

/** Joins neighbouring texts. The content is one text if it has no images. */
function contentOf(parts: readonly TextOrImage[]): Exclude<Content, null> {
  const joined: ContentPart[] = [];
  for (const part of parts) {
    const last = joined.at(-1);
    if (part.type === 'image') joined.push(imagePart(part.image));
    else if (last?.type === 'text')
      joined[joined.length - 1] = { type: 'text', text: `${last.text ?? ''}${part.text}` };
    else joined.push({ type: 'text', text: part.text });
  }
  const [first, ...others] = joined;
  if (first === undefined) return '';
  return first.text !== undefined && others.length === 0 ? first.text : joined;
}
