import type { ReportedUsage, ToolCall } from '../compaction/message.ts';
import type { Draft } from './draft.ts';

/** A reply of a model whose parts are being gathered. */
export interface Reply {
  readonly texts: string[];
  readonly thoughts: string[];
  readonly calls: ToolCall[];
  /** ISO 8601. */
  readonly createdAt: string | undefined;
  /** The model that said it, as the file names it. */
  modelId?: string | undefined;
  /** The tokens of the request, as reported. */
  usage?: ReportedUsage | undefined;
}

export function emptyReply(createdAt: string | undefined): Reply {
  return { texts: [], thoughts: [], calls: [], createdAt };
}

/** One message of all parts, texts joined by line feeds; none for a reply that said nothing and called nothing. */
export function replyDraft({ texts, thoughts, calls, createdAt, modelId, usage }: Reply): Draft | undefined {
  const text = texts.join('\n');
  if (text === '' && calls.length === 0) return undefined;
  return {
    chat: {
      role: 'assistant',
      content: text === '' ? null : text,
      ...(thoughts.length > 0 && { reasoning_content: thoughts.join('\n') }),
      ...(calls.length > 0 && { tool_calls: calls }),
    },
    origin: 'model',
    createdAt,
    modelId,
    usage,
  };
}
