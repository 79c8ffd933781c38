import { pairCalls } from '../../compaction/messages/exchange.ts';
import { embeddedImage, imageHeaderOf, imageParts } from '../../compaction/images/image-part.ts';
import {
  isTyped,
  textOf,
  typedText,
  type Message,
  type ToolCall,
} from '../../compaction/messages/message.ts';
import type { CompactionRecord } from '../../compaction/records/record.ts';
import { messagesOf } from '../../compaction/transcript/transcript.ts';
import type { TranscriptEntry } from '../../compaction/transcript/transcript-entry.ts';
import { titleOf } from '../token-breakdown.ts';

/** The parts of an export. */
export interface ExportedSession {
  readonly title: string;
  readonly entries: readonly TranscriptEntry[];
}

/** A session as people read it, in order. */
export type OutlineItem =
  | TypedItem
  | AnswerItem
  | ContextItem
  | CallItem
  | { readonly type: 'compaction'; readonly record: CompactionRecord; readonly isUndone: boolean };

export interface TypedItem {
  readonly type: 'typed';
  readonly text: string;
  /** The attachments: `label · tokens`. */
  readonly attachments: readonly string[];
  /** Their texts. */
  readonly attached: string;
  readonly pictures: readonly OutlinePicture[];
}

/** A picture that goes into an export. */
export interface OutlinePicture {
  /** A `data:` URL of a type that a browser shows as a picture and as nothing else. */
  readonly url: string;
  /** Pixels. */
  readonly width: number;
  readonly height: number;
}

export interface AnswerItem {
  readonly type: 'answer';
  readonly text: string;
  readonly reasoning: string;
}

/** Content that a program added to the conversation: rules, memory, reminders. */
export interface ContextItem {
  readonly type: 'context';
  readonly name: string;
  readonly text: string;
}

export interface CallItem {
  readonly type: 'call';
  /** The call in a line. */
  readonly title: string;
  /** As the model wrote them. */
  readonly arguments: string;
  /** Undefined if there never was one. */
  readonly result: string | undefined;
  readonly isError: boolean;
}

/** Groups calls with their results; compactions keep their position. */
export function outlineOf(entries: readonly TranscriptEntry[]): readonly OutlineItem[] {
  const messages = messagesOf({ entries });
  const { resultsOf } = pairCalls(messages);
  const undone = new Set(entries.flatMap((entry) => (entry.type === 'undo' ? entry.recordIds : [])));
  let index = -1;
  return entries.flatMap((entry): readonly OutlineItem[] => {
    if (entry.type === 'compaction') {
      return [{ type: 'compaction', record: entry.record, isUndone: undone.has(entry.record.id) }];
    }
    if (entry.type !== 'message') return [];
    index++;
    const results = (resultsOf.get(index) ?? []).flatMap((position) => messages[position] ?? []);
    return itemsOf(entry.message, results);
  });
}

function itemsOf(message: Message, results: readonly Message[]): readonly OutlineItem[] {
  const text = textOf(message.content);
  if (isTyped(message)) return [typedItem(message, text)];
  switch (message.role) {
    case 'tool':
      return [];
    case 'assistant': {
      const { reasoning = '', tool_calls: calls = [] } = message;
      const isSilent = text.trim() === '' && reasoning.trim() === '';
      return [
        ...(isSilent ? [] : [{ type: 'answer', text, reasoning } as const]),
        ...callItems(message, calls, results),
      ];
    }
    default: {
      const what = message.kind ?? (message.role === 'user' ? 'reminder' : 'system');
      return [
        { type: 'context', name: message.source === undefined ? what : `${what}: ${message.source}`, text },
      ];
    }
  }
}

function typedItem(message: Message, text: string): TypedItem {
  const { typedLength = text.length, items = [] } = message.attached ?? {};
  const { typed = [{ start: 0, end: typedLength }] } = message;
  const ends = [0, ...typed.map(({ end }) => end)];
  const added = [...typed, { start: text.length }].map(({ start }, index) => text.slice(ends[index], start));
  return {
    type: 'typed',
    text: typedText(message),
    attachments: items.map(({ label, tokens }) => `${label} · ${tokens.toLocaleString('en')} tokens`),
    attached: added.join('\n').trim(),
    pictures: picturesIn(message),
  };
}

/** Pictures with the type of their own bytes. Those that are elsewhere are not fetched. */
function picturesIn({ content }: Message): readonly OutlinePicture[] {
  return imageParts(content).flatMap((part) => {
    const [header, image] = [imageHeaderOf(part), embeddedImage(part)];
    if (header === undefined || image === undefined) return [];
    const { type, width, height } = header;
    return [{ url: `data:${type};base64,${image.base64.replace(/[^A-Za-z0-9+/=]/gu, '')}`, width, height }];
  });
}

function callItems(
  message: Message,
  calls: readonly ToolCall[],
  results: readonly Message[],
): readonly CallItem[] {
  const waiting = [...results];
  return calls.map((call) => {
    const position = waiting.findIndex(({ tool_call_id: id }) => id === call.id);
    const [result] = position < 0 ? [] : waiting.splice(position, 1);
    return {
      type: 'call',
      title: titleOf({ ...message, content: null, tool_calls: [call] }, undefined),
      arguments: call.function.arguments,
      result: result && textOf(result.content),
      isError: result?.isError === true,
    };
  });
}
