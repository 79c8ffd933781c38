import { textOf, type Content, type Message } from '../message.ts';
import { headAndTail } from '../text/clip.ts';
import { attributeOf, type Mark } from '../quoting/mark.ts';
import { neutraliseEscaped } from '../quoting/neutralise.ts';
import { withoutSummaryTags } from './summary-message.ts';

/**
 * A conversation as one text for a model to read. Roles, tool names, arguments and results are all there, every
 * message has its id, and everything is escaped: text from a tool cannot pass for a tag of ours, nor for a marker of a
 * model's template.
 *
 * @param longest characters that one text may take; longer ones keep head and tail
 */
export function serialise(
  messages: readonly Message[],
  mark: Mark,
  longest = Number.POSITIVE_INFINITY,
): string {
  const toolNames = new Map<string, string>();
  return messages.map((message) => serialiseMessage(message, toolNames, mark, longest)).join('\n');
}

function serialiseMessage(
  message: Message,
  toolNames: Map<string, string>,
  mark: Mark,
  longest: number,
): string {
  const id = attributeOf(message.id);
  const isSummary = message.kind === 'summary';
  const text = contentOf(message, mark, longest);
  if (isSummary) return `<earlier_summary id="${id}">\n${text}\n</earlier_summary>`;
  if (message.role === 'tool') {
    const tool = message.name ?? toolNames.get(message.tool_call_id ?? '') ?? 'tool';
    return `<result id="${id}" tool="${nameOf(tool, mark)}">\n${text}\n</result>`;
  }
  const calls = (message.tool_calls ?? []).map(({ id, function: called }) => {
    toolNames.set(id, called.name);
    const callArguments = cleaned(headAndTail(called.arguments, longest), mark);
    return `<call tool="${nameOf(called.name, mark)}">${callArguments}</call>`;
  });
  const body = [text, ...calls].filter((part) => part !== '').join('\n');
  return `<message id="${id}" from="${speakerOf(message)}">\n${body}\n</message>`;
}

interface CleanedContent {
  readonly mark: Mark;
  readonly longest: number;
  readonly text: string;
}

/** The newest form of each: the same messages are read for one question after the other. */
const known = new WeakMap<Message, CleanedContent>();

function contentOf(message: Message, mark: Mark, longest: number): string {
  const seen = known.get(message);
  if (seen?.mark === mark && seen.longest === longest) return seen.text;
  const described = describe(message.content);
  const content = message.kind === 'summary' ? withoutSummaryTags(described) : described;
  const text = cleaned(headAndTail(content, longest), mark);
  known.set(message, { mark, longest, text });
  return text;
}

/** Text that can pass neither for a tag nor for a marker of a template. */
export function cleaned(text: string, mark: Mark): string {
  return escapeTags(neutraliseEscaped(text, mark));
}

function nameOf(tool: string, mark: Mark): string {
  return attributeOf(neutraliseEscaped(tool, mark));
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
