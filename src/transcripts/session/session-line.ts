import * as v from 'valibot';
import type { Message } from '../../compaction/messages/message.ts';
import type { CompactionRecord } from '../../compaction/records/record.ts';
import { type Fields, objectionToValue } from '../reading/fields.ts';
import type { SessionEvent } from './session-event.ts';
import {
  eventSchemas,
  expectedOfMessage,
  isTime,
  messageSchema,
  optionalOfMessage,
  recordSchema,
  timedEvents,
  wholeMessageSchema,
} from './session-schema.ts';
import { isRecord } from '../../language/is-record.ts';

/** An event without its invalid fields, and the names of these fields. */
interface ReadEvent {
  readonly event: SessionEvent;
  readonly leftOut: readonly string[];
}

/**
 * Reads one line of a session, which may have any content.
 *
 * @param time time in ISO 8601 for an event without a valid time
 * @returns the event, or the end of a sentence that states why the line is not an event
 */
export function readEvent(line: string, time: string): ReadEvent | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'it is not valid JSON.';
  }
  const objection = objectionToValue(value);
  if (objection !== undefined) return objection;
  if (!isRecord(value)) return 'it is not an object.';
  const type = own(value, 'type');
  if (type === 'message') {
    const read = readMessage(own(value, 'message'), time);
    if (typeof read === 'string') return read;
    return { event: { type, message: read.message }, leftOut: read.leftOut };
  }
  if (type === 'compaction') {
    const record = readRecord(own(value, 'record'));
    return typeof record === 'string' ? record : { event: { type, record }, leftOut: [] };
  }
  const schema = eventSchemas.get(type);
  if (schema === undefined || !v.is(schema, value)) return 'it is no event of a session.';
  if (!timedEvents.has(type) || isTime(value['createdAt'])) return { event: asEvent(value), leftOut: [] };
  const leftOut = value['createdAt'] === undefined ? [] : ['createdAt'];
  return { event: asEvent({ ...value, createdAt: time }), leftOut };
}

interface ReadMessage {
  readonly message: Message;
  readonly leftOut: readonly string[];
}

/** Reads a message without its invalid optional fields. */
function readMessage(value: unknown, time: string): ReadMessage | string {
  if (!isRecord(value)) return 'a message is an object.';
  const checked = v.safeParse(messageSchema, value, { abortEarly: true });
  if (!checked.success) return `a message has ${expectedOfMessage.get(fieldOf(checked.issues[0]))}.`;
  if (value['role'] === 'tool' && typeof value['tool_call_id'] !== 'string') {
    return 'a tool result has a tool_call_id.';
  }
  // A result is kept even without content, so that its call has a result.
  const isEmptyResult = value['role'] === 'tool' && value['content'] === null;
  const leftOut = Object.keys(value).filter((name) => {
    const schema = optionalSchemas.get(name);
    return (schema !== undefined && !v.is(schema, value[name])) || (isEmptyResult && name === 'content');
  });
  if (leftOut.length === 0 && value['createdAt'] !== undefined) return { message: asMessage(value), leftOut };
  const kept = Object.entries(value).filter(([name]) => !leftOut.includes(name));
  const content = isEmptyResult ? { content: '' } : {};
  return { message: asMessage({ createdAt: time, ...Object.fromEntries(kept), ...content }), leftOut };
}

/** Returns the name of the invalid field. */
function fieldOf(issue: v.BaseIssue<unknown>): string {
  return String(issue.path?.[0]?.key);
}

const optionalSchemas: ReadonlyMap<string, v.GenericSchema> = new Map(Object.entries(optionalOfMessage));

/** @returns the record, or the end of a sentence that states why the value is not a record */
export function readRecord(value: unknown): CompactionRecord | string {
  if (!isRecord(value)) return 'a compaction is an object.';
  const checked = v.safeParse(recordSchema, value, { abortEarly: true });
  if (checked.success) return value as unknown as CompactionRecord;
  const name = fieldOf(checked.issues[0]);
  return Object.hasOwn(value, name)
    ? `the compaction's ${name} is not what it should be.`
    : `the compaction has no ${name}.`;
}

/** True if a message has every required field and all fields are valid. */
export function isWholeMessage(value: unknown): value is Message {
  return v.is(wholeMessageSchema, value);
}

const asEvent = (value: Fields) => value as unknown as SessionEvent;
const asMessage = (value: Fields) => value as unknown as Message;

/** Returns a field of the object itself, not an inherited field. */
function own(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
