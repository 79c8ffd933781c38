import { importsSentences } from '../../../language/english/imports-english.ts';
import { isRecord } from '../../../language/is-record.ts';
import { textOfParts } from '../../reading/content-parts.ts';
import { type EventLines, type Fields, objectionToValue, recordsIn } from '../../reading/fields.ts';
import { expectEvent, readEventLines } from '../../reading/json-document.ts';
import {
  type Draft,
  type Imported,
  ImportError,
  ofSubAgent,
  type OtherConversation,
  positive,
  toEntries,
  type TranscriptFormat,
} from '../../reading/transcript-format.ts';
import { draftsIn, parsed, textPartsIn, toolsIn } from './otel-messages.ts';
import { otelRecordsOf } from './otel-records.ts';
import { type OtelRequest, requestsIn } from './otel-requests.ts';

const cutProblems = {
  messages: 'The program cut its requests: the newest messages, the instructions and the tools are missing.',
  tools: 'The program cut its requests: tools and perhaps instructions are missing.',
};

const expected = importsSentences.say('expectedTelemetry');

/**
 * Telemetry of any program by OpenTelemetry's conventions for generative models: exports in OTLP/JSON, or spans and
 * log records as the exporters to files write them, a line each or indented. The newest request of a conversation
 * represents it, because it contains the latest context. The conversation of the file's last request is active.
 */
export const otelFormat: TranscriptFormat = {
  id: 'otel',
  formerId: 'copilot-otel',
  title: 'OpenTelemetry of generative models (OTLP/JSON or JSON lines)',
  recognises: (text) =>
    /^\s*\{\s*"resource(?:Spans|Logs|Metrics)":/.test(text) ||
    (/^\s*[[{]/.test(text) && /"gen_ai\.(?:request\.model|operation\.name)":/.test(text)),
  parse: (text) => read(isOfLines(text) ? readEventLines(text) : documentsIn(text)),
  lines: { fits: isOfLines, read },
};

/** True if the first object is not indented over several lines. */
function isOfLines(text: string): boolean {
  return /^\s*\{[^\S\n]*"/.test(text);
}

/** Reads objects that are indented, in a row or in an array. The last line of each is only a brace. */
function documentsIn(text: string): EventLines {
  try {
    const whole: unknown = JSON.parse(text);
    const values =
      objectionToValue(whole) === undefined ? recordsIn(Array.isArray(whole) ? whole : [whole]) : [];
    return { events: values.map((fields) => ({ line: 1, fields })), problems: [], firstLine: 1 };
  } catch {
    // A line feed within a string is escaped, so a line that is only a brace ends an object.
    const lines = text.split(/(?<=^\})\r?\n/mu).map((part) => part.replace(/[\r\n]\s*/gu, ' '));
    return readEventLines(lines.join('\n'));
  }
}

function read(lines: EventLines): Imported {
  const records = lines.events.flatMap(({ fields }) => otelRecordsOf(fields));
  expectEvent(
    lines,
    (fields) => otelRecordsOf(fields).length > 0 || isRecord(fields['resourceMetrics']),
    expected,
  );
  const conversations = new Map<string, OtelRequest>();
  for (const request of requestsIn(records)) {
    const before = conversations.get(request.conversation);
    // Requests without tools, such as for titles, are not part of the conversation.
    if (before?.tools !== undefined && request.tools === undefined) continue;
    conversations.delete(request.conversation);
    conversations.set(request.conversation, request);
  }
  const all = [...conversations.values()].toReversed();
  const inForce = all.find(({ isOfSubAgent }) => !isOfSubAgent) ?? all[0];
  if (inForce === undefined) throw new ImportError(importsSentences.say('telemetryWithoutMessages'));
  const others = all
    .filter((request) => request !== inForce)
    .map((request): OtherConversation => ({
      kind: request.isOfSubAgent ? 'sub-agent' : 'branch',
      id: request.conversation,
      opening: openingOf(request),
      read: () => contextOf(request),
    }));
  const imported = contextOf(inForce);
  return { ...imported, problems: [...lines.problems, ...imported.problems], others };
}

/** Returns the messages of a request, and its reply. */
function contextOf(request: OtelRequest): Imported {
  const { model, usage, isOfSubAgent, cut } = request;
  const system = textOfParts(textPartsIn(parsed(request.system)));
  const hasInstructions = system !== undefined && system !== '';
  const sent = messagesIn(request.input, (message, index) =>
    // Gemini CLI gives the model's own messages the role of the system, whose instructions are separate.
    hasInstructions && index > 0 && message['role'] === 'system'
      ? { ...message, role: 'assistant' }
      : message,
  );
  const isSystemSent = sent.some(({ role }) => role === 'system');
  const replies = messagesIn(request.output, (message) => ({ ...message, role: 'assistant' }));
  const before = draftsIn(sent).length;
  const drafts = draftsIn([...sent, ...replies]).map((draft, index): Draft =>
    index === before ? { ...draft, modelId: typeof model === 'string' ? model : undefined, usage } : draft,
  );
  const entries = toEntries([
    ...(hasInstructions && !isSystemSent
      ? [{ chat: { role: 'system', content: system }, origin: 'harness' } as const]
      : []),
    ...drafts,
  ]);
  return {
    entries: isOfSubAgent ? ofSubAgent({ entries }).entries : entries,
    tools: toolsIn(parsed(request.tools)),
    compactions: [],
    problems: cut === undefined ? [] : [cutProblems[cut]],
    window: positive(request.window),
  };
}

function messagesIn(
  value: unknown,
  asMessage: (message: Fields, index: number) => Fields = (message) => message,
): readonly Fields[] {
  return recordsIn(parsed(value)).map(asMessage);
}

function openingOf({ input }: OtelRequest): string | undefined {
  const said = messagesIn(input).find(({ role }) => role !== 'system');
  return textOfParts(textPartsIn(said?.['parts']));
}
