import type { CompactionRecord } from '../../compaction/records/record.ts';
import { idOf, objectionTo } from '../../compaction/transcript/transcript.ts';
import type { ToolHistory, ToolsFrom } from '../../compaction/transcript/transcript-entry.ts';
import type { TranscriptEntry } from '../../compaction/transcript/transcript-entry.ts';
import { type Imported, type TranscriptFormat, unknownTime } from '../reading/transcript-format.ts';
import { expectedAt, problemAt } from '../reading/json-document.ts';
import {
  isEntry,
  toolSetOf,
  sessionVersion,
  type EditsEvent,
  type SessionEvent,
  type SessionHeader,
  type ToolSet,
  type TurnEvent,
} from './session-event.ts';
import { readEvent } from './session-line.ts';
import { importsSentences } from '../../language/imports-english.ts';

/** Content of a session file, with the lines left out that could not be read. */
export interface SessionContents {
  readonly header: SessionHeader | undefined;
  /** A newer version of this program wrote the session: what it added may be missing here, so nothing is written. */
  readonly isNewer: boolean;
  readonly title: string | undefined;
  readonly tools: ToolSet['tools'];
  /** The tools of the session, with those that requests do not carry. */
  readonly toolSet: ToolSet;
  readonly toolHistory: ToolHistory;
  readonly entries: readonly TranscriptEntry[];
  /** Text streamed for a message that never came to be: the program ended in the middle of it. */
  readonly unfinished: { readonly messageId: string; readonly text: string } | undefined;
  /** The last turn, if it was stopped or failed and nothing came after. */
  readonly lastTurn: TurnEvent | undefined;
  /** Messages that were typed and never said. */
  readonly queue: readonly string[];
  /** Changes to files, the newest word on each turn. */
  readonly edits: readonly EditsEvent[];
  readonly problems: readonly string[];
}

const expected = importsSentences.say('expectedContextBudget');

const newerVersion =
  'A newer version of Context Budget wrote this session; what it added to the format is not read.';

export const sessionFormat: TranscriptFormat = {
  id: 'session',
  title: 'Context Budget session (JSON lines)',
  recognises: (text) => /^\s*\{"type":\s*"session"/.test(text),
  parse(text): Imported {
    const { header, entries, tools, problems } = readSession(text);
    if (header === undefined && entries.length === 0) throw expectedAt(1, expected);
    return { entries, tools, compactions: [], problems };
  },
};

/**
 * Reads a session whatever it contains; an invalid line is skipped and reported.
 *
 * @param lines the whole text, or its lines
 */
export function readSession(lines: string | Iterable<string>): SessionContents {
  let header: SessionHeader | undefined;
  let title: string | undefined;
  const toolHistory: ToolsFrom[] = [];
  let toolSet: ToolSet = { tools: [] };
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

  let number = 0;
  for (const line of typeof lines === 'string' ? lines.split('\n') : lines) {
    number++;
    if (line.trim() === '') continue;
    const read = readEvent(line, time);
    const objection = typeof read === 'string' ? read : objectionToEvent(read.event, ids, brought);
    if (typeof read === 'string' || objection !== undefined) {
      problems.push(problemAt(number, objection ?? ''));
      continue;
    }
    const { event, leftOut } = read;
    for (const name of leftOut) {
      problems.push(`Of line ${number}, ${name} was skipped: it is not what it should be.`);
    }
    if (event.type === 'session') header = event;
    else if (event.type === 'title') title = event.title;
    else if (event.type === 'tools') {
      toolSet = toolSetOf(event);
      toolHistory.push({ entries: entries.length, tools: toolSet.tools });
    } else if (event.type === 'turn') lastTurn = event;
    else if (event.type === 'queue') queue = event.texts;
    else if (event.type === 'edits') edits.set(event.turnId, event);
    else if (event.type === 'partial') {
      // What is whole needs no pieces.
      if (ids.has(event.messageId) || brought.has(event.messageId)) continue;
      const earlier = unfinished?.messageId === event.messageId ? unfinished.text : '';
      unfinished = { messageId: event.messageId, text: earlier + event.text };
    } else {
      const id = idOf(event);
      if (id !== undefined) ids.add(id);
      if (event.type === 'message') time = event.message.createdAt;
      if (event.type === 'compaction') for (const output of event.record.outputs) brought.add(output.id);
      entries.push(event);
      lastTurn = undefined;
      if (id === unfinished?.messageId) unfinished = undefined;
    }
  }
  const isNewer = (header?.version ?? sessionVersion) > sessionVersion;
  if (isNewer) problems.unshift(newerVersion);
  return {
    header,
    isNewer,
    title,
    tools: toolSet.tools,
    toolSet,
    toolHistory,
    entries,
    unfinished,
    lastTurn,
    queue,
    edits: [...edits.values()],
    problems,
  };
}

/**
 * Reason why an event cannot follow, or nothing if it can.
 *
 * @param ids of messages and records
 * @param brought ids of messages that compactions brought
 */
function objectionToEvent(
  event: SessionEvent,
  ids: ReadonlySet<string>,
  brought: ReadonlySet<string>,
): string | undefined {
  if (!isEntry(event)) return undefined;
  const objection = objectionTo(
    event,
    (id) => ids.has(id),
    (id) => brought.has(id),
  )?.english;
  if (objection !== undefined || event.type !== 'compaction') return objection;
  return objectionToOutputs(event.record, (id) => ids.has(id) || brought.has(id));
}

/** A message that a compaction brings and that replaces several, or none, has an id of its own. */
function objectionToOutputs(
  { actions, outputs }: CompactionRecord,
  isTaken: (id: string) => boolean,
): string | undefined {
  const rewritten = new Set(
    actions.flatMap(({ outputId, sourceIds }) => (sourceIds.includes(outputId ?? '') ? [outputId] : [])),
  );
  const brought = new Set<string>();
  for (const { id } of outputs) {
    if (brought.has(id) || (!rewritten.has(id) && isTaken(id))) return `The transcript already has ${id}.`;
    brought.add(id);
  }
  return undefined;
}
