import type { ReportedUsage, ToolSchema } from '../../../compaction/messages/message.ts';
import { importsSentences } from '../../../language/english/imports-english.ts';
import { isRecord } from '../../../language/is-record.ts';
import { saidParts, textOfParts } from '../../reading/content-parts.ts';
import { type EventLines, type Fields, fieldsOf, objectionToValue, recordsIn } from '../../reading/fields.ts';
import { expectEvent, lineFormat } from '../../reading/json-document.ts';
import { copilotEndReports, reportedEndOf } from '../../reading/reported-ends.ts';
import {
  callOf,
  type Draft,
  type Imported,
  ImportError,
  ofSubAgent,
  type OtherConversation,
  positive,
  replyDraft,
  resultDraft,
  toEntries,
} from '../../reading/transcript-format.ts';

const expected = importsSentences.say('expectedCopilotTelemetry');

/** Names of the attributes that are read, from OpenTelemetry's conventions for generative models and from Copilot. */
const names = {
  model: 'gen_ai.request.model',
  input: 'gen_ai.input.messages',
  output: 'gen_ai.output.messages',
  system: 'gen_ai.system_instructions',
  tools: 'gen_ai.tool.definitions',
  chat: 'copilot_chat.chat_session_id',
  conversation: 'gen_ai.conversation.id',
  parent: 'copilot_chat.parent_chat_session_id',
  window: 'copilot_chat.request.max_prompt_tokens',
} as const;

/**
 * Telemetry that Copilot Chat writes to a file (`github.copilot.chat.otel.outfile`): JSON lines, some of them with
 * requests. The newest request of a chat represents the chat, because it contains the latest context. The chat of the
 * file's last request is active; other chats and sub-agents are other conversations.
 */
