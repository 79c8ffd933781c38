import {
  type AgentFiles,
  filledText,
  firstTypedPart,
  headLinesOf,
  type PlaceSurroundings,
  type SessionHead,
} from '../../reading/agent-files.ts';
import { recordsIn } from '../../reading/fields.ts';
import { readJsonHead } from '../../reading/json-head.ts';
import { stateFolder } from '../../session/state-folder.ts';
import { draftsIn, parsed } from './otel-messages.ts';
import { type OtelRecord, otelRecordsOf } from './otel-records.ts';
import { requestsIn } from './otel-requests.ts';

/** Returns the folder in which telemetry of other programs is stored. */
export function telemetryFolder(surroundings: PlaceSurroundings): string {
  return `${stateFolder(surroundings)}/telemetry`;
}

/** Telemetry that was received. Its last request may be one for a title, so the end of a file shows no usage. */
export const otelFiles: AgentFiles = {
  places: (surroundings) => [{ folder: telemetryFolder(surroundings), levels: [/\.jsonl$/] }],
  head: headOf,
  lastUsage: () => undefined,
};

function headOf(text: string): SessionHead {
  const [first] = requestsIn(headLinesOf(text).flatMap(otelRecordsOf).map(withWholeValues));
  const drafts = draftsIn(recordsIn(parsed(first?.input)));
  return {
    title: firstTypedPart(drafts.flatMap(({ origin, parts }) => (origin === 'person' ? [parts ?? []] : []))),
    model: filledText(first?.model),
  };
}

/** Reads values in JSON that were cut off as far as they go. */
function withWholeValues(record: OtelRecord): OtelRecord {
  const attributes = Object.entries(record.attributes).map(([name, value]) => {
    const isCut = typeof value === 'string' && /^[[{]/u.test(value) && parsed(value) === value;
    return [name, isCut ? readJsonHead(value) : value] as const;
  });
  return { ...record, attributes: Object.fromEntries(attributes) };
}
