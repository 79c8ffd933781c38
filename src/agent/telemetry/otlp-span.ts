import { isImagePart } from '../../compaction/images/image-part.ts';
import { contentParts, type Message, textOf, type ToolSchema } from '../../compaction/messages/message.ts';
import { parseToolInput } from '../tools/support/tool.ts';

/**
 * Spans in OTLP/JSON, by OpenTelemetry's conventions for generative AI. OpenTelemetry's SDK is not used, because its
 * packages are many times larger than these few objects.
 */

/** Position of a span, to which other spans can refer as their parent. */
export interface SpanPlace {
  readonly trace: string;
  readonly span: string;
}

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** Text of users, models and tools. It is sent only if the user asked for it. */
interface SpanContent {
  readonly input?: readonly Message[];
  readonly output?: Message;
  readonly tools?: readonly ToolSchema[];
  readonly texts?: Readonly<Record<string, string | undefined>>;
}

/** A finished operation of the agent. */
export interface AgentSpan extends SpanPlace {
  readonly parent: string | undefined;
  readonly operation: 'invoke_agent' | 'chat' | 'execute_tool' | 'compact';
  /** Name of the agent, the model, the tool or the strategy. */
  readonly subject: string;
  /** Times in milliseconds since 1970. */
  readonly start: number;
  readonly end: number;
  readonly attributes: Attributes;
  /** Short code of the error; undefined after a success. */
  readonly error?: string | undefined;
  readonly content?: SpanContent;
}

const internalKind = 1;
const clientKind = 3;
const errorStatus = 2;

/** Writes a span as JSON. @param content further attributes, whose values are already JSON strings */
export function otlpSpan(
  { trace, span, parent, operation, subject, start, end, attributes, error }: AgentSpan,
  content: Readonly<Record<string, string>>,
): string {
  const head = JSON.stringify({
    traceId: trace,
    spanId: span,
    ...(parent !== undefined && { parentSpanId: parent }),
    name: `${operation} ${subject}`.trim(),
    kind: operation === 'chat' ? clientKind : internalKind,
    startTimeUnixNano: nanoseconds(start),
    endTimeUnixNano: nanoseconds(end),
    ...(error !== undefined && { status: { code: errorStatus } }),
  });
  const own = listed({ 'gen_ai.operation.name': operation, ...attributes, 'error.type': error });
  // A whole conversation is not escaped again for every request.
  const written = Object.entries(content).map(
    ([key, json]) => `{"key":"${key}","value":{"stringValue":${json}}}`,
  );
  const list = [...own.map((attribute) => JSON.stringify(attribute)), ...written];
  return `${head.slice(0, -1)},"attributes":[${list.join(',')}]}`;
}

/** Returns the body of a request with spans that are already written. @param version version of the extension */
export function otlpBody(spans: readonly string[], version: string): string {
  const resource = { attributes: listed({ 'service.name': 'context-budget', 'service.version': version }) };
  const scope = JSON.stringify({ name: 'context-budget', version });
  return `{"resourceSpans":[{"resource":${JSON.stringify(resource)},"scopeSpans":[{"scope":${scope},"spans":[${spans.join(',')}]}]}]}`;
}

/** Returns a message in the conventions' form. Images are named, but their data is left out. */
export function conventionalMessage(message: Message): object {
  const { role, content, reasoning, tool_calls: calls = [], tool_call_id: id } = message;
  if (role === 'tool') {
    return { role, parts: [{ type: 'tool_call_response', id, response: textOf(content) }] };
  }
  return {
    role,
    parts: [
      ...(reasoning === undefined ? [] : [{ type: 'reasoning', content: reasoning }]),
      ...contentParts(content).map((part) =>
        isImagePart(part)
          ? { type: 'blob', modality: 'image', content: '' }
          : { type: 'text', content: part.text },
      ),
      ...calls.map(({ id: callId, function: { name, arguments: json } }) => ({
        type: 'tool_call',
        id: callId,
        name,
        arguments: parseToolInput(json) ?? json,
      })),
    ],
  };
}

/** Returns a reply in the conventions' form, which names the reason for its end. */
export function conventionalReply(message: Message): object {
  const { interrupted, tool_calls: calls = [] } = message;
  const end = calls.length > 0 ? 'tool_call' : 'stop';
  return { ...conventionalMessage(message), finish_reason: interrupted === true ? 'error' : end };
}

/** Returns definitions of tools in the conventions' form. */
export function conventionalTools(tools: readonly ToolSchema[]): readonly object[] {
  return tools.map(({ type, function: definition }) => ({ type, ...definition }));
}

function listed(attributes: Attributes): readonly object[] {
  return Object.entries(attributes).flatMap(([key, value]) => {
    if (value === undefined) return [];
    return [{ key, value: typeof value === 'string' ? { stringValue: value } : { intValue: String(value) } }];
  });
}

function nanoseconds(milliseconds: number): string {
  return String(BigInt(Math.round(milliseconds)) * 1_000_000n);
}
