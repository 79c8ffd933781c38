import { pairCalls } from '../../compaction/messages/exchange.ts';
import type { Message, ToolSchema } from '../../compaction/messages/message.ts';
import type { CancellationSignal } from '../../compaction/signals/cancellation.ts';
import type { Overflow } from '../../compaction/service/service-ports.ts';
import {
  type Continuation,
  GovernedConversation,
  type GovernedPorts,
  type RequestOrigin,
} from './governed-conversation.ts';
import type { ExchangeEvent } from '../../transcripts/session/session-event.ts';
import { type Compared, comparedTo, type SentMessage } from './history-change.ts';

/** The request that is sent to the endpoint for a client. */
export interface GovernedRequest {
  readonly view: readonly Message[];
  /** Id of a message → its index in the client's history. Messages that a compaction made or changed are missing. */
  readonly sources: ReadonlyMap<string, number>;
  /** Number of times that the client had sent this request before. */
  readonly retry: number;
  /** True if the history is sent without the compaction that was due. */
  readonly hasFailed: boolean;
  /** Records the model's reply. @returns the id of its message; undefined if it was not recorded */
  replied(reply: SentMessage): Promise<string | undefined>;
  /** Records how the request went, even if another request of the conversation came in between. */
  note(event: ExchangeEvent): Promise<void>;
  /** Records that there was no reply. */
  ended(outcome: 'failed' | 'stopped', error: unknown): Promise<void>;
  /** Compacts after the endpoint refused the request as too long. @returns the request to send instead, if any */
  recover(overflow: Overflow, signal: CancellationSignal): Promise<GovernedRequest | undefined>;
}

/** Number of conversations that are followed. Others are read again when their client returns to them. */
const mostFollowed = 16;

/**
 * The conversations of clients that send their whole history with each request. Each history is found again by its
 * messages, kept as a transcript, compacted when it is due, and sent as a view, which stays the same from request to
 * request, so that the provider's cache holds.
 *
 * A proxy converts the body of a request to messages, calls `take`, and writes the messages of `view` back. A message
 * in `sources` is written from the client's own parts, and every other one from the message. The reply goes to `replied`.
 */
export class GovernedHistories {
  private readonly ports: GovernedPorts;
  /** The conversation of the newest request comes last. */
  private conversations: readonly GovernedConversation[] = [];
  private queue: Promise<unknown> = Promise.resolve();

  constructor(ports: GovernedPorts) {
    this.ports = ports;
  }

  /** Takes a client's history and returns the request to send. If anything fails, the history is sent unchanged. */
  async take(
    sent: readonly SentMessage[],
    tools: readonly ToolSchema[],
    signal: CancellationSignal,
    origin: RequestOrigin = {},
  ): Promise<GovernedRequest> {
    try {
      const indices = pairedIndices(sent);
      if (indices.length === 0) return this.unchanged(sent);
      const paired = indices.map((index) => sent[index]!);
      const conversation = await this.inTurn(() => this.followed(paired, tools, origin));
      const { version, retries: retry } = conversation;
      const hasFailed = !(await conversation.compact(signal));
      const request = { ...this.requestOf(conversation, version, indices), retry, hasFailed };
      // Another request of the same conversation came in between, and the view is now of that request.
      const isCurrent = conversation.version === version;
      return isCurrent ? request : { ...this.unchanged(sent), ...this.overtakenIn(conversation), retry };
    } catch (error) {
      this.ports.warn(error);
      return this.unchanged(sent);
    }
  }

  /** The followed conversations with their contexts, newest first. */
  get views(): readonly Pick<GovernedConversation, 'id' | 'session' | 'hasTools' | 'view'>[] {
    return this.conversations.toReversed();
  }

  /** Finds a conversation by the id of its file, if it is still followed. */
  find(id: string): GovernedConversation | undefined {
    return this.conversations.find((conversation) => conversation.id === id);
  }

  /** Makes the changes that the user asked for in a conversation, from its next request on. */
  makeAsked(id: string): Promise<void> {
    return this.inTurn(async () => this.find(id)?.makeAsked());
  }

  async close(): Promise<void> {
    await this.queue;
    await Promise.all(this.conversations.map((conversation) => conversation.close()));
    this.conversations = [];
  }

