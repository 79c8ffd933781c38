import { isRecord } from '../../../language/is-record.ts';
import { type Fields, fieldsOf, recordsIn, wordIn } from '../../reading/fields.ts';

/** A span or a log record of any exporter. */
export interface OtelRecord {
  /** Name of the span or of the event. */
  readonly name: string;
  readonly attributes: Fields;
  /** Body of a log record. */
  readonly body: unknown;
  readonly trace: string;
  readonly span: string;
  readonly parent: string;
  /** Events within a span. */
  readonly events: readonly OtelRecord[];
  /** False for a log record and for an event. */
  readonly isSpan: boolean;
}

/**
 * Returns the spans and log records of one JSON value: an export in OTLP/JSON, or a single span or log record as the
 * SDKs' exporters to the console and to files write it.
 */
export function otelRecordsOf(value: Fields): readonly OtelRecord[] {
  const exported = [
    ...groupsIn(value, 'resourceSpans', 'scopeSpans', 'spans'),
    ...groupsIn(value, 'resourceLogs', 'scopeLogs', 'logRecords'),
  ];
  if (exported.length > 0) return exported;
  return value['attributes'] === undefined ? [] : [recordOf(value, {})];
}

/** Attributes that the reader uses, in any version of the conventions. */
const readAttributes =
  /^(?:gen_ai\..*|copilot_chat\..*|event\.name|session\.id|service\.name|model|query_source|body|role|content|message|tool_calls|id|request_text|response_text|\w+_token_count)$/u;
const aboutCredentials = /api[._-]?key|authorization|cookie|header|password|secret/iu;

/** True for an attribute that the reader uses. Others need not be stored; they may hold keys, names and addresses. */
export function isReadAttribute(key: string): boolean {
  return readAttributes.test(key) && !aboutCredentials.test(key);
}

function groupsIn(value: Fields, outer: string, middle: string, inner: string): readonly OtelRecord[] {
  return recordsIn(value[outer]).flatMap((group) => {
    const shared = attributesIn(fieldsOf(group['resource'])['attributes']);
    return recordsIn(group[middle]).flatMap((scope) =>
      recordsIn(scope[inner]).map((fields) => recordOf(fields, shared)),
    );
  });
}

/** @param shared attributes of the resource, such as the session of a program with one session */
function recordOf(fields: Fields, shared: Fields): OtelRecord {
  const own = attributesIn(fields['attributes']);
  const context = fieldsOf(fields['spanContext'] ?? fields['_spanContext'] ?? fields['context']);
  const parent = fieldsOf(fields['parentSpanContext']);
  const eventName = fields['eventName'] ?? fields['event_name'] ?? own['event.name'];
  const span = firstWord(fields['spanId'], context['spanId'], context['span_id'], fields['id']);
  return {
    name: wordIn(eventName ?? fields['name']),
    attributes: { ...shared, ...own },
    body: valueOf(fields['body'] ?? fields['_body']),
    trace: firstWord(fields['traceId'], context['traceId'], context['trace_id']),
    span,
    parent: firstWord(fields['parentSpanId'], parent['spanId'], fields['parent_id']),
    events: recordsIn(fields['events']).map((event) => recordOf(event, {})),
    isSpan: span !== '' && eventName === undefined,
  };
}

function firstWord(...values: readonly unknown[]): string {
  return values.map(wordIn).find((word) => word !== '') ?? '';
}

/** Reads attributes: an object, or OTLP's list of keys and values. */
function attributesIn(attributes: unknown): Fields {
  if (!Array.isArray(attributes)) return fieldsOf(attributes);
  return Object.fromEntries(
    recordsIn(attributes).flatMap(({ key, value }) =>
      typeof key === 'string' && key !== '__proto__' ? [[key, valueOf(value)]] : [],
    ),
  );
}

/** Returns the value within OTLP's `AnyValue`; any other value unchanged. Large integers are strings in OTLP/JSON. */
function valueOf(value: unknown): unknown {
  if (!isRecord(value)) return value;
  const { stringValue, intValue, doubleValue, boolValue, arrayValue, kvlistValue } = value;
  if (intValue !== undefined) return Number(intValue);
  if (isRecord(arrayValue)) return recordsIn(arrayValue['values']).map(valueOf);
  if (isRecord(kvlistValue)) return attributesIn(kvlistValue['values']);
  const scalar = stringValue ?? doubleValue ?? boolValue;
  return scalar === undefined && Object.keys(value).length > 0 ? value : scalar;
}
