import { isReadAttribute, otelRecordsOf } from '../../transcripts/formats/otel/otel-records.ts';
import { conversationIn, isReply, requestsIn } from '../../transcripts/formats/otel/otel-requests.ts';
import { type Fields, fieldsOf, recordsIn, wordIn } from '../../transcripts/reading/fields.ts';

/** A stored span or log record. */
export interface StoredTelemetry {
  /** An export in OTLP/JSON with only this record. */
  readonly line: string;
  /** Names of its conversation and its trace, as far as it has them. Records with a common name belong together. */
  readonly groups: readonly string[];
  /** True if it has the messages of a request. Other records are of use only with such records. */
  readonly isRequest: boolean;
}

/** The names of an export's parts, and the fields of its records that are stored besides attributes and events. */
const exports = [
  {
    names: ['resourceSpans', 'scopeSpans', 'spans'],
    stored: ['traceId', 'spanId', 'parentSpanId', 'name', 'startTimeUnixNano', 'endTimeUnixNano'],
  },
  {
    names: ['resourceLogs', 'scopeLogs', 'logRecords'],
    stored: ['traceId', 'spanId', 'eventName', 'timeUnixNano', 'observedTimeUnixNano', 'body'],
  },
] as const;

/** Returns what is stored of an export: spans, and log records with messages, with the attributes that are read. */
export function storedTelemetryIn(exported: Fields): readonly StoredTelemetry[] {
  return exports.flatMap(({ names: [outer, middle, inner], stored }) =>
    recordsIn(exported[outer]).flatMap((group) => {
      const resource = { attributes: readAttributesOf(fieldsOf(group['resource'])) };
      const records = recordsIn(group[middle]).flatMap((scope) => recordsIn(scope[inner]));
      return records.flatMap((record) => {
        const events = recordsIn(record['events']).map((event) => ({
          ...chosen(event, ['name', 'timeUnixNano']),
          attributes: readAttributesOf(event),
        }));
        const kept = {
          ...chosen(record, stored),
          attributes: readAttributesOf(record),
          ...(events.length > 0 && { events }),
        };
        const line = { [outer]: [{ resource, [middle]: [{ [inner]: [kept] }] }] };
        return describe(line, inner === 'spans');
      });
    }),
  );
}

function describe(line: Fields, isSpan: boolean): readonly StoredTelemetry[] {
  const [record] = otelRecordsOf(line);
  if (record === undefined) return [];
  const isRequest = requestsIn([record]).length > 0;
  if (!isRequest && !isSpan && !isReply(record)) return [];
  const conversation = conversationIn(record.attributes);
  const groups = [
    ...(record.trace === '' ? [] : [`trace ${record.trace}`]),
    ...(conversation === undefined ? [] : [`conversation ${conversation}`]),
  ];
  return [{ line: JSON.stringify(line), groups, isRequest }];
}

/** The attributes that are read, shorter ones first, so that a row of a list can be read from the file's beginning. */
function readAttributesOf({ attributes }: Fields): readonly Fields[] {
  return recordsIn(attributes)
    .filter(({ key }) => isReadAttribute(wordIn(key)))
    .toSorted((one, other) => lengthOf(one) - lengthOf(other));
}

function lengthOf({ value }: Fields): number {
  return wordIn(fieldsOf(value)['stringValue']).length;
}

function chosen(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.flatMap((name) => (name in fields ? [[name, fields[name]]] : [])));
}