export const copilotOtelFormat = lineFormat(
  {
    id: 'copilot-otel',
    title: 'Copilot Chat telemetry (JSON lines)',
    recognises: (text) => /^\s*\{/.test(text) && /"gen_ai\.(?:request\.model|operation\.name)":/.test(text),
  },
  read,
);

function read(lines: EventLines): Imported {
  expectEvent(lines, ({ attributes }) => isRecord(attributes), expected);
  const chats = new Map<string, Fields>();
  for (const { fields } of lines.events) {
    const attributes = fieldsOf(fields['attributes']);
    if (typeof attributes[names.input] !== 'string') continue;
    const id = [attributes[names.chat], attributes[names.conversation], ''].find(isText) ?? '';
    const before = chats.get(id);
    // Requests without tools, such as for titles, are not part of the chat.
    if (before?.[names.tools] !== undefined && attributes[names.tools] === undefined) continue;
    chats.delete(id);
    chats.set(id, attributes);
  }
  const all = [...chats].toReversed();
  const inForce = all.find(([, attributes]) => attributes[names.parent] === undefined) ?? all[0];
  if (inForce === undefined) throw new ImportError(importsSentences.say('telemetryWithoutMessages'));
  const others = all
    .filter((chat) => chat !== inForce)
    .map(([id, attributes]): OtherConversation => ({
      kind: attributes[names.parent] === undefined ? 'branch' : 'sub-agent',
      id,
      opening: openingOf(attributes),
      read: () => requestOf(attributes),
    }));
  const imported = requestOf(inForce[1]);
  return { ...imported, problems: [...lines.problems, ...imported.problems], others };
}

function requestOf(attributes: Fields): Imported {
  const system = textOfParts(partsIn(parsed(attributes[names.system])));
  const modelId = attributes[names.model];
  const window = attributes[names.window];
  const sent = messagesIn(attributes[names.input]);
  const isSystemSent = sent.some(({ role }) => role === 'system');
  const drafts: Draft[] = [
    ...(system === undefined || system === '' || isSystemSent
      ? []
      : [{ chat: { role: 'system', content: system }, origin: 'harness' } as const]),
    ...sent.flatMap(draftsOf),
  ];
  const replies = messagesIn(attributes[names.output]).flatMap(draftsOf);
  const [first, ...rest] = replies;
  if (first !== undefined) {
    const model = isText(modelId) ? modelId : undefined;
    drafts.push({ ...first, modelId: model, usage: usageIn(attributes) }, ...rest);
  }
  const entries = toEntries(drafts);
  return {
    entries: attributes[names.parent] === undefined ? entries : ofSubAgent({ entries }).entries,
    tools: toolsIn(parsed(attributes[names.tools])),
    compactions: [],
    problems: [],
    window: positive(window),
  };
}

function draftsOf({ role, parts }: Fields): readonly Draft[] {
  const list = recordsIn(parts);
  const text = textOfParts(partsIn(list)) ?? '';
  const results = list.flatMap(({ type, id, response }): Draft[] => {
    if (type !== 'tool_call_response' || typeof id !== 'string') return [];
    const content = textOfParts(response) ?? JSON.stringify(response ?? '');
    const end = reportedEndOf(content, copilotEndReports);
    return [resultDraft(id, content, { end })];
  });
  if (role === 'assistant') {
    const thoughts = list.flatMap(({ type, content }) =>
      type === 'reasoning' && typeof content === 'string' ? [content] : [],
    );
    const calls = list.flatMap(({ type, id, name, arguments: input }) =>
      type === 'tool_call' && typeof id === 'string' && typeof name === 'string'
        ? [callOf(id, name, typeof input === 'string' ? input : JSON.stringify(input ?? {}))]
        : [],
    );
    const draft = replyDraft({ texts: [text], thoughts, calls });
    return draft === undefined ? results : [draft, ...results];
  }
  if (text === '' || role === 'tool') return results;
  if (role === 'system') return [...results, { chat: { role, content: text }, origin: 'harness' }];
  const texts = saidParts(partsIn(list));
  return [...results, { chat: { role: 'user', content: text }, origin: 'person', parts: texts }];
}

/** Returns the text parts in the form that other importers use. */
function partsIn(parts: unknown): readonly Fields[] {
  return recordsIn(parts).flatMap(({ type, content }) => (type === 'text' ? [{ type, text: content }] : []));
}

function messagesIn(text: unknown): readonly Fields[] {
  return recordsIn(parsed(text));
}

function toolsIn(definitions: unknown): readonly ToolSchema[] {
  return recordsIn(definitions).flatMap((definition): ToolSchema[] => {
    const tool = isRecord(definition['function']) ? definition['function'] : definition;
    const { name, description, parameters } = tool;
    if (typeof name !== 'string') return [];
    return [
      {
        type: 'function',
        function: {
          name,
          ...(typeof description === 'string' && { description }),
          ...(isRecord(parameters) && { parameters }),
        },
      },
    ];
  });
}

function usageIn(attributes: Fields): ReportedUsage | undefined {
  const input = attributes['gen_ai.usage.input_tokens'];
  const output = attributes['gen_ai.usage.output_tokens'];
  const cached = attributes['gen_ai.usage.cache_read.input_tokens'];
  if (typeof input !== 'number' || typeof output !== 'number' || input <= 0) return undefined;
  return {
    inputTokens: input,
    outputTokens: output,
    ...(typeof cached === 'number' && { cachedInputTokens: Math.min(cached, input) }),
  };
}

function openingOf(attributes: Fields): string | undefined {
  const said = messagesIn(attributes[names.input]).find(({ role }) => role !== 'system');
  return textOfParts(partsIn(said?.['parts']));
}

/** Parses an attribute, which is a string that may contain JSON. */
function parsed(text: unknown): unknown {
  try {
    const value: unknown = typeof text === 'string' ? JSON.parse(text) : undefined;
    return objectionToValue(value) === undefined ? value : undefined;
  } catch {
    return undefined;
  }
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}
