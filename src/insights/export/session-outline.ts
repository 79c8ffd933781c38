import { type CallEnd, callEnds, type EndedCall } from '../../compaction/ledger/call-ends.ts';
import { embeddedImage, imageHeaderOf, imageParts } from '../../compaction/images/image-part.ts';
import {
  addedText,
  isTask,
  isTyped,
  textOf,
  typedText,
  type Message,
  type ToolCall,
} from '../../compaction/messages/message.ts';
import type { CompactionRecord } from '../../compaction/records/record.ts';
import { messagesOf } from '../../compaction/transcript/transcript.ts';
import type { TranscriptEntry } from '../../compaction/transcript/transcript-entry.ts';
import { messageTitle } from '../held-parts.ts';

/** A session to export. */
export interface ExportedSession {
  readonly title: string;
  readonly entries: readonly TranscriptEntry[];
}

/** An item of a session as shown to readers. */
export type OutlineItem =
  | TypedItem
  | AnswerItem
  | ContextItem
  | CallItem
  | { readonly type: 'compaction'; readonly record: CompactionRecord; readonly isUndone: boolean };

interface TypedItem {
  readonly type: 'typed';
  readonly text: string;
  /** Labels of the attachments: `label · tokens`. */
  readonly attachments: readonly string[];
  /** Text of the attachments. */
  readonly attached: string;
  readonly pictures: readonly OutlinePicture[];
}

interface OutlinePicture {
  /** A `data:` URL of a type that browsers show only as a picture. */
  readonly url: string;
  /** Width in pixels, like the height. */
  readonly width: number;
  readonly height: number;
}

interface AnswerItem {
  readonly type: 'answer';
  readonly text: string;
  readonly reasoning: string;
}

/** Content that a program added to the conversation: rules, memory, reminders. */
interface ContextItem {
  readonly type: 'context';
  readonly name: string;
  readonly text: string;
}

export interface CallItem {
  readonly type: 'call';
  /** The call on one line. */
  readonly title: string;
  /** Arguments as the model wrote them. */
  readonly arguments: string;
  /** Text of the result; undefined for a call without a result. */
  readonly result: string | undefined;
  readonly end: CallEnd;
}

/** Returns the items of a session in order. Calls are grouped with their results. */
export function sessionOutline(entries: readonly TranscriptEntry[]): readonly OutlineItem[] {
  const messages = messagesOf({ entries });
  const ends = callEnds(messages);
  const undone = new Set(entries.flatMap((entry) => (entry.type === 'undo' ? entry.recordIds : [])));
  return entries.flatMap((entry): readonly OutlineItem[] => {
    if (entry.type === 'compaction') {
      return [{ type: 'compaction', record: entry.record, isUndone: undone.has(entry.record.id) }];
    }
    if (entry.type !== 'message') return [];
    return itemsOf(entry.message, ends);
  });
}

function itemsOf(message: Message, ends: ReadonlyMap<ToolCall, EndedCall>): readonly OutlineItem[] {
  const text = textOf(message.content);
  if (isTyped(message)) return [typedItem(message)];
  switch (message.role) {
    case 'tool':
      return [];
    case 'assistant': {
      const { reasoning = '', tool_calls: calls = [] } = message;
      const isSilent = text.trim() === '' && reasoning.trim() === '';
      return [
        ...(isSilent ? [] : [{ type: 'answer', text, reasoning } as const]),
        ...calls.map((call) => callItem(message, call, ends)),
      ];
    }
    default: {
      const inUserRole = isTask(message) ? 'task' : 'reminder';
      const what = message.kind ?? (message.role === 'user' ? inUserRole : 'system');
      return [
        { type: 'context', name: message.source === undefined ? what : `${what}: ${message.source}`, text },
      ];
    }
  }
}

function typedItem(message: Message): TypedItem {
  const { items = [] } = message.attached ?? {};
  return {
    type: 'typed',
    text: typedText(message),
    attachments: items.map(({ label, tokens }) => `${label} · ${tokens.toLocaleString('en')} tokens`),
    attached: addedText(message),
    pictures: picturesIn(message),
  };
}

/** Returns the embedded pictures, with the type found in their bytes. Pictures stored elsewhere are not fetched. */
function picturesIn({ content }: Message): readonly OutlinePicture[] {
  return imageParts(content).flatMap((part) => {
    const [header, image] = [imageHeaderOf(part), embeddedImage(part)];
    if (header === undefined || image === undefined) return [];
    const { type, width, height } = header;
    return [{ url: `data:${type};base64,${image.base64.replace(/[^A-Za-z0-9+/=]/gu, '')}`, width, height }];
  });
}

function callItem(message: Message, call: ToolCall, ends: ReadonlyMap<ToolCall, EndedCall>): CallItem {
  const { result, end = 'pending' } = ends.get(call) ?? {};
  return {
    type: 'call',
    title: messageTitle({ ...message, content: null, tool_calls: [call] }, undefined),
    arguments: call.function.arguments,
    result: result && textOf(result.content),
    end,
  };
}
