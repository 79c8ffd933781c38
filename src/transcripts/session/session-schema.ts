import * as v from 'valibot';
import { kinds, roles, type Origin, type Truncation } from '../../compaction/messages/message.ts';
import { type Ledger, ledgerSections, markedWays, reportedEnds } from '../../compaction/messages/ledger.ts';
import { checkKinds, type WorkState } from '../../compaction/messages/where-it-stands.ts';
import { quoteKinds } from '../../compaction/messages/quote.ts';
import type { Fate, RecordStatus, Requirement } from '../../compaction/records/record.ts';
import { isStoredSentence, type StoredSentence } from '../../language/sentence.ts';
import { exchangeSchema, wireOriginSchema } from './exchange-schema.ts';
import { isRecord } from '../../language/is-record.ts';

/**
 * Schemas of the events in a session file. A schema only checks a value. The value is used unchanged, so unknown
 * fields are kept. Fields that earlier versions did not write must be optional.
 */

const text = v.string();
const id = v.pipe(text, v.nonEmpty());
const texts = v.array(text);
const ids = v.array(id);
const flag = v.boolean();
const sentence = v.custom<StoredSentence>((value) => isStoredSentence(value));
const number = v.pipe(v.number(), v.finite());
/** Tokens, characters, lines and similar counts; estimates may have a fraction. */
const amount = v.pipe(number, v.minValue(0), v.maxValue(Number.MAX_SAFE_INTEGER));
const list = v.custom<readonly unknown[]>(Array.isArray);
const fields = v.custom<Readonly<Record<string, unknown>>>(isRecord);
const time = v.pipe(
  text,
  v.check((value) => !Number.isNaN(Date.parse(value))),
);

/** Creates a schema of names. The type checker ensures that the list is complete. */
const namesOf = <Name extends string>(names: Readonly<Record<Name, true>>) =>
  v.picklist(Object.keys(names) as unknown as readonly Name[]);

const toolSchema = v.object({
  form: v.optional(v.picklist(['messages', 'gemini'])),
  function: v.object({ name: text, description: v.optional(text), parameters: v.optional(fields) }),
});

const editedFile = v.object({
  path: text,
  change: v.picklist(['created', 'modified', 'deleted']),
  added: amount,
  removed: amount,
});

const origins: Readonly<Record<Origin, true>> = {
  person: true,
  model: true,
  tool: true,
  harness: true,
  strategy: true,
};

export const contentSchema = v.union([
  v.null(),
  text,
  v.array(v.object({ type: text, text: v.optional(text) })),
]);

export const callsSchema = v.array(
  v.object({ id: text, function: v.object({ name: text, arguments: text }) }),
);

/** Required fields of a message. */
const neededOfMessage = {
  id,
  role: v.picklist(roles),
  origin: namesOf(origins),
  content: contentSchema,
  tool_calls: v.optional(callsSchema),
};

/** Descriptions of the required fields for users. */
export const expectedOfMessage: ReadonlyMap<string, string> = new Map<keyof typeof neededOfMessage, string>([
  ['id', 'an id'],
  ['role', `a role, one of ${roles.join(', ')}`],
  ['origin', 'an origin'],
  ['content', 'content that is a text, null or an array of parts'],
  ['tool_calls', 'tool_calls with id, function.name and function.arguments'],
]);

const truncations: Readonly<Record<Truncation['fate'], true>> = {
  hide: true,
  clip: true,
  offload: true,
  tool: true,
};

const attachment = v.object({
  label: text,
  type: text,
  tokens: amount,
  characters: amount,
  path: v.optional(text),
  lines: v.optional(v.object({ first: amount, last: amount })),
  isShortened: v.optional(flag),
  warning: v.optional(text),
  warningSentence: v.optional(sentence),
});

const fileFact = v.object({
  path: text,
  edits: v.optional(amount),
  created: v.optional(v.literal(true)),
  deleted: v.optional(v.literal(true)),
});

/** Facts in a summary, in the sections of `Ledger`. */
const ledger = v.object({
  marked: v.optional(v.array(v.object({ text, as: v.picklist(markedWays), said: v.optional(text) }))),
  requests: texts,
  filesModified: v.array(v.union([text, fileFact])),
  filesRead: texts,
  commands: v.array(v.object({ command: text, status: v.optional(number), end: v.optional(text) })),
  notRun: v.optional(v.array(v.object({ text, what: text, end: text }))),
  errors: v.array(v.object({ text, more: v.optional(amount), tool: text, command: v.optional(text) })),
  identifiers: texts,
  decisions: texts,
  choices: texts,
  constraints: texts,
  preferences: v.optional(texts),
  questions: v.optional(texts),
  nextSteps: texts,
  replaced: v.array(v.object({ text, by: text })),
});

