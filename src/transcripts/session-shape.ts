import { kinds, roles, type Message, type Origin, type Truncation } from '../compaction/message.ts';
import type { CompactionRecord, Fate, RecordStatus } from '../compaction/record.ts';
import { isFields, type Fields } from './fields.ts';

/** Whether a value that was read is what it should be. */
type Guard = (value: unknown) => boolean;

const isText: Guard = (value) => typeof value === 'string';
const isNumber: Guard = (value) => typeof value === 'number' && Number.isFinite(value);
const isFlag: Guard = (value) => typeof value === 'boolean';
const oneOf =
  (choices: readonly unknown[]): Guard =>
  (value) =>
    choices.includes(value);
const nullOr =
  (guard: Guard): Guard =>
  (value) =>
    value === null || guard(value);
const optional =
  (guard: Guard): Guard =>
  (value) =>
    value === undefined || guard(value);
const listOf =
  (guard: Guard): Guard =>
  (value) =>
    Array.isArray(value) && value.every(guard);
const mapOf =
  (guard: Guard): Guard =>
  (value) =>
    isFields(value) && Object.values(value).every(guard);
const shape =
  (fields: Readonly<Record<string, Guard>>): Guard =>
  (value) =>
    isFields(value) && Object.entries(fields).every(([name, guard]) => guard(own(value, name)));

export const isTexts = listOf(isText);
export const isTime: Guard = (value) => typeof value === 'string' && !Number.isNaN(Date.parse(value));
export const isTools = listOf(shape({ function: shape({ name: isText, description: optional(isText) }) }));
export const isEditedFiles = listOf(
  shape({
    path: isText,
    change: oneOf(['created', 'modified', 'deleted']),
    added: isNumber,
    removed: isNumber,
  }),
);

export const isCalls = listOf(shape({ id: isText, function: shape({ name: isText, arguments: isText }) }));
const isPart = shape({ type: isText, text: optional(isText) });
export const isContent: Guard = (value) => value === null || isText(value) || listOf(isPart)(value);

const origins: Readonly<Record<Origin, true>> = {
  person: true,
  model: true,
  tool: true,
  harness: true,
  strategy: true,
};

/** What a message has to have, as people are told it. */
const neededOfMessage: Readonly<Record<string, readonly [guard: Guard, expected: string]>> = {
  id: [isText, 'an id'],
  role: [oneOf(roles), `a role, one of ${roles.join(', ')}`],
  origin: [oneOf(Object.keys(origins)), 'an origin'],
  content: [isContent, 'content that is a text, null or an array of parts'],
  tool_calls: [optional(isCalls), 'tool_calls with id, function.name and function.arguments'],
};

const truncations: Readonly<Record<Truncation['fate'], true>> = {
  hide: true,
  clip: true,
  offload: true,
  tool: true,
};

/** What a message may have, and can go without. */
const optionalOfMessage: Readonly<Record<string, Guard>> = {
  createdAt: isTime,
  name: isText,
  kind: oneOf(kinds),
  pinned: isFlag,
  reasoning: isText,
  usage: shape({
    inputTokens: isNumber,
    outputTokens: isNumber,
    cachedInputTokens: optional(isNumber),
    cacheWriteTokens: optional(isNumber),
  }),
  modelId: isText,
  truncation: shape({ fate: oneOf(Object.keys(truncations)), originalTokens: optional(isNumber) }),
  interrupted: isFlag,
  isError: isFlag,
  source: isText,
  original: isText,
  reasoningItems: shape({ endpoint: isText, model: isText, items: Array.isArray }),
  attached: shape({
    typedLength: isNumber,
    items: listOf(shape({ label: isText, type: isText, tokens: isNumber, characters: isNumber })),
  }),
  outcome: shape({ summary: optional(isText), isDeclined: optional(isFlag), files: optional(isEditedFiles) }),
  opaque: shape({ endpoint: isText, content: isText }),
};

export interface ReadMessage {
  readonly message: Message;
  /** Names of fields that were left out, as they are not what they should be. */
  readonly leftOut: readonly string[];
}

/**
 * Reads a message of a session. It goes without what it can go without.
 *
 * @param time of a message that tells none that can be read, ISO 8601
 * @returns the message, or why the value is none, the end of a sentence
 */
