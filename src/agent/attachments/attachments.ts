import type { Attachment, Message } from '../../compaction/messages/message.ts';
import type { Budget } from '../../compaction/budget/budget.ts';
import { requestBuffer, triggerFor } from '../../compaction/budget/trigger.ts';
import type { Trigger } from '../../compaction/records/record.ts';
import type { Usage, UsageMeter } from '../../compaction/tokens/usage.ts';
import { type ComposedMessage, composeMessage, type NamedSource } from './compose.ts';
import { type AttachmentReference, parseReferences } from './parse-references.ts';
import { type AttachmentPorts, createSourceReader } from './read-source.ts';
import type { Sentence } from '../../language/sentence.ts';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';

/** A message ready to be sent. */
export interface AttachedMessage extends ComposedMessage {
  readonly problems: readonly AttachmentProblem[];
}

/** Cost of a message if it were sent now. All sizes in tokens. */
export interface MessagePrice {
  /** References to what is attached, by their places in the text. */
  readonly references: readonly AttachmentReference[];
  readonly attachments: readonly Attachment[];
  readonly problems: readonly AttachmentProblem[];
  /** The whole message. */
  readonly message: number;
  /** The whole request: the view, the tools and the message. */
  readonly request: number;
  /** The compaction that the size of the request would call for. */
  readonly trigger: Trigger | undefined;
}

/** Parts of the next request. */
export interface NextRequestPorts {
  /** Of the view and the tools. */
  usage(): Promise<Usage>;
  readonly budget: Budget;
}

/** Attaches what messages name. */
export interface Attachments {
  /**
   * @param messageId that the message will have
   * @throws {CancelledError} if the signal was aborted
   */
  readonly attach: (text: string, messageId: string, signal: AbortSignal) => Promise<AttachedMessage>;
  /** @throws {CancelledError} if the signal was aborted */
  readonly price: (text: string, signal: AbortSignal) => Promise<MessagePrice>;
}

/** @param next of the session in which the messages are said */
export function createAttachments(
  ports: AttachmentPorts & { readonly meter: UsageMeter },
  next: NextRequestPorts,
): Attachments {
  const read = createSourceReader(ports);
  const { meter } = ports;

  async function compose(text: string, messageId: string, signal: AbortSignal) {
    const named = new Map<string, NamedSource>();
    const references: AttachmentReference[] = [];
    const problems: AttachmentProblem[] = [];
    for (const reference of parseReferences(text)) {
      const { start, end, source } = reference;
      const reading = await read(source, signal);
      throwIfCancelled(signal);
      if ('problem' in reading) {
        if (reading.problem !== undefined) problems.push({ start, end, problem: reading.problem });
        continue;
      }
      references.push(reference);
      const key = JSON.stringify([reading.type, reading.path, reading.lines]);
      if (!named.has(key)) named.set(key, { ...reading, label: text.slice(start, end) });
    }
    const { budget } = next;
    const composed = await composeMessage(text, [...named.values()], messageId, { meter, budget });
    throwIfCancelled(signal);
    return { composed, references, problems };
  }

  return {
    async attach(text, messageId, signal) {
      const { composed, problems } = await compose(text, messageId, signal);
      return { ...composed, problems };
    },
    async price(text, signal) {
      const { composed, references, problems } = await compose(text, idOfNext, signal);
      const { total: message } = await meter.measure([messageWith(composed.content)]);
      const { total: before } = await next.usage();
      throwIfCancelled(signal);
      const request = before + message;
      return {
        references,
        attachments: composed.attached?.items ?? [],
        problems,
        message,
        request,
        trigger: triggerFor(request + requestBuffer, { messages: 0, turns: 0 }, next.budget),
      };
    },
  };
}

/** As long as the id of a message that has not been said yet. */
const idOfNext = 'm100';

function messageWith(content: string): Message {
  return { role: 'user', origin: 'person', content, id: idOfNext, createdAt: '' };
}

/** Something that a message names and that could not be attached. */
export interface AttachmentProblem {
  /** In the text, in UTF-16 units; `end` is after the last one. */
  readonly start: number;
  readonly end: number;
  /** One sentence for the person who typed it. */
  readonly problem: Sentence | string;
}
