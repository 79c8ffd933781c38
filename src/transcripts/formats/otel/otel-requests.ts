import type { ReportedUsage } from '../../../compaction/messages/message.ts';
import { readUsage } from '../../../compaction/tokens/read-usage.ts';
import { type Fields, fieldsOf, recordsIn, wordIn } from '../../reading/fields.ts';
import { type CutPart, bodyOfRequest } from './cut-body.ts';
import {
  geminiAnswer,
  geminiMessages,
  geminiReply,
  geminiRequest,
  geminiRole,
  geminiUsage,
} from './gemini-events.ts';
import { messageOfEvent, numberedMessages, ofAnthropic, ofBlock } from './older-messages.ts';
import { parsed, usageIn } from './otel-messages.ts';
import type { OtelRecord } from './otel-records.ts';

/** A request to a model, with the reply. Messages, instructions and tools are in the conventions' form. */
export interface OtelRequest {
  readonly conversation: string;
  readonly isOfSubAgent: boolean;
  readonly model: unknown;
  readonly window: unknown;
  readonly usage: ReportedUsage | undefined;
  readonly system: unknown;
  readonly tools: unknown;
  readonly input: unknown;
  readonly output: unknown;
  /** The part that the program cut. */
  readonly cut?: CutPart;
}

type Spans = ReadonlyMap<string, OtelRecord>;
/** A request whose other parts are in later records. */
type OpenRequest = { -readonly [Part in keyof OtelRequest]: OtelRequest[Part] };

/** Returns the requests of a file, in its order. A record without messages is not a request. */
export function requestsIn(records: readonly OtelRecord[]): readonly OtelRequest[] {
  const reader = new RequestReader(
    // A log record has the id of the span around it.
    new Map(records.flatMap((record) => (record.isSpan ? [[keyOf(record), record]] : []))),
  );
  for (const record of records) {
    const { trace, span, parent } = record;
    reader.take(record);
    for (const event of record.events) reader.take({ ...event, trace, span, parent });
  }
  return reader.requests;
}

class RequestReader {
  readonly requests: OpenRequest[] = [];
  private readonly spans: Spans;
  /** Requests whose messages are separate events, by span. */
  private readonly told = new Map<string, { readonly input: Fields[]; readonly output: Fields[] }>();
  /** Requests of Claude Code and Gemini CLI that have no reply yet. */
  private unanswered: OpenRequest[] = [];

  constructor(spans: Spans) {
    this.spans = spans;
  }

  take(event: OtelRecord): void {
    const older = messageOfEvent(event);
    if (older !== undefined) {
      const { input, output } = this.messagesOf(event);
      (older.isReply ? output : input).push(older.message);
    } else if (event.name.endsWith('api_request_body')) this.takeBody(event);
    else if (event.name === geminiRequest) this.takeContents(event);
    else if (event.name === geminiReply) this.answer(event, geminiAnswer(event), geminiUsage(event));
    else if (isReply(event)) this.takeReply(event);
    else {
      const request = this.requestOf(event);
      const isRequest = Array.isArray(parsed(request.input)) && recordsIn(parsed(request.input)).length > 0;
      if (isRequest) this.requests.push(request);
    }
  }

  private messagesOf(event: OtelRecord) {
    const key = keyOf(event);
    const known = this.told.get(key);
    if (known !== undefined) return known;
    const messages = { input: [], output: [] };
    this.told.set(key, messages);
    this.requests.push({ ...this.requestOf(event), ...messages });
    return messages;
  }

  private takeBody(event: OtelRecord): void {
    const { fields, cut } = bodyOfRequest(event.attributes['body']);
    const { model, system, tools, messages } = fields;
    if (!Array.isArray(messages)) return;
    const instructions = typeof system === 'string' ? system : recordsIn(system).map(ofBlock);
    const input = recordsIn(messages).map(ofAnthropic);
    const request = {
      ...{ ...this.requestOf(event), model, system: instructions, tools, input },
      ...(cut !== undefined && { cut }),
    };
    this.requests.push(request);
    this.unanswered.push(request);
  }

