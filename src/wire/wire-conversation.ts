import type { Message, ToolCall } from '../compaction/messages/message.ts';
import { joinedFrames, typedIn } from '../transcripts/reading/transcript-format.ts';
import type { SessionEvent, ToolsEvent } from '../transcripts/session/session-event.ts';
import { measureView } from '../compaction/service/outcome.ts';
import type { UsageMeter } from '../compaction/tokens/usage.ts';
import { align } from './alignment.ts';
import { recordOfChange } from './client-change.ts';
import { messageKey } from './message-key.ts';
import type { WireMessage, WireReply, WireRequest, WireTool } from './wire.ts';

/** Facts about a conversation that do not change. */
interface ConversationTerms {
  /** Strategy id of the client's own compactions. */
  readonly client: string;
  /** True if a model wrote the first user message. */
  readonly isOfSubAgent: boolean;
  readonly meter: UsageMeter;
}

/** A conversation on the wire: the messages of its last request, and the events that record how they came about. */
export class WireConversation {
  private readonly terms: ConversationTerms;
  private current: readonly Message[] = [];
  private toolsKey = '';
  private tools: ToolsEvent['tools'] = [];
  private messages = 0;
  private changes = 0;

  constructor(terms: ConversationTerms) {
    this.terms = terms;
  }

  /** The messages of the last request and the reply to it. */
  get view(): readonly Message[] {
    return this.current;
  }

  /**
   * Takes a request.
   *
   * @param createdAt time in ISO 8601
   * @returns the events that turn the last request into this one
   */
  async request(request: WireRequest, createdAt: string): Promise<readonly SessionEvent[]> {
    const tools = this.toolsEvent(request.tools);
    const before = this.current;
    const sent = request.messages;
    const { kept, gone, inserted } = align(before, sent);
    const change = await this.change(sent.slice(kept, kept + inserted), { kept, gone, createdAt });
    const known = before.length - gone + inserted;
    const added = sent.slice(known).map((message) => this.messageOf(message, createdAt));
    this.current = [...this.current, ...added];
    return [...tools, ...change, ...added.map((message) => ({ type: 'message', message }) as const)];
  }

  /** Replaces a part of the view, and returns the record of it. */
  private async change(
    sent: readonly WireMessage[],
    { kept, gone, createdAt }: { readonly kept: number; readonly gone: number; readonly createdAt: string },
  ): Promise<readonly SessionEvent[]> {
    if (gone === 0 && sent.length === 0) return [];
    const { client, meter } = this.terms;
    const before = this.current;
    const old = before.slice(kept, kept + gone);
    const isPaired = old.length === sent.length && old.every(({ role }, at) => sent[at]?.chat.role === role);
    const inserted = sent.map((message, at) => {
      const [known, made] = [old[at], this.messageOf(message, createdAt)];
      if (!isPaired || known === undefined) return made;
      return messageKey(known) === messageKey(made) ? known : { ...made, id: known.id };
    });
    const measured = await measureView({ view: before, tools: this.tools }, meter);
    const keptAtEnd = before.length - kept - gone;
    const record = await recordOfChange(
      { id: `c${++this.changes}`, createdAt, before, kept, keptAtEnd, inserted, client },
      measured,
      meter,
    );
    this.current = [...before.slice(0, kept), ...inserted, ...before.slice(kept + gone)];
    return [{ type: 'compaction', record }];
  }

  /** Takes the reply to the last request. @returns no event if the reply is empty */
  reply({ chat, usage, model, isComplete }: WireReply, createdAt: string): readonly SessionEvent[] {
    const { reasoning_content: reasoning, tool_calls: calls = [], ...said } = chat;
    if (said.content === null && calls.length === 0) return [];
    const message: Message = {
      ...said,
      ...(calls.length > 0 && { tool_calls: this.withIds(calls) }),
      id: this.nextId(),
      origin: 'model',
      createdAt,
      ...(reasoning !== undefined && { reasoning }),
      ...(usage !== undefined && { usage }),
      ...(model !== undefined && { modelId: model }),
      ...(!isComplete && { interrupted: true }),
    };
    this.current = [...this.current, message];
    return [{ type: 'message', message }];
  }

  private toolsEvent(tools: readonly WireTool[]): readonly ToolsEvent[] {
    const key = JSON.stringify(tools);
    if (key === this.toolsKey || (this.toolsKey === '' && tools.length === 0)) return [];
    this.toolsKey = key;
    this.tools = tools.map(({ schema }) => schema);
    const servers = tools.flatMap(({ schema, server }) =>
      server === undefined ? [] : [[schema.function.name, server] as const],
    );
    const event: ToolsEvent = { type: 'tools', tools: this.tools };
    return [servers.length === 0 ? event : { ...event, servers: Object.fromEntries(servers) }];
  }

  private messageOf({ chat, isError }: WireMessage, createdAt: string): Message {
    const { reasoning_content: reasoning, ...said } = chat;
    const id = this.nextId();
    const isFirstTask = this.terms.isOfSubAgent && !this.current.some(({ role }) => role === 'assistant');
    return {
      ...said,
      id,
      createdAt,
      ...(isError === true && { isError }),
      // The request returns this reasoning, so that its tokens count.
      ...(reasoning !== undefined && { reasoning, reasoningItems: { endpoint: '', model: '', items: [] } }),
      ...originOf(chat, isFirstTask),
    };
  }

  private nextId(): string {
    return `m${++this.messages}`;
  }

  /** Gives ids to calls of providers that give none, numbered like those in a request. */
  private withIds(calls: readonly ToolCall[]): readonly ToolCall[] {
    const earlier = this.current.reduce((total, { tool_calls: made = [] }) => total + made.length, 0);
    return calls.map((call, at) =>
      call.id === '' ? { ...call, id: numberedCall(call.function.name, earlier + at + 1) } : call,
    );
  }
}

/** Id of a call without an id, by its number in the conversation, counted from 1. */
export function numberedCall(name: string, number: number): string {
  return `${name}#${number}`;
}

function originOf(
  { role, content }: WireMessage['chat'],
  isTask: boolean,
): Pick<Message, 'origin'> & Pick<Partial<Message>, 'typed'> {
  switch (role) {
    case 'assistant':
      return { origin: 'model' };
    case 'tool':
      return { origin: 'tool' };
    case 'user':
      return isTask
        ? { origin: 'model' }
        : { origin: 'person', ...typedIn({ content }, undefined, joinedFrames) };
    case 'system':
    case 'developer':
      return { origin: 'harness' };
  }
}
