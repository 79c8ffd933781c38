import { setImmediate as nextRound } from 'node:timers/promises';
import type { GovernedPorts } from '../../agent/governed/governed-conversation.ts';
import { GovernedHistories, type GovernedRequest } from '../../agent/governed/governed-histories.ts';
import { comparedTo, type SentMessage } from '../../agent/governed/history-change.ts';
import { startingCallOf } from '../../agent/governed/request-links.ts';
import { textOf } from '../../compaction/messages/message.ts';
import { fieldsOf, type Fields, objectionToValue } from '../../transcripts/reading/fields.ts';
import type { ExchangeEvent } from '../../transcripts/session/session-event.ts';
import { clientOf } from '../../wire/client.ts';
import { repliedMessage, requestMessages } from '../../wire/sent-messages.ts';
import type { Wire, WireMessage, WireReply, WireRequest } from '../../wire/wire.ts';
import type { ExchangeObserver, ExchangeStart } from './observed-exchange.ts';
import { Recordings } from './recorded-conversations.ts';
import { ReplyBody } from './reply-body.ts';

interface RecorderPorts extends Omit<GovernedPorts, 'open' | 'warn' | 'widened'> {
  /** Folder of the recordings. */
  readonly recordings: string;
  /** Folder in which the proxy was started. */
  readonly workingFolder: string;
  /** Called with the path of each recorded conversation of a user, once it exists. */
  readonly begun?: (path: string) => void;
  readonly log: (line: string) => void;
}

/** A request that was taken over, with what its reply needs. */
interface Taken {
  readonly body: Fields;
  readonly read: WireRequest;
  readonly sent: readonly SentMessage[];
  readonly governed: GovernedRequest;
}

/** Maximum number of requests whose recording may wait for bytes that pass. */
const mostWaiting = 4;

/** Records what passes through the proxy: a session of our own format for each conversation. */
export class Recorder {
  private readonly ports: RecorderPorts;
  private readonly recordings: Recordings;
  private readonly histories: GovernedHistories;
  private readonly taken = new WeakMap<ExchangeStart, Promise<Taken | undefined>>();
  /** Requests that were passed on as they came, because compacting them failed. */
  private readonly failed = new WeakSet<ExchangeStart>();
  private readonly requests = new Set<Promise<void>>();
  private readonly replies = new Set<Promise<void>>();
  private readonly stopping = new AbortController();

  constructor(ports: RecorderPorts) {
    this.ports = ports;
    const { recordings, begun, log } = ports;
    this.recordings = new Recordings({
      ...{ recordings, begun, log },
      asked: (id) => this.track(this.requests, () => this.histories.makeAsked(id)),
    });
    this.histories = new GovernedHistories({
      ...ports,
      get meter() {
        return ports.meter;
      },
      open: () => this.recordings.begin({ at: new Date(ports.now()), origin: { api: 'chat' } }),
      warn: (error) => this.warn(error),
      widened: (fixed, window) =>
        ports.log(
          `The instructions and tools of this client take ${fixed} tokens, so its history is compacted for a window of ${window} tokens.`,
        ),
    });
  }

  /** Records an exchange. A failure is logged, and stops neither the exchange nor later recordings. */
  observe(start: ExchangeStart): ExchangeObserver {
    const began = performance.now();
    const since = () => Math.round(performance.now() - began);
    const reply = new ReplyBody(start.wire.createReplyReader());
    let head: Pick<ExchangeEvent, 'status' | 'firstByte' | 'limits'> = {};
    return {
      body: (bytes) => void this.take(start, bytes),
      head: (status, headers) => {
        const limits = Object.fromEntries(Object.entries(headers).filter(([name]) => limitHeader.test(name)));
        head = { status, firstByte: since(), ...(Object.keys(limits).length > 0 && { limits }) };
        reply.begin(headers['content-type'] ?? '');
      },
      chunk: (bytes) => reply.push(bytes),
      end: (outcome) => {
        const duration = since();
        const answer = reply.end();
        const error = answer?.error ?? reply.refusal(head.status);
        this.track(this.replies, async () => {
          const taken = await this.taken.get(start);
          if (taken === undefined) return;
          const { governed } = taken;
          const messageId = await replied(taken, answer, outcome === 'complete');
          await governed.note({
            type: 'exchange',
            createdAt: start.at.toISOString(),
            ...(messageId !== undefined && { messageId }),
            outcome,
            ...head,
            duration,
            ...(error !== undefined && { error }),
            ...(governed.retry > 0 && { retry: governed.retry }),
            ...(this.failed.has(start) && { isUnchanged: true }),
          });
        });
      },
    };
  }