  private takeReply(event: OtelRecord): void {
    const { content, usage } = fieldsOf(parsed(event.attributes['body']));
    const message = Array.isArray(content) ? ofAnthropic({ role: 'assistant', content }) : undefined;
    this.answer(event, message, readUsage(usage));
  }

  private takeContents(event: OtelRecord): void {
    const input = geminiMessages(event);
    if (input === undefined) return;
    const request = { ...this.requestOf(event), input };
    this.requests.push(request);
    this.unanswered.push(request);
  }

  private answer(event: OtelRecord, message: Fields | undefined, usage: ReportedUsage | undefined): void {
    const { conversation } = this.requestOf(event);
    const asked = this.unanswered.find((request) => request.conversation === conversation);
    if (asked === undefined || message === undefined) return;
    this.unanswered = this.unanswered.filter((request) => request !== asked);
    asked.output = [message];
    asked.usage = usage;
  }

  /** Reads a request from a span, or from an event and the span around it. */
  private requestOf(event: OtelRecord): OpenRequest {
    const span = this.spans.get(keyOf(event)) ?? event;
    const attributes: Fields = { ...span.attributes, ...event.attributes };
    const subAgent = isOfGemini(event)
      ? geminiRole(event)
      : (subAgentOf(span, this.spans) ?? sourceOf(attributes));
    const conversation = conversationIn(attributes) ?? event.trace;
    const numbered = numberedMessages(attributes, 'gen_ai.prompt');
    return {
      conversation: [conversation, subAgent ?? ''].filter((part) => part !== '').join('/'),
      isOfSubAgent: subAgent !== undefined || attributes['copilot_chat.parent_chat_session_id'] !== undefined,
      model: attributes['gen_ai.request.model'] ?? attributes['model'],
      window: attributes['copilot_chat.request.max_prompt_tokens'],
      usage: usageIn(attributes),
      system: attributes['gen_ai.system_instructions'],
      tools: attributes['gen_ai.tool.definitions'],
      input: attributes['gen_ai.input.messages'] ?? numbered,
      output: attributes['gen_ai.output.messages'] ?? numberedMessages(attributes, 'gen_ai.completion'),
    };
  }
}

/** True for an event with the reply to a request whose messages are in another event. */
export function isReply({ name }: OtelRecord): boolean {
  return name.endsWith('api_response_body') || name === geminiReply;
}

function isOfGemini({ name }: OtelRecord): boolean {
  return name === geminiRequest || name === geminiReply;
}

/** Attributes that name a conversation. Without one, a trace is a conversation. */
const conversationNames = ['copilot_chat.chat_session_id', 'gen_ai.conversation.id', 'session.id'];

/** Returns the name of the conversation to which a span or an event belongs; undefined if it has none. */
export function conversationIn(attributes: Fields): string | undefined {
  return conversationNames.map((name) => wordIn(attributes[name])).find((id) => id !== '');
}

/** Returns the id of the agent's span around a span, if that agent was called by another agent. */
function subAgentOf(record: OtelRecord, spans: Spans): string | undefined {
  const agents = new Set<string>();
  const seen = new Set<OtelRecord>();
  for (let span: OtelRecord | undefined = record; span !== undefined && !seen.has(span);) {
    seen.add(span);
    if (span.attributes['gen_ai.operation.name'] === 'invoke_agent') agents.add(span.span);
    span = spans.get(`${span.trace}/${span.parent}`);
  }
  return agents.size > 1 ? [...agents][0] : undefined;
}

/** Returns the sub-agent of Claude Code that sent a request. */
function sourceOf(attributes: Fields): string | undefined {
  const source = wordIn(attributes['query_source']);
  return source.startsWith('agent') ? source : undefined;
}

function keyOf({ trace, span }: OtelRecord): string {
  return `${trace}/${span}`;
}