const requestEnd = v.picklist(['open', 'answered', 'interrupted', 'refused', 'closed', 'undone']);
const moment = v.object({ calls: amount, edits: amount });

/** `WorkState` in a summary. */
const state = v.object({
  ...moment.entries,
  upTo: v.optional(text),
  request: v.optional(
    v.object({
      text,
      question: v.optional(text),
      isTask: v.optional(v.literal(true)),
      end: requestEnd,
      failed: v.optional(text),
      at: moment,
    }),
  ),
  checks: v.array(
    v.object({
      kind: v.picklist(checkKinds),
      command: text,
      folder: v.optional(text),
      result: v.picklist(['passed', 'failed', 'unknown', 'cancelled', 'running']),
      line: v.optional(text),
      more: v.optional(texts),
      at: moment,
    }),
  ),
  repository: v.optional(
    v.object({
      folder: v.optional(text),
      branch: v.optional(text),
      commit: v.optional(
        v.object({
          hash: text,
          subject: v.optional(text),
          at: v.optional(moment),
          newer: v.optional(text),
        }),
      ),
      push: v.optional(v.object({ ref: text, isRejected: v.optional(v.literal(true)) })),
      pullRequest: v.optional(text),
      uncommitted: v.optional(v.object({ files: texts, at: moment })),
    }),
  ),
  plan: v.array(v.object({ text, state: v.picklist(['open', 'in progress', 'done']), id: v.optional(text) })),
  planAge: v.optional(v.object({ at: moment, answers: amount, commits: amount })),
  awaited: v.array(
    v.object({
      what: v.picklist(['answer', 'approval', 'background', 'sub-agent', 'result']),
      text,
      id: v.optional(text),
    }),
  ),
});

const earlierRequest = v.object({
  text,
  words: v.optional(text),
  question: v.optional(text),
  end: requestEnd,
  work: texts,
  reply: v.optional(text),
});

/** True for a ledger with every section. */
export function isLedger(value: unknown): value is Ledger {
  return isRecord(value) && ledgerSections.every((section) => section in value) && v.is(ledger, value);
}

export function isWorkState(value: unknown): value is WorkState {
  return v.is(state, value);
}
const quotes = v.object({
  found: v.array(v.object({ kind: v.picklist(quoteKinds), id: text, text })),
  replaced: v.array(v.object({ id: text, text, newerId: text, newerText: text })),
});

export const optionalOfMessage = {
  createdAt: time,
  name: text,
  tool_call_id: text,
  kind: v.picklist(kinds),
  pinned: flag,
  reasoning: text,
  usage: v.object({
    inputTokens: amount,
    outputTokens: amount,
    cachedInputTokens: v.optional(amount),
    cacheWriteTokens: v.optional(amount),
  }),
  modelId: text,
  truncation: v.object({ fate: namesOf(truncations), originalTokens: v.optional(amount) }),
  interrupted: flag,
  hidesResults: flag,
  isError: flag,
  source: text,
  original: text,
  reasoningItems: v.object({ endpoint: text, model: text, items: list }),
  attached: v.object({ typedLength: amount, items: v.array(attachment) }),
  typed: v.array(v.object({ start: amount, end: amount })),
  outcome: v.object({
    end: v.optional(v.picklist(reportedEnds)),
    status: v.optional(number),
    summary: v.optional(text),
    sentence: v.optional(sentence),
    isDeclined: v.optional(flag),
    files: v.optional(v.array(editedFile)),
  }),
  opaque: v.object({ endpoint: text, content: text }),
  carried: v.object({
    ledger: v.optional(ledger),
    state: v.optional(state),
    concepts: v.optional(
      v.array(v.object({ concept: v.object({ keyword: text, description: text }), facts: v.array(text) })),
    ),
    requests: v.optional(v.array(earlierRequest)),
    quotes: v.optional(quotes),
    plan: v.optional(text),
    followers: v.optional(number),
    request: v.optional(text),
  }),
};

export const messageSchema = v.object(neededOfMessage);

