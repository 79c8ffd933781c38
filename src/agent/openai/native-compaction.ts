import type { Message } from '../../compaction/message.ts';
import type { NativeCompaction } from '../../compaction/summary/model.ts';
import { modelRequestOf } from '../model.ts';
import { isRecord } from '../provider-error.ts';
import type { Dialect } from './dialect.ts';
import { inputItems } from './responses-body.ts';
import type { Reasoner } from './returned-reasoning.ts';
import { readUsage } from '../../compaction/tokens/reported-usage.ts';

/** The body of a request to `/responses/compact`. */
export function compactionBody(
  messages: readonly Message[],
  reasoner: Reasoner,
  dialect: Dialect,
): Readonly<Record<string, unknown>> {
  return {
    model: reasoner.model,
    input: inputItems(modelRequestOf(messages, []), reasoner, dialect),
  };
}

/** What came back: the encrypted content of the compaction. Undefined where there is none. */
export function readCompaction(response: unknown, endpoint: string): NativeCompaction | undefined {
  if (!isRecord(response) || !Array.isArray(response['output'])) return undefined;
  const item: unknown = response['output'].findLast(
    (entry) => isRecord(entry) && entry['type'] === 'compaction',
  );
  const content = isRecord(item) ? item['encrypted_content'] : undefined;
  if (typeof content !== 'string' || content === '') return undefined;
  const usage = readUsage(response['usage']);
  return { item: { endpoint, content }, ...(usage === undefined ? {} : { usage }) };
}