  private async followed(
    sent: readonly SentMessage[],
    tools: readonly ToolSchema[],
    origin: RequestOrigin,
  ): Promise<GovernedConversation> {
    const { session, repeats, aside, servers } = origin;
    const same = this.conversations.filter(
      (one) =>
        one.id !== repeats && (session === undefined || one.session === undefined || one.session === session),
    );
    const compared = sent.map(comparedTo);
    const alike = same
      .flatMap((conversation) => {
        const continuation = conversation.continuation(compared);
        return continuation === undefined ? [] : [{ conversation, continuation }];
      })
      .reduce<Found | undefined>(
        (best, next) => (best === undefined || likenessOf(next) >= likenessOf(best) ? next : best),
        undefined,
      );
    const found = alike ?? summarisedBy(sent, same) ?? (await this.recorded(compared, origin));
    const conversation = found?.conversation ?? new GovernedConversation(this.ports, origin);
    const others = this.conversations.filter((other) => other !== conversation);
    try {
      const toolSet = {
        tools,
        ...(aside !== undefined && { aside }),
        ...(servers !== undefined && { servers }),
      };
      await conversation.follow(sent, toolSet, found?.continuation ?? beginning);
      await conversation.makeAsked();
    } catch (error) {
      // It is not known how much of the history was taken over.
      this.conversations = others;
      await conversation.close();
      throw error;
    }
    this.conversations = [...others, conversation].slice(-mostFollowed);
    for (const left of others.slice(0, others.length + 1 - this.conversations.length)) await left.close();
    return conversation;
  }

  /** Takes up a conversation that was recorded before, if the history continues it. */
  private async recorded(sent: readonly Compared[], origin: RequestOrigin): Promise<Found | undefined> {
    for await (const recorded of origin.recorded?.() ?? []) {
      const session = recorded.contents.header?.wire?.session;
      const conversation = new GovernedConversation(this.ports, { ...origin, session }, recorded);
      const continuation = conversation.continuation(sent);
      if (continuation !== undefined && (await recorded.claim())) return { conversation, continuation };
    }
    return undefined;
  }

  /** @param indices indices in the client's history of the messages that the conversation took over */
  private requestOf(
    conversation: GovernedConversation,
    version: number,
    indices: readonly number[],
  ): GovernedRequest {
    const { view } = conversation;
    const sources = new Map(Array.from(conversation.sources, ([id, index]) => [id, indices[index]!]));
    const recording = <Result>(work: () => Promise<Result>) =>
      this.inTurn(async () => (conversation.version === version ? await work() : undefined)).catch(
        (error: unknown) => {
          this.ports.warn(error);
          return undefined;
        },
      );
    return {
      view,
      sources,
      retry: 0,
      hasFailed: false,
      replied: async (reply) => {
        if (conversation.version !== version) return this.overtakenIn(conversation).replied(reply);
        return recording(() => conversation.replied(reply));
      },
      note: this.overtakenIn(conversation).note,
      ended: (outcome, error) => recording(() => conversation.ended(outcome, error)),
      recover: async (overflow, signal) =>
        (await conversation.recover(overflow, signal)) && conversation.version === version
          ? this.requestOf(conversation, version, indices)
          : undefined,
    };
  }

  /** Records a request that another one overtook, such as a summary in the background. Its reply is no message. */
  private overtakenIn(conversation: GovernedConversation): Pick<GovernedRequest, 'replied' | 'note'> {
    return {
      replied: (reply) => {
        conversation.overtaken = reply;
        return Promise.resolve(undefined);
      },
      note: (event) =>
        this.inTurn(() => conversation.note(event)).catch((error: unknown) => this.ports.warn(error)),
    };
  }

  /** Returns a request with the client's own history. Its messages are not recorded. */
  private unchanged(sent: readonly SentMessage[]): GovernedRequest {
    const createdAt = new Date(this.ports.now()).toISOString();
    const view = sent.map((message, index) => ({ ...message, id: `m${index + 1}`, createdAt }));
    return {
      view,
      sources: new Map(view.map(({ id }, index) => [id, index])),
      retry: 0,
      hasFailed: true,
      replied: () => Promise.resolve(undefined),
      note: () => Promise.resolve(),
      ended: () => Promise.resolve(),
      recover: () => Promise.resolve(undefined),
    };
  }

  /** Takes over one history at a time, because each is compared with all earlier ones. */
  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.queue.then(work);
    this.queue = result.catch(() => {});
    return result;
  }
}

/** Returns the indices of all messages but results without a call, which endpoints refuse. */
function pairedIndices(sent: readonly SentMessage[]): readonly number[] {
  const { orphans } = pairCalls(sent.map((message) => ({ ...message, id: '', createdAt: '' })));
  return [...sent.keys()].filter((index) => !orphans.has(index));
}

/** Finds the conversation whose summary a history begins with. */
function summarisedBy(
  sent: readonly SentMessage[],
  conversations: readonly GovernedConversation[],
): Found | undefined {
  for (const conversation of conversations.toReversed()) {
    const { repeats } = conversation;
    const about = repeats === undefined ? conversation : conversations.find(({ id }) => id === repeats);
    const continuation = about?.summarised(sent, conversation);
    if (about !== undefined && continuation !== undefined) return { conversation: about, continuation };
  }
  return undefined;
}

interface Found {
  readonly conversation: GovernedConversation;
  readonly continuation: Continuation;
}

function likenessOf({ continuation }: Found): number {
  return continuation.change.likeness ?? 0;
}

/** The change with which every history begins. */
const beginning: Continuation = {
  change: {
    earlier: new Map(),
    rewritten: [],
    gone: [],
    insertions: [],
    appendedFrom: 0,
    likeness: undefined,
  },
  gone: new Set(),
};
