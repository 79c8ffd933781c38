import type { ToolSchema } from '../compaction/message.ts';
import type { CompactionRecord } from '../compaction/record.ts';
import { idOf, objectionTo } from '../compaction/transcript.ts';
import type { TranscriptEntry } from '../compaction/transcript-entry.ts';
import { unknownTime } from './draft.ts';
import { problemAt } from './event-lines.ts';
import { isFields, type Fields } from './fields.ts';
import { ImportError, type Imported, type TranscriptFormat } from './format.ts';
import type { EditsEvent, SessionEvent, SessionHeader, TurnEvent } from './session-event.ts';
import { isEditedFiles, isTexts, isTools, readMessage, readRecord } from './session-shape.ts';

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

const expected =
  'a Context Budget session, JSON lines of which the first has "type": "session", "version": 1 and "id"';

export const sessionFormat: TranscriptFormat = {
  id: 'session',
  title: 'Context Budget session (JSON lines)',
  recognises: (text) => /^\s*\{"type":\s*"session"/.test(text),
  parse(text): Imported {
    const { header, entries, tools, problems } = readSession(text);
    if (header === undefined && entries.length === 0) throw new ImportError(`Line 1: expected ${expected}.`);
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
  /** Ids of messages that compactions brought. */
  const brought = new Set<string>();
  let time = unknownTime;
  const problems: string[] = [];

  for (const [index, line] of text.split('\n').entries()) {
    if (line.trim() === '') continue;
    const read = parseEvent(line, time);
    if (typeof read === 'string') {
      problems.push(problemAt(index + 1, read));
      continue;
    }
    const { event, leftOut } = read;
    for (const name of leftOut) {
      problems.push(`Of line ${index + 1}, ${name} was skipped: it is not what it should be.`);
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
      const isTaken = (id: string) => ids.has(id) || brought.has(id);
      const objection =
        objectionTo(event, (id) => ids.has(id)) ??
        (event.type === 'compaction' ? objectionToOutputs(event.record, isTaken) : undefined);
      if (objection !== undefined) {
        problems.push(problemAt(index + 1, objection));
        continue;
      }
      const id = idOf(event);
      if (id !== undefined) ids.add(id);
      if (event.type === 'message') time = event.message.createdAt;
      if (event.type === 'compaction') for (const output of event.record.outputs) brought.add(output.id);
      entries.push(event);
      lastTurn = undefined;
      if (id === unfinished?.messageId) unfinished = undefined;
    }
  }
  return { header, title, tools, entries, unfinished, lastTurn, queue, edits: [...edits.values()], problems };
}

/** An event, with what of it was left out. */
interface ReadEvent {
  readonly event: SessionEvent;
  readonly leftOut: readonly string[];
}

/**
 * @param time of a message that does not tell its own
 * @returns the event, or why the line is none
 */
function parseEvent(line: string, time: string): ReadEvent | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'it is not valid JSON.';
  }
  if (!isFields(value)) return 'it is not an object.';
  if (value['type'] === 'message') {
    const read = readMessage(value['message'], time);
    if (typeof read === 'string') return read;
    return { event: { type: 'message', message: read.message }, leftOut: read.leftOut };
  }
  if (value['type'] === 'compaction') {
    const record = readRecord(value['record']);
    return typeof record === 'string' ? record : { event: { type: 'compaction', record }, leftOut: [] };
  }
  if (value['type'] === 'session' && typeof value['version'] === 'number' && value['version'] !== 1) {
    return `it begins a session of version ${value['version']}, and only those of version 1 can be read.`;
  }
  if (!isEvent(value)) return 'it is no event of a session.';
  return { event: value as unknown as SessionEvent, leftOut: [] };
}

function isEvent(value: Fields): boolean {
  switch (value['type']) {
    case 'session':
      return value['version'] === 1 && typeof value['id'] === 'string';
    case 'undo':
      return isTexts(value['recordIds']);
    case 'restore':
      return isTexts(value['messageIds']);
    case 'pin':
      return isTexts(value['messageIds']) && typeof value['pinned'] === 'boolean';
    case 'title':
      return typeof value['title'] === 'string';
    case 'tools':
      return isTools(value['tools']);
    case 'partial':
      return typeof value['messageId'] === 'string' && typeof value['text'] === 'string';
    case 'queue':
      return isTexts(value['texts']);
    case 'edits':
      return typeof value['turnId'] === 'string' && isEditedFiles(value['files']);
    case 'turn':
      return typeof value['outcome'] === 'string' && typeof value['message'] === 'string';
    default:
      return false;
  }
}

/**
 * Why a compaction cannot follow, or nothing where it can: a message that it brings and that stands for several, or
 * for none, has an id of its own.
 */
function objectionToOutputs({ actions, outputs }: CompactionRecord, isTaken: (id: string) => boolean) {
  const rewritten = new Set(
    actions.flatMap(({ outputId, sourceIds }) => (sourceIds.includes(outputId ?? '') ? [outputId] : [])),
  );
  const taken = outputs.find(({ id }, index) => {
    const isRepeated = outputs.findIndex((other) => other.id === id) !== index;
    return isRepeated || (!rewritten.has(id) && isTaken(id));
  });
  return taken === undefined ? undefined : `The transcript has ${taken.id} already.`;
}
