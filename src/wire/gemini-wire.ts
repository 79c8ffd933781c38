import { isRecord } from '../language/is-record.ts';
import { type Fields, fieldsOf, recordsIn, wordIn } from '../transcripts/reading/fields.ts';
import {
  calledInPart,
  contentOfGemini,
  fieldIn,
  geminiForm,
  replyOfParts,
  resultOf,
  systemParts,
} from './gemini-parts.ts';
import { GeminiReplyReader } from './gemini-reply.ts';
import { numberedCall } from './sent-messages.ts';
import { wireTool } from './tool-server.ts';
import { writtenTurns } from './turns.ts';
import type { Wire, WireMessage, WireTool } from './wire.ts';

/** Google's `generateContent`, at the Gemini API, Vertex AI and Code Assist. */
export const geminiWire: Wire = {
  id: 'gemini',
  title: 'Gemini generateContent',
  asks(path) {
    if (path.endsWith(':countTokens')) return 'count';
    return /:(?:g|streamG)enerateContent$/u.test(path) ? 'reply' : undefined;
  },
  readRequest(body, path) {
    const { request } = requestIn(body);
    const messages = messagesIn(request);
    if (messages === undefined) return undefined;
    const named = wordIn(body['model']) || wordIn(request['model']);
    const session = wordIn(fieldIn(request, 'sessionId'));
    return {
      model: /models\/([^/:]+):/u.exec(path)?.[1] ?? (named.replace(/^models\//u, '') || undefined),
      tools: recordsIn(request['tools']).flatMap(toolsIn),
      messages,
      ...(session !== '' && { session }),
    };
  },
  createReplyReader: () => new GeminiReplyReader(),
  withMessages(body, messages) {
    const { field, request } = requestIn(body);
    const history = withHistory(request, messages);
    return field === undefined ? history : { ...body, [field]: history };
  },
  errorBody: (code, message) =>
    JSON.stringify({ error: { code, message, status: statuses[code] ?? 'INTERNAL' } }),
};

/** Names of HTTP's status codes in Google's errors. */
const statuses: Readonly<Record<number, string>> = {
  400: 'INVALID_ARGUMENT',
  401: 'UNAUTHENTICATED',
  403: 'PERMISSION_DENIED',
  404: 'NOT_FOUND',
  413: 'INVALID_ARGUMENT',
  429: 'RESOURCE_EXHAUSTED',
  502: 'UNAVAILABLE',
  503: 'UNAVAILABLE',
  504: 'DEADLINE_EXCEEDED',
};

/** Returns the request in a body, and the field that it is in: Code Assist and the count of tokens wrap it. */
function requestIn(body: Fields): { readonly field?: string; readonly request: Fields } {
  for (const field of ['request', 'generateContentRequest']) {
    const request = body[field];
    if (isRecord(request)) return { field, request };
  }
  return { request: body };
}

/** Returns the contents; undefined if they are missing, or if the provider does not take them. */
function contentsIn({ contents }: Fields): readonly Fields[] | undefined {
  if (!Array.isArray(contents)) return undefined;
  const isTaken = (turn: unknown): turn is Fields => {
    const parts = isRecord(turn) ? turn['parts'] : undefined;
    return Array.isArray(parts) && parts.length > 0 && parts.every(isRecord);
  };
  return contents.every(isTaken) ? contents : undefined;
}

function messagesIn(request: Fields): readonly WireMessage[] | undefined {
  const turns = contentsIn(request);
  if (turns === undefined) return undefined;
  const system = recordsIn(fieldsOf(fieldIn(request, 'systemInstruction'))['parts']);
  const ids = new CallIds();
  return [
    ...system.map((part): WireMessage => ({
      chat: { role: 'system', content: contentOfGemini([part]) },
      raw: [part],
    })),
    ...turns.flatMap(({ role, parts }) => messagesOf(role, recordsIn(parts), ids)),
  ];
}

function messagesOf(role: unknown, parts: readonly Fields[], ids: CallIds): readonly WireMessage[] {
  if (role === 'model') {
    ids.begin();
    return [{ chat: replyOfParts(parts, (call) => ids.made(call)), raw: parts }];
  }
  const results = parts.flatMap((part): readonly WireMessage[] => {
    const response = calledInPart(part, 'functionResponse');
    if (response === undefined) return [];
    const { content, isError } = resultOf(response);
    const chat = { role: 'tool', tool_call_id: ids.answered(response), content } as const;
    return [{ chat, raw: [part], ...(isError && { isError }) }];
  });
  const others = parts.filter((part) => calledInPart(part, 'functionResponse') === undefined);
  if (others.length === 0) return results;
  return [...results, { chat: { role: 'user', content: contentOfGemini(others) }, raw: others }];
}

/** Gives ids to calls without one, by their number, and to results by the order of the calls. */
class CallIds {
  private calls = 0;
  /** Name of a tool → ids of its calls in the last turn with calls, and the number of those that are answered. */
  private open = new Map<string, { readonly ids: string[]; answered: number }>();
  private isFresh = false;

  /** Begins a turn of the model. */
  begin(): void {
    this.isFresh = true;
  }

  made(call: Fields): string {
    if (this.isFresh) this.open = new Map();
    this.isFresh = false;
    const name = wordIn(call['name']);
    const number = ++this.calls;
    const id = wordIn(call['id']) || numberedCall(name, number);
    const same = this.open.get(name);
    if (same === undefined) this.open.set(name, { ids: [id], answered: 0 });
    else same.ids.push(id);
    return id;
  }

  answered(response: Fields): string {
    const name = wordIn(response['name']);
    const calls = this.open.get(name);
    const next = calls?.ids[calls.answered++];
    return wordIn(response['id']) || (next ?? numberedCall(name, 0));
  }
}

function withHistory(request: Fields, messages: readonly WireMessage[]): Fields {
  const names = new Map(
    messages.flatMap(({ chat }) =>
      (chat.tool_calls ?? []).map(({ id, function: { name } }) => [id, name] as const),
    ),
  );
  const isOfSystem = ({ chat: { role } }: WireMessage) => role === 'system' || role === 'developer';
  const form = geminiForm(messagesIn(request) ?? [], names);
  const others = messages.filter((message) => !isOfSystem(message));
  const contents = writtenTurns(others, contentsIn(request) ?? [], form);
  const field = request['system_instruction'] === undefined ? 'systemInstruction' : 'system_instruction';
  const { [field]: old, ...withoutSystem } = request;
  const parts = messages
    .filter(isOfSystem)
    .flatMap(({ chat, raw }) => (raw.length === 0 ? systemParts(chat) : raw));
  const sent = recordsIn(fieldsOf(old)['parts']);
  const isSame = parts.length === sent.length && parts.every((part, at) => part === sent[at]);
  if (isSame) return { ...request, contents };
  if (parts.length === 0) return { ...withoutSystem, contents };
  return { ...request, [field]: { ...fieldsOf(old), parts }, contents };
}

/** Reads a group of declarations. The provider's own tools are fields with the name of the tool. */
function toolsIn(group: Fields): readonly WireTool[] {
  return Object.keys(group).flatMap((field): readonly WireTool[] =>
    /^function_?declarations$/iu.test(field)
      ? recordsIn(group[field]).map(toolOf)
      : [wireTool({ name: field, parameters: group[field], form: 'gemini' })],
  );
}

function toolOf(declared: Fields): WireTool {
  const { name, description, parameters } = declared;
  const schema = fieldIn(declared, 'parametersJsonSchema') ?? parameters;
  return wireTool({ name: wordIn(name), description, parameters: schema, form: 'gemini' });
}
