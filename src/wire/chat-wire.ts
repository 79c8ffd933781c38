import type { ToolSchema } from '../compaction/messages/message.ts';
import { isRecord } from '../language/is-record.ts';
import { type Fields, fieldsOf, recordsIn, wordIn } from '../transcripts/reading/fields.ts';
import { chatWriter, readMessage } from './chat-messages.ts';
import { ChatReply } from './chat-reply.ts';
import { openaiError } from './openai-error.ts';
import { wireTool } from './tool-server.ts';
import type { Wire, WireTool } from './wire.ts';

/** The chat completions protocol of OpenAI, which most providers understand. */
export const chatWire: Wire = {
  id: 'chat',
  title: 'OpenAI chat completions',
  asks: (path) => (/\/chat\/completions$/u.test(path) ? 'reply' : undefined),
  readRequest(body) {
    const { messages } = body;
    if (!Array.isArray(messages)) return undefined;
    const session = wordIn(body['prompt_cache_key']);
    return {
      model: wordIn(body['model']) || undefined,
      tools: [...recordsIn(body['tools']).map(toolOf), ...recordsIn(body['functions']).map(namedTool)],
      messages: (messages as readonly unknown[]).map(readMessage),
      ...(session !== '' && { session }),
    };
  },
  createReplyReader: () => new ChatReply(),
  withMessages(body, messages) {
    const write = chatWriter(recordsIn(body['messages']));
    return {
      ...body,
      messages: messages.flatMap(({ chat, raw }) => (raw.length > 0 ? raw : [write(chat)])),
    };
  },
  errorBody: openaiError,
};

/** The declaration of a function stays as it was sent, because all of it counts. */
function toolOf(declared: Fields): WireTool {
  const { function: named, custom } = declared;
  if (isRecord(custom)) return namedTool({ ...custom, parameters: { format: custom['format'] } });
  const tool = namedTool(fieldsOf(named ?? declared));
  return isRecord(named) && typeof named['name'] === 'string'
    ? { ...tool, schema: declared as unknown as ToolSchema }
    : tool;
}

/** Returns a tool by its name. A tool that the provider runs has a type and no name. */
function namedTool(declared: Fields): WireTool {
  const { name, type, description, parameters = declared } = declared;
  return wireTool({ name: wordIn(name) || wordIn(type), description, parameters });
}
