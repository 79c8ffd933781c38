import { isRecord } from '../../../language/is-record.ts';
import { textOfParts } from '../../reading/content-parts.ts';
import { type Fields, fieldsOf } from '../../reading/fields.ts';
import { type ForeignCompaction, isoTime, positive } from '../../reading/transcript-format.ts';

/** Kinds of a compaction's first message: a model's summary, or the remaining messages in their own words. */
const compactionKinds: ReadonlySet<unknown> = new Set(['compaction_summary', 'compaction']);

/**
 * Reads the compaction that Cline stores next to a session (`<id>.compaction.json`, since July 2026). It has the
 * number of messages covered, and the messages that replaced them. A file holds one compaction. A message was kept if
 * the replacement contains all its parts; all other text is the summary. Source:
 * `sdk/packages/core/src/session/models/session-compaction.ts` and its fixtures.
 *
 * @param messages messages of the session's file
 * @param starts number of our messages before each message, and before the end
 * @returns undefined if the value is not a compaction, or covers more messages than the file has
 */
export function compactionOfState(
  state: unknown,
  messages: readonly unknown[],
  starts: readonly number[],
): ForeignCompaction | undefined {
  if (!isRecord(state) || !Array.isArray(state['messages'])) return undefined;
  const { source_message_count: count, updated_at: updatedAt } = state;
  if (typeof count !== 'number' || count <= 0 || count > messages.length) return undefined;
  const source = new Map(
    messages.slice(0, count).map((message, index) => [idOf(message), { message, index }] as const),
  );
  const kept: number[] = [];
  const texts: string[] = [];
  let about: Fields = {};
  for (const message of (state['messages'] as readonly unknown[]).filter(isRecord)) {
    const known = idOf(message) === undefined ? undefined : source.get(idOf(message));
    const stayed = known !== undefined && hasAllOf(message, known.message);
    if (stayed) kept.push(known.index);
    if (isCompaction(message)) about = metadataOf(message);
    const said = new Set(stayed ? textsOf(known.message) : []);
    texts.push(...summaryIn(message, known === undefined).filter((text) => !said.has(text)));
  }
  const summary = texts.join('\n\n');
  return {
    agent: 'cline',
    beforeMessageIndex: starts[count] ?? 0,
    alsoKept: kept.flatMap((index) => range(starts[index] ?? 0, starts[index + 1] ?? 0)),
    summary,
    isCut: summary === '' ? true : undefined,
    ...detailsOf(about),
    createdAt: isoTime(updatedAt),
  };
}

/**
 * Reads a compaction from the session's file, from which older versions removed the earlier messages.
 *
 * @param message a message of the session's file
 * @param start number of our messages before the message
 */
export function compactionInPlace(message: unknown, start: number): ForeignCompaction | undefined {
  if (!isRecord(message) || metadataOf(message)['kind'] !== 'compaction_summary') return undefined;
  const { generatedAt } = metadataOf(message);
  return {
    agent: 'cline',
    beforeMessageIndex: start,
    summary: summaryIn(message, true).join('\n\n'),
    ...detailsOf(metadataOf(message)),
    createdAt: isoTime(generatedAt),
  };
}

/** Returns the model's summary in a message, without its introduction. */
function summaryIn(message: Fields, isNew: boolean): readonly string[] {
  const { summary } = metadataOf(message);
  return isNew && typeof summary === 'string' && summary !== '' ? [summary] : textsOf(message);
}

function detailsOf({ reason, tokensBefore }: Fields): Pick<ForeignCompaction, 'trigger' | 'tokensBefore'> {
  const trigger = reason === 'manual_compaction' ? 'manual' : 'automatic';
  return {
    trigger: typeof reason === 'string' ? trigger : undefined,
    tokensBefore: positive(tokensBefore),
  };
}

function isCompaction(message: Fields): boolean {
  return compactionKinds.has(metadataOf(message)['kind']);
}

function metadataOf({ metadata }: Fields): Fields {
  return fieldsOf(metadata);
}

function idOf(message: unknown): string | undefined {
  const { id } = fieldsOf(message);
  return typeof id === 'string' && id !== '' ? id : undefined;
}

function partsOf(message: unknown): readonly unknown[] {
  const { content } = fieldsOf(message);
  return Array.isArray(content) ? (content as readonly unknown[]) : [{ type: 'text', text: content }];
}

function hasAllOf(message: Fields, original: unknown): boolean {
  const parts = new Set(partsOf(message).map((part) => JSON.stringify(part)));
  return partsOf(original).every((part) => parts.has(JSON.stringify(part)));
}

function textsOf(message: unknown): readonly string[] {
  return partsOf(message).flatMap((part) => {
    const text = isRecord(part) && part['type'] === 'text' ? textOfParts([part]) : undefined;
    return text === undefined || text === '' ? [] : [text];
  });
}

/** Returns the whole numbers from `from` up to, but not including, `to`. */
export function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from) }, (_, index) => from + index);
}
