import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { KeyForms } from '../../agent/network/key-redactor.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import { fieldsOf, objectionToValue } from '../../transcripts/reading/fields.ts';
import { firstTitle } from '../../transcripts/reading/typed-title.ts';
import {
  type ExchangeEvent,
  type SessionEvent,
  type SessionHeader,
  sessionVersion,
} from '../../transcripts/session/session-event.ts';
import { clientOf } from '../../wire/client.ts';
import { conversationOf, startingCallOf } from '../../wire/conversations.ts';
import type { WireReply, WireRequest } from '../../wire/wire.ts';
import { WireConversation } from '../../wire/wire-conversation.ts';
import type { ExchangeObserver, ExchangeStart } from './exchange.ts';
import { RecordingFile } from './recording-file.ts';
import { ReplyBody } from './reply-body.ts';

interface RecorderPorts {
  /** Folder of the recordings. Recordings of sub-agents are in a folder named after the recording that started them. */
  readonly folder: string;
  /** Folder in which the proxy was started. */
  readonly workingFolder: string;
  readonly meter: UsageMeter;
  readonly log: (line: string) => void;
}

/** A conversation that is being recorded. */
interface Recording {
  readonly id: string;
  readonly session: string | undefined;
  readonly isSide: boolean;
  readonly conversation: WireConversation;
  readonly view: WireConversation['view'];
  readonly file: RecordingFile;
  /** Number of requests so far. A reply belongs to the conversation only if no other request came in between. */
  requests: number;
}

/** Maximum number of conversations kept open. An older one that goes on begins a new recording. */
const mostOpen = 32;

/** Records what passes through the proxy: a session of our own format for each conversation. */
export class Recorder {
  private readonly ports: RecorderPorts;
  /** Most recently used first. */
  private open: Recording[] = [];
  private last: Promise<void> = Promise.resolve();

  constructor(ports: RecorderPorts) {
    this.ports = ports;
  }

  /** Records an exchange. A failure is logged; it neither stops the exchange nor later recordings. */
  observe(start: ExchangeStart): ExchangeObserver {
    const began = performance.now();
    const since = () => Math.round(performance.now() - began);
    const secrets = new KeyForms(start.secrets);
    const reply = new ReplyBody(start.wire.createReplyReader());
    let recording: Recording | undefined;
    let request = 0;
    let head: Pick<ExchangeEvent, 'status' | 'firstByte' | 'limits'> = {};
    const write = async (to: Recording, events: readonly SessionEvent[]) => {
      if (!(await to.file.append(secrets.redactJson(events)))) this.drop(to);
    };
    return {
      body: (bytes) => {
        this.queue(async () => {
          const read = bytes === undefined ? undefined : requestIn(bytes, start);
          if (read === undefined) {
            this.ports.log(
              `A request to ${start.path} is not recorded: it is no request of ${start.wire.title}.`,
            );
            return;
          }
          const createdAt = start.at.toISOString();
          recording = this.recordingOf(read, start) ?? (await this.begin(read, start, write));
          request = ++recording.requests;
          await write(recording, await recording.conversation.request(read, createdAt));
        });
      },
      head: (status, headers) => {
        const limits = Object.fromEntries(
          Object.entries(headers).filter(([name]) => name !== 'content-type'),
        );
        head = { status, firstByte: since(), ...(Object.keys(limits).length > 0 && { limits }) };
        reply.begin(headers['content-type'] ?? '');
      },
      chunk: (bytes) => reply.push(bytes),
      end: (outcome) => {
        const duration = since();
        const answered = reply.end();
        this.queue(async () => {
          if (recording === undefined) return;
          const isOwn = request === recording.requests;
          const events = isOwn ? replyEvents(recording.conversation, answered, outcome === 'complete') : [];
          const [said] = events;
          const error = answered?.error ?? reply.refusal(head.status);
          const exchange: ExchangeEvent = {
            type: 'exchange',
            createdAt: start.at.toISOString(),
            ...(said?.type === 'message' && { messageId: said.message.id }),
            outcome,
            ...head,
            duration,
            ...(error !== undefined && { error }),
          };
          await write(recording, [...events, exchange]);
        });
      },
    };
  }

  /** Resolves when everything observed so far is written. */
  async settled(): Promise<void> {
    await this.last;
  }

  async close(): Promise<void> {
    await this.last;
    await Promise.all(this.open.splice(0).map(({ file }) => file.close()));
  }

  private queue(work: () => Promise<void>): void {
    this.last = this.last.then(work).catch((error: unknown) => {
      this.ports.log(`A request is not recorded: ${error instanceof Error ? error.message : String(error)}`);
    });
  }