  /**
   * Compacts the history of a request if it is due.
   *
   * @returns the body to send; the same bytes if nothing changed or the request cannot be read
   */
  async rewrite(start: ExchangeStart, bytes: Uint8Array): Promise<Uint8Array> {
    const taken = await this.take(start, bytes);
    if (taken === undefined) return bytes;
    try {
      const changed = changedBody(start.wire, taken);
      if (changed === undefined && taken.governed.hasFailed) this.failed.add(start);
      return changed ?? bytes;
    } catch (error) {
      this.failed.add(start);
      throw error;
    }
  }

  /** Resolves when everything observed so far is written. */
  async settled(): Promise<void> {
    while (this.requests.size + this.replies.size > 0) {
      await Promise.all([...this.requests, ...this.replies]);
    }
  }

  async close(): Promise<void> {
    await this.settled();
    this.stopping.abort();
    await this.histories.close();
  }

  /** Takes a request over once, whether its body is rewritten or only observed. */
  private take(start: ExchangeStart, bytes: Uint8Array | undefined): Promise<Taken | undefined> {
    const known = this.taken.get(start);
    if (known !== undefined) return known;
    const taken = this.takeNow(start, bytes).catch((error: unknown) => {
      this.warn(error);
      return undefined;
    });
    this.taken.set(start, taken);
    this.track(this.requests, () => taken.then(() => {}));
    return taken;
  }

  private async takeNow(start: ExchangeStart, bytes: Uint8Array | undefined): Promise<Taken | undefined> {
    const { wire, path, headers, at } = start;
    // The call that starts a sub-agent may have come just before. The reply to this request comes later.
    const earlier = [...this.replies];
    // A long history takes milliseconds to read. Bytes that wait pass in between.
    const body = bytes && bodyIn(bytes);
    await this.letPass();
    const read = body && wire.readRequest(body, path);
    await this.letPass();
    if (body === undefined || read === undefined) {
      const reason = bytes === undefined ? 'its body is too large' : `it is no request of ${wire.title}`;
      this.ports.log(`A request to ${path} is not recorded: ${reason}.`);
      return undefined;
    }
    this.recordings.keepOut(start.secrets);
    await Promise.all(earlier);
    const session = sessionOf(read, headers);
    const isFirst = !read.messages.some(({ chat }) => chat.role === 'assistant');
    const asked = requestMessages(read.messages, false);
    await this.letPass();
    // The text of a conversation to summarise contains the tasks of its sub-agents, too.
    const hasTools = read.tools.length > 0;
    const starting = isFirst && hasTools ? startingCallOf(asked, this.histories.views) : undefined;
    const sent = starting === undefined ? asked : requestMessages(read.messages, true);
    // A request for a summary or a title may repeat the conversation, but has no tools.
    const main = isFirst ? this.mainOf(session) : this.repeatedBy(asked);
    const isSide = !hasTools && (isFirst || main !== undefined);
    const repeats = isSide ? main : undefined;
    const rules = asked.find(({ role }) => role === 'system' || role === 'developer');
    const client = clientOf(headers['user-agent'], textOf(rules?.content ?? null));
    const wireOrigin = {
      api: wire.id,
      ...(client !== undefined && { client }),
      ...(session !== undefined && { session }),
      folder: this.ports.workingFolder,
      ...(isSide && { isSide }),
    };
    const open = () => {
      const parent =
        starting === undefined
          ? repeats === undefined
            ? undefined
            : { id: repeats, callKey: '' }
          : { id: starting.parent.id, callKey: starting.callId };
      return this.recordings.begin({ at, origin: wireOrigin, parent });
    };
    const servers = Object.fromEntries(
      read.tools.flatMap(({ schema, server }) =>
        server === undefined ? [] : [[schema.function.name, server]],
      ),
    );
    const schemas = (isAside: boolean) =>
      read.tools.filter(({ isDeferred = false }) => isDeferred === isAside).map(({ schema }) => schema);
    const aside = schemas(true);
    // Without a reply and a session, a request may as well begin another conversation with the same words.
    const mayContinue = !isSide && starting === undefined && (session !== undefined || !isFirst);
    const governed = await this.histories.take(sent, schemas(false), this.stopping.signal, {
      ...{ session, client, open, repeats },
      ...(mayContinue && { recorded: () => this.recordings.earlier(wireOrigin, hasTools) }),
      ...(aside.length > 0 && { aside }),
      ...(Object.keys(servers).length > 0 && { servers }),
    });
    return { body, read, sent, governed };
  }

