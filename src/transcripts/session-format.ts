import type { Message, ToolSchema } from '../compaction/message.ts';
import { idOf, objectionTo } from '../compaction/transcript.ts';
import type { TranscriptEntry } from '../compaction/transcript-entry.ts';
import { isFields, type Fields } from './fields.ts';
import type { Imported, TranscriptFormat } from './format.ts';
import type { EditsEvent, SessionEvent, SessionHeader, TurnEvent } from './session-event.ts';

/** What a session file says, with the lines left out that could not be read. */
export interface SessionContents {
  readonly header: SessionHeader | undefined;
  readonly title: string | undefined;
  readonly tools: readonly ToolSchema[];
  readonly entries: readonly TranscriptEntry[];
  /** Text streamed for a message that never came to be: the program ended in the middle of it. */
  readonly unfinished: { readonly messageId: string; readonly text: string } | undefined;
  /** The last turn, where it was stopped or failed and nothing came after. */
  readonly lastTurn: TurnEvent | undefined;
  /** Messages that were typed and never said. */
  readonly queue: readonly string[];
  /** What was done to files, the newest word on each turn. */
  readonly edits: readonly EditsEvent[];
  readonly problems: readonly string[];
}

export const sessionFormat: TranscriptFormat = {
  id: 'session',
  title: 'Context Budget session (JSON lines)',
  recognises: (text) => /^\s*\{"type":"session"/.test(text),
  parse(text): Imported {
    const { entries, tools, problems } = readSession(text);
    return { entries, tools, compactions: [], problems };
  },
};

export function readSession(text: string): SessionContents {
  let header: SessionHeader | undefined;
  let title: string | undefined;
  let tools: readonly ToolSchema[] = [];
  let lastTurn: TurnEvent | undefined;
  let unfinished: { messageId: string; text: string } | undefined;
  let queue: readonly string[] = [];
  const edits = new Map<string, EditsEvent>();
  const entries: TranscriptEntry[] = [];
  const ids = new Set<string>();
  const problems: string[] = [];

  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const event = parseEvent(line);
    if (typeof event === 'string') {
      problems.push(`Line ${index + 1} was skipped: ${event}`);
      continue;
    }
    if (event.type === 'session') header = event;
    else if (event.type === 'title') title = event.title;
    else if (event.type === 'tools') tools = event.tools;
    else if (event.type === 'turn') lastTurn = event;
    else if (event.type === 'queue') queue = event.texts;
    else if (event.type === 'edits') edits.set(event.turnId, event);
    else if (event.type === 'partial') {
      const earlier = unfinished?.messageId === event.messageId ? unfinished.text : '';
      unfinished = { messageId: event.messageId, text: earlier + event.text };
    } else {
      const objection = objectionTo(event, (id) => ids.has(id));
      if (objection !== undefined) {
        problems.push(`Line ${index + 1} was skipped: ${objection}`);
        continue;
      }
      const id = idOf(event);
      if (id !== undefined) ids.add(id);
      entries.push(event);
      lastTurn = undefined;
      if (id === unfinished?.messageId) unfinished = undefined;
    }
  }
  return { header, title, tools, entries, unfinished, lastTurn, queue, edits: [...edits.values()], problems };
}

/** @returns the event, or why the line is none */
function parseEvent(line: string): SessionEvent | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'it is not valid JSON.';
  }
  if (!isFields(value)) return 'it is not an object.';
  return isEvent(value) ? (value as unknown as SessionEvent) : 'it is no event of a session.';
}

function isEvent(value: Fields): boolean {
  switch (value['type']) {
    case 'session':
      return value['version'] === 1 && typeof value['id'] === 'string';
    case 'message':
      return isMessage(value['message']);
    case 'compaction': {
      const record = value['record'];
      return (
        isFields(record) &&
        typeof record['id'] === 'string' &&
        Array.isArray(record['actions']) &&
        Array.isArray(record['outputs'])
      );
    }
    case 'undo':
      return isStrings(value['recordIds']);
    case 'restore':
    case 'pin':
      return isStrings(value['messageIds']);
    case 'title':
      return typeof value['title'] === 'string';
    case 'tools':
      return Array.isArray(value['tools']);
    case 'partial':
      return typeof value['messageId'] === 'string' && typeof value['text'] === 'string';
    case 'queue':
      return isStrings(value['texts']);
    case 'edits':
      return typeof value['turnId'] === 'string' && Array.isArray(value['files']);
    case 'turn':
      return typeof value['outcome'] === 'string' && typeof value['message'] === 'string';
    default:
      return false;
  }
}

function isMessage(value: unknown): value is Message {
  return (
    isFields(value) &&
    typeof value['id'] === 'string' &&
    typeof value['role'] === 'string' &&
    typeof value['origin'] === 'string' &&
    'content' in value
  );
}

function isStrings(value: unknown): boolean {
  return Array.isArray(value) && value.every((item) => typeof item === 'string');
}
