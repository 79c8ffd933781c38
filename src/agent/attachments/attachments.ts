import type { Attachment, Content, Message, ToolSchema } from '../../compaction/messages/message.ts';
import type { EmbeddedImage } from '../../compaction/images/image-part.ts';
import type { Budget } from '../../compaction/budget/budget.ts';
import { triggerFor } from '../../compaction/budget/trigger.ts';
import type { Trigger } from '../../compaction/records/record.ts';
import type { NextSize } from '../../compaction/service/request-size.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import {
  type ComposedMessage,
  composeMessage,
  type NamedPicture,
  type NamedSource,
  withPictures,
} from './compose.ts';
import { type AttachmentReference, parseReferences } from './parse-references.ts';
import { refusalOf } from './read-picture.ts';
import { type AttachmentPorts, createSourceReader, type SourceReading } from './read-source.ts';
import type { Sentence } from '../../language/sentence.ts';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';

/** A message with its attachments, ready to be sent. */
export interface AttachedMessage extends ComposedMessage {
  readonly problems: readonly AttachmentProblem[];
}

/** Tokens that a message would add if it were sent now. */
export interface MessagePrice {
  readonly references: readonly AttachmentReference[];
  readonly attachments: readonly Attachment[];
  readonly problems: readonly AttachmentProblem[];
  readonly pictures: readonly NamedPicture[];
  /** Tokens of the message. */
  readonly message: number;
  /** Tokens of the whole request: context, tools and message. */
  readonly request: number;
  readonly trigger: Trigger | undefined;
}

/** Messages and tools of a request. */
export interface RequestContents {
  readonly view: readonly Message[];
  readonly tools: readonly ToolSchema[];
}

/** Parts of the next request. */
export interface NextRequestPorts {
  size(): Promise<NextSize>;
  /** The messages and tools of the request, with everything that the first turn adds before the first message. */
  contents?(): Promise<RequestContents>;
  readonly budget: Budget;
}

/** Functions that attach the files, pictures and context that messages name. */
export interface Attachments {
  /** @param messageId id that the message will get @throws {CancelledError} if the signal was aborted */
  readonly attach: (text: string, messageId: string, signal: AbortSignal) => Promise<AttachedMessage>;
  /** Returns why a picture in a message cannot be sent, or undefined. @throws {CancelledError} if aborted */
  readonly pictureProblem: (text: string, signal: AbortSignal) => Promise<Sentence | string | undefined>;
  /** Returns the picture that a reference names. @throws {CancelledError} if the signal was aborted */
  readonly picture: (reference: string, signal: AbortSignal) => Promise<EmbeddedImage | undefined>;
  /** @throws {CancelledError} if the signal was aborted */
  readonly price: (text: string, signal: AbortSignal) => Promise<MessagePrice>;
}

/** @param next size and contents of the next request in the session that gets the messages */
export function createAttachments(
  ports: AttachmentPorts & { readonly meter: UsageMeter },
  next: NextRequestPorts,
): Attachments {
  const read = createSourceReader(ports);
  const { meter } = ports;

  async function compose(text: string, messageId: string, signal: AbortSignal) {
    const named = new Map<string, NamedSource>();
    const pictures = new Map<string, NamedPicture>();
    const references: AttachmentReference[] = [];
    const problems: AttachmentProblem[] = [];
    for (const reference of parseReferences(text)) {
      const { start, end, source } = reference;
      const reading = await read(source, signal);
      throwIfCancelled(signal);
      if ('problem' in reading) {
        const { problem } = reading;
        if (problem !== undefined)
          problems.push({ start, end, problem, isPicture: isPictureProblem(reading) });
        continue;
      }
      if (reading.type === 'picture') {
        const label = text.slice(start, end);
        const refusal = ports.pictures && refusalOf(ports.pictures.model(), label);
        if (refusal !== undefined) problems.push({ start, end, problem: refusal, isPicture: true });
        else references.push(reference);
        const { path, image } = reading;
        pictures.set(image.base64, { label, image, ...(path === undefined ? {} : { path }) });
        continue;
      }
      references.push(reference);
      const key = JSON.stringify([reading.type, reading.path, reading.lines]);
      if (!named.has(key)) named.set(key, { ...reading, label: text.slice(start, end) });
    }
    const { budget } = next;
    const composed = await composeMessage(text, [...named.values()], messageId, { meter, budget });
    throwIfCancelled(signal);
    return { composed, pictures: [...pictures.values()], references, problems };
  }

  return {
    async attach(text, messageId, signal) {
      const { composed, pictures, problems } = await compose(text, messageId, signal);
      // Pictures are included even if this model takes none, so that it knows of them and the next model may see
      // them.
      return { ...withPictures(composed, pictures, meter), problems };
    },
    async pictureProblem(text, signal) {
      for (const { start, end, source } of parseReferences(text)) {
        if (source.type !== 'picture' && source.type !== 'path') continue;
        const reading = await read(source, signal);
        throwIfCancelled(signal);
        if (isPictureProblem(reading)) return reading.problem;
        if (!('type' in reading) || reading.type !== 'picture' || ports.pictures === undefined) continue;
        const refusal = refusalOf(ports.pictures.model(), text.slice(start, end));
        if (refusal !== undefined) return refusal;
      }
      return undefined;
    },
    async picture(text, signal) {
      const [reference] = parseReferences(text);
      if (reference === undefined) return undefined;
      const reading = await read(reference.source, signal);
      return 'image' in reading ? reading.image : undefined;
    },
    async price(text, signal) {
      const { composed: texts, pictures, references, problems } = await compose(text, idOfNext, signal);
      const isRefused = ({ label }: NamedPicture) =>
        problems.some(({ start, end }) => text.slice(start, end) === label);
      const sent = pictures.filter((picture) => !isRefused(picture));
      const composed = withPictures(texts, sent, meter);
      const { total: message } = await meter.measure([messageWith(composed.content)]);
      const { tokens: before } = await next.size();
      throwIfCancelled(signal);
      const request = before + message;
      return {
        references,
        attachments: composed.attached?.items ?? [],
        problems,
        pictures: sent,
        message,
        request,
        trigger: triggerFor(request, { messages: 0, turns: 0 }, next.budget),
      };
    },
  };
}

function isPictureProblem(
  reading: SourceReading,
): reading is Extract<SourceReading, { readonly isPicture: boolean }> {
  return 'isPicture' in reading && reading.isPicture;
}

/** Placeholder for the next message's id, which is about as long. */
const idOfNext = 'm100';

function messageWith(content: Content): Message {
  return { role: 'user', origin: 'person', content, id: idOfNext, createdAt: '' };
}

/** A reference in a message that could not be attached. */
export interface AttachmentProblem {
  /** Position in the text, in UTF-16 units; `end` is exclusive. */
  readonly start: number;
  readonly end: number;
  readonly problem: Sentence | string;
  /** True for a picture. A message is not sent without its pictures. */
  readonly isPicture: boolean;
}