  /** Lets waiting bytes pass, unless requests come faster than they are recorded. */
  private async letPass(): Promise<void> {
    if (this.requests.size <= mostWaiting) await nextRound();
  }

  /** Id of the newest conversation with tools whose first message of the user a request repeats. */
  private repeatedBy(asked: readonly SentMessage[]): string | undefined {
    const keyOf = (messages: readonly SentMessage[]) => {
      const prompt = messages.find(({ role }) => role === 'user');
      return prompt && comparedTo(prompt).key;
    };
    const key = keyOf(asked);
    const found = this.histories.views.find(
      ({ hasTools, view }) => key !== undefined && hasTools && keyOf(view) === key,
    );
    return found?.id;
  }

  /** Id of the newest conversation with tools of a client's session, or of a client that names no session. */
  private mainOf(session: string | undefined): string | undefined {
    const found = this.histories.views.find(
      (one) => one.session === session && one.hasTools && !one.id.includes('.'),
    );
    return found?.id;
  }

  private track(open: Set<Promise<void>>, work: () => Promise<void>): void {
    const tracked: Promise<void> = work()
      .catch((error: unknown) => this.warn(error))
      .finally(() => open.delete(tracked));
    open.add(tracked);
  }

  private warn(error: unknown): void {
    this.ports.log(`A request is not recorded: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Returns the body with the messages of the view; undefined if they are the client's own. */
function changedBody(wire: Wire, { body, read, governed }: Taken): Uint8Array | undefined {
  const { view, sources } = governed;
  const isUnchanged =
    view.length === read.messages.length && view.every(({ id }, index) => sources.get(id) === index);
  if (isUnchanged) return undefined;
  const messages = view.map(({ id, ...message }): WireMessage => {
    const source = sources.get(id);
    const own = source === undefined ? undefined : read.messages[source];
    const { role, content, tool_calls: calls, tool_call_id: callId } = message;
    return (
      own ?? {
        chat: {
          role,
          content,
          ...(calls !== undefined && { tool_calls: calls }),
          ...(callId !== undefined && { tool_call_id: callId }),
        },
        raw: [],
      }
    );
  });
  return Buffer.from(JSON.stringify(wire.withMessages(body, messages)));
}

async function replied(
  { governed, sent }: Taken,
  reply: WireReply | undefined,
  isWhole: boolean,
): Promise<string | undefined> {
  if (reply === undefined) return undefined;
  const message = repliedMessage({ ...reply, isComplete: reply.isComplete && isWhole }, sent);
  return message && (await governed.replied(message));
}

function bodyIn(bytes: Uint8Array): Fields | undefined {
  try {
    const body: unknown = JSON.parse(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8'),
    );
    return objectionToValue(body) === undefined ? fieldsOf(body) : undefined;
  } catch {
    return undefined;
  }
}

/** Matches headers about the limits of a provider. */
const limitHeader = /ratelimit|^x-codex-|^x-quota|^retry-after/u;

/** Headers in which clients name their session. */
const sessionHeaders =
  `x-claude-code-session-id session_id session-id conversation_id conversation-id thread-id x-session-id
  x-opencode-session x-kilocode-taskid x-session-affinity`.split(/\s+/);

function sessionOf({ session }: WireRequest, headers: Readonly<Record<string, string>>): string | undefined {
  return session ?? sessionHeaders.map((name) => headers[name]).find((id) => id !== undefined);
}
