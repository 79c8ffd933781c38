import { textOf, type Content, type Message } from '../message.ts';
import { headAndTail } from '../clip.ts';

/**
 * A conversation as one text for a model to read. Roles, tool names, arguments and results are all there, every
 * message has its id, and everything is escaped: text from a tool cannot pass for a tag of ours.
 *
 * @param longest characters that one text may take; longer ones keep head and tail
 */
export function serialise(messages: readonly Message[], longest = Number.POSITIVE_INFINITY): string {
  const toolNames = new Map<string, string>();
  return messages.map((message) => serialiseMessage(message, toolNames, longest)).join('\n');
}

function serialiseMessage(message: Message, toolNames: Map<string, string>, longest: number): string {
  const text = escapeTags(headAndTail(describe(message.content), longest));
  if (message.kind === 'summary') return `<earlier_summary id="${message.id}">\n${text}\n</earlier_summary>`;
  if (message.role === 'tool') {
    const tool = message.name ?? toolNames.get(message.tool_call_id ?? '') ?? 'tool';
    return `<result id="${message.id}" tool="${escapeTags(tool)}">\n${text}\n</result>`;
  }
  const calls = (message.tool_calls ?? []).map(({ id, function: called }) => {
    toolNames.set(id, called.name);
    const callArguments = escapeTags(headAndTail(called.arguments, longest));
    return `<call tool="${escapeTags(called.name)}">${callArguments}</call>`;
  });
  const body = [text, ...calls].filter((part) => part !== '').join('\n');
  return `<message id="${message.id}" from="${speakerOf(message)}">\n${body}\n</message>`;
}

function speakerOf(message: Message): string {
  if (message.role === 'user') return message.origin === 'harness' ? 'program' : 'person';
  return message.role;
}

/** A content as text; what is not text is named, so that the reader knows that it was there. */
function describe(content: Content): string {
  if (content === null || typeof content === 'string') return textOf(content);
  return content.map((part) => part.text ?? `[${part.type}]`).join('\n');
}

/** Keeps text from being read as a tag. */
export function escapeTags(text: string): string {
  return text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;');
}
