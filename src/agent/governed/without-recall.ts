import type { Message, ToolCall } from '../../compaction/messages/message.ts';
import type { CompactionRecord } from '../../compaction/records/record.ts';

/** Matches an id in our markers. In the arguments of a call, its quotation marks are escaped. */
const recall = String.raw`recall(?:\((?:\\?"[^"\\\n]{1,80}\\?"|id)\))? returns [^.;…\]\n]{1,120}?`;
const end = String.raw`(?= …\]|[.\]])`;

/** Matches the second part of a sentence, and a whole sentence. */
const mentions = [new RegExp(`[;:] ${recall}${end}`, 'gu'), new RegExp(` ${recall}\\.`, 'gu')];

/** Removes the hints that a tool returns text that left the view, because a client of ours has no such tool. */
export function withoutRecall(record: CompactionRecord): CompactionRecord {
  return { ...record, outputs: record.outputs.map(withoutHint) };
}

function withoutHint(message: Message): Message {
  const { content, tool_calls: calls } = message;
  return {
    ...message,
    content: typeof content === 'string' ? shorter(content) : (content?.map(partWithoutHint) ?? null),
    ...(calls === undefined ? {} : { tool_calls: calls.map(callWithoutHint) }),
  };
}

function partWithoutHint<Part extends { readonly text?: string }>(part: Part): Part {
  return part.text === undefined ? part : { ...part, text: shorter(part.text) };
}

function callWithoutHint(call: ToolCall): ToolCall {
  return { ...call, function: { ...call.function, arguments: shorter(call.function.arguments) } };
}

function shorter(text: string): string {
  return mentions.reduce((rest, mention) => rest.replaceAll(mention, ''), text);
}