export function readMessage(value: unknown, time: string): ReadMessage | string {
  if (!isFields(value)) return 'a message is an object.';
  for (const [name, [guard, expected]] of Object.entries(neededOfMessage)) {
    if (!guard(own(value, name))) return `a message has ${expected}.`;
  }
  if (value['role'] === 'tool' && !isText(value['tool_call_id'])) return 'a tool result has a tool_call_id.';
  const isWrong = ([name, field]: readonly [string, unknown]) =>
    Object.hasOwn(optionalOfMessage, name) && optionalOfMessage[name]?.(field) !== true;
  const wrong = Object.entries(value).filter(isWrong);
  const leftOut = wrong.map(([name]) => name);
  if (leftOut.length === 0 && value['createdAt'] !== undefined) {
    return { message: value as unknown as Message, leftOut };
  }
  const message = Object.fromEntries(Object.entries(value).filter(([name]) => !leftOut.includes(name)));
  return { message: { createdAt: time, ...message } as unknown as Message, leftOut };
}

const fates: Readonly<Record<Fate, true>> = {
  keep: true,
  hide: true,
  clip: true,
  offload: true,
  drop: true,
  summarise: true,
  insert: true,
};
const statuses: Readonly<Record<RecordStatus, true>> = {
  applied: true,
  unchanged: true,
  refused: true,
  failed: true,
  cancelled: true,
};
const isStatus = oneOf(Object.keys(statuses));
const isReason = shape({ code: isText, message: isText });
const isSize = shape({ messages: isNumber, tokens: isNumber, byKind: mapOf(isNumber) });
const isOneSummary = shape({
  model: isText,
  promptTokens: isNumber,
  outputTokens: isNumber,
  attempts: isNumber,
});
const isSummary: Guard = (value) =>
  isOneSummary(value) && isFields(value) && optional(listOf(isOneSummary))(own(value, 'beside'));
const isKept = shape({ kept: isNumber, total: isNumber, missing: Array.isArray });

/** What versions before this one did not write has to be optional here: a record that is skipped changes the view. */
const fieldsOfRecord: Readonly<Record<string, Guard>> = {
  id: isText,
  createdAt: isTime,
  trigger: shape({
    source: isText,
    requirement: oneOf(['soft', 'hard']),
    tokens: isNumber,
    start: optional(isText),
    threshold: optional(isNumber),
  }),
  requestedStrategy: isText,
  actualStrategy: isText,
  options: isFields,
  focus: optional(isText),
  status: isStatus,
  reason: optional(isReason),
  tiers: listOf(shape({ strategy: isText, status: isStatus, reason: optional(isReason) })),
  before: isSize,
  after: isSize,
  actions: listOf(
    shape({
      kind: oneOf(Object.keys(fates)),
      sourceIds: isTexts,
      outputId: optional(isText),
      after: optional(nullOr(isText)),
      reason: isText,
      tokensBefore: isNumber,
      tokensAfter: isNumber,
      archiveRef: optional(isText),
    }),
  ),
  outputs: listOf((value) => isWholeMessage(value)),
  summary: optional(isSummary),
  coverage: shape({
    files: isKept,
    commands: isKept,
    errors: isKept,
    identifiers: isKept,
    userMessages: isKept,
  }),
  cost: shape({ cacheMissTokens: isNumber, savedPerCall: isNumber, breakEvenCalls: nullOr(isNumber) }),
  durationMs: isNumber,
  warnings: isTexts,
};

/** @returns the record, or why the value is none, the end of a sentence */
export function readRecord(value: unknown): CompactionRecord | string {
  if (!isFields(value)) return 'a compaction is an object.';
  for (const [name, guard] of Object.entries(fieldsOfRecord)) {
    const field = own(value, name);
    if (field === undefined && !guard(field)) return `the compaction has no ${name}.`;
    if (!guard(field)) return `the compaction's ${name} is not what it should be.`;
  }
  return value as unknown as CompactionRecord;
}

/** Whether a message has all that it should have, and nothing that is not what it should be. */
export function isWholeMessage(value: unknown): value is Message {
  const read = isFields(value) && isTime(value['createdAt']) ? readMessage(value, '') : 'no message';
  return typeof read !== 'string' && read.leftOut.length === 0;
}

/** The field itself, not what every object has. */
function own(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}