/** A message with all required fields and no invalid fields. */
export const wholeMessageSchema = v.pipe(
  v.object({
    ...neededOfMessage,
    ...v.partial(v.object(optionalOfMessage)).entries,
    createdAt: time,
  }),
  v.check(({ role, tool_call_id }) => role !== 'tool' || tool_call_id !== undefined),
);

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
const requirements: Readonly<Record<Requirement, true>> = { soft: true, hard: true };

const status = namesOf(statuses);
const reason = v.object({ code: text, message: text, sentence: v.optional(sentence) });
const size = v.object({ messages: amount, tokens: amount, byKind: v.record(text, amount) });
const kept = v.object({ kept: amount, total: amount, missing: texts });
const summary = {
  model: text,
  promptTokens: amount,
  outputTokens: amount,
  attempts: amount,
  isContinued: v.optional(flag),
  quotes: v.optional(v.object({ kept: amount, dropped: v.record(text, amount) })),
};

export const recordSchema = v.object({
  id,
  createdAt: time,
  trigger: v.object({
    source: text,
    requirement: namesOf(requirements),
    tokens: amount,
    start: v.optional(text),
    threshold: v.optional(number),
  }),
  requestedStrategy: text,
  actualStrategy: text,
  strategyTitle: v.optional(text),
  options: fields,
  focus: v.optional(text),
  folder: v.optional(text),
  status,
  reason: v.optional(reason),
  tiers: v.array(v.object({ strategy: text, status, reason: v.optional(reason) })),
  modelUse: v.optional(v.object({ requests: amount, promptTokens: amount, outputTokens: amount })),
  before: size,
  after: size,
  actions: v.array(
    v.object({
      kind: namesOf(fates),
      sourceIds: texts,
      outputId: v.optional(text),
      after: v.optional(v.nullable(text)),
      reason: text,
      sentence: v.optional(sentence),
      tokensBefore: amount,
      tokensAfter: amount,
      archiveRef: v.optional(text),
    }),
  ),
  outputs: v.array(wholeMessageSchema),
  summary: v.optional(v.object({ ...summary, beside: v.optional(v.array(v.object(summary))) })),
  isEdited: v.optional(flag),
  part: v.optional(v.object({ firstId: text, lastId: text, rewinds: v.optional(flag) })),
  coverage: v.object({ files: kept, commands: kept, errors: kept, identifiers: kept, userMessages: kept }),
  cost: v.object({ cacheMissTokens: number, savedPerCall: number, breakEvenCalls: v.nullable(number) }),
  target: v.optional(number),
  durationMs: number,
  warnings: texts,
  warningSentences: v.optional(v.array(v.nullable(sentence))),
});

/** Schemas of the events that contain neither a message nor a record. */
export const eventSchemas: ReadonlyMap<unknown, v.GenericSchema> = new Map<string, v.GenericSchema>([
  [
    'session',
    v.object({
      version: v.pipe(v.number(), v.safeInteger(), v.minValue(1)),
      id,
      parent: v.optional(v.object({ sessionId: text, callKey: text })),
      wire: v.optional(wireOriginSchema),
    }),
  ],
  ['undo', v.object({ recordIds: ids })],
  ['restore', v.object({ messageIds: ids })],
  ['pin', v.object({ messageIds: ids, pinned: flag })],
  [
    'mark',
    v.object({
      messageIds: texts,
      sentence: id,
      as: v.optional(v.picklist([...markedWays, 'struck'])),
      words: v.optional(id),
    }),
  ],
  ['title', v.object({ title: text })],
  [
    'tools',
    v.object({
      tools: v.array(toolSchema),
      aside: v.optional(v.array(toolSchema)),
      servers: v.optional(v.record(text, text)),
      off: v.optional(v.object({ tools: texts, servers: texts })),
    }),
  ],
  ['partial', v.object({ messageId: id, text })],
  ['queue', v.object({ texts })],
  ['edits', v.object({ turnId: id, files: v.array(editedFile), isUndone: v.optional(flag) })],
  ['exchange', exchangeSchema],
  [
    'history',
    v.object({ messageIds: ids, keys: v.optional(v.record(text, text)), recordId: v.optional(id) }),
  ],
  [
    'turn',
    v.object({
      outcome: v.picklist(['stopped', 'failed']),
      message: text,
      sentence: v.optional(sentence),
    }),
  ],
]);

/** Types of events that may get the time of the previous event, because nothing depends on their time. */
export const timedEvents: ReadonlySet<unknown> = new Set(['session', 'undo', 'restore', 'pin', 'mark']);

export const isTime = (value: unknown): value is string => v.is(time, value);