  private recordingOf(read: WireRequest, { headers }: ExchangeStart): Recording | undefined {
    const found = conversationOf(read, sessionOf(read, headers), this.open);
    if (found !== undefined) this.open = [found, ...this.open.filter((one) => one !== found)];
    return found;
  }

  private async begin(
    read: WireRequest,
    { wire, headers, at }: ExchangeStart,
    write: (to: Recording, events: readonly SessionEvent[]) => Promise<void>,
  ): Promise<Recording> {
    const client = clientOf(headers['user-agent']);
    const session = sessionOf(read, headers);
    const isSide = read.tools.length === 0 && !read.messages.some(({ chat }) => chat.role === 'assistant');
    const starting = startingCallOf(read, this.open);
    const main = this.open.find((one) => !one.isSide && one.session === session && session !== undefined);
    const parent =
      starting === undefined
        ? isSide && main !== undefined
          ? { sessionId: main.id, callKey: '' }
          : undefined
        : { sessionId: starting.parent.id, callKey: starting.callId };
    const createdAt = at.toISOString();
    const name = `${createdAt.slice(0, 19).replace(/[:T]/g, '-')}-${randomBytes(4).toString('hex')}`;
    const id = parent === undefined ? name : `${parent.sessionId}.${name}`;
    const conversation = new WireConversation({
      client: client ?? 'another-agent',
      isOfSubAgent: starting !== undefined,
      meter: this.ports.meter,
    });
    const recording: Recording = {
      id,
      session,
      isSide,
      conversation,
      get view() {
        return conversation.view;
      },
      file: new RecordingFile(
        starting === undefined && !(isSide && main !== undefined)
          ? join(this.ports.folder, client ?? 'another-agent', `${name}${sessionPart(session)}.jsonl`)
          : join((starting?.parent ?? main)!.file.path.replace(/\.jsonl$/u, ''), `${name}.jsonl`),
      ),
      requests: 0,
    };
    this.open.unshift(recording);
    for (const { file } of this.open.splice(mostOpen)) await file.close();
    const header: SessionHeader = {
      type: 'session',
      version: sessionVersion,
      id,
      createdAt,
      ...(parent !== undefined && { parent }),
      wire: {
        api: wire.id,
        ...(client !== undefined && { client }),
        ...(session !== undefined && { session }),
        folder: this.ports.workingFolder,
        ...(isSide && { isSide }),
      },
    };
    const title = titleOf(read);
    await write(recording, [header, ...(title === undefined ? [] : [{ type: 'title', title } as const])]);
    return recording;
  }

  private drop(recording: Recording): void {
    this.open = this.open.filter((one) => one !== recording);
    this.ports.log(
      `The recording ${recording.id} has reached its largest size. The conversation goes on in a new one.`,
    );
    void recording.file.close();
  }
}

function replyEvents(
  conversation: WireConversation,
  reply: WireReply | undefined,
  isWhole: boolean,
): readonly SessionEvent[] {
  if (reply === undefined) return [];
  const isComplete = reply.isComplete && isWhole;
  return conversation.reply({ ...reply, isComplete }, new Date().toISOString());
}

function requestIn(bytes: Uint8Array, { wire, path }: ExchangeStart): WireRequest | undefined {
  try {
    const body: unknown = JSON.parse(Buffer.from(bytes).toString('utf8'));
    return objectionToValue(body) === undefined ? wire.readRequest(fieldsOf(body), path) : undefined;
  } catch {
    return undefined;
  }
}

/** The end of a recording's file name, which names the client's session. */
function sessionPart(session: string | undefined): string {
  return session !== undefined && /^[\w-]{8,80}$/u.test(session) ? `~${session}` : '';
}

/** Headers in which clients name their session. */
const sessionHeaders = [
  'x-claude-code-session-id',
  'session_id',
  'x-session-id',
  'x-opencode-session',
  'x-session-affinity',
];

function sessionOf({ session }: WireRequest, headers: Readonly<Record<string, string>>): string | undefined {
  return session ?? sessionHeaders.map((name) => headers[name]).find((id) => id !== undefined);
}

function titleOf({ messages }: WireRequest): string | undefined {
  const asked = messages.filter(({ chat }) => chat.role === 'user');
  const texts = asked.map(({ chat: { content } }) =>
    typeof content === 'string'
      ? content
      : (content ?? []).flatMap(({ text }) => (text === undefined ? [] : [{ text }])),
  );
  return firstTitle(texts);
}
