import { setImmediate as nextTurn } from 'node:timers/promises';
import { memoised } from '../../compaction/messages/memoise.ts';
import type { Message, ToolSchema } from '../../compaction/messages/message.ts';
import { messageOf } from '../../compaction/records/reason.ts';
import { guardedFetch } from '../network/guarded-fetch.ts';
import { KeyForms } from '../network/key-redactor.ts';
import { nodeSlices } from '../node-slices.ts';
import {
  conventionalMessage,
  conventionalReply,
  conventionalTools,
  otlpBody,
  otlpSpan,
  type AgentSpan,
} from './otlp-span.ts';

/** Receiver of spans, as the settings name it. */
export interface SpanTarget {
  /** Base URL of an OTLP/HTTP endpoint; empty if nothing is sent. */
  readonly endpoint: string;
  /** True if spans contain messages, arguments and results. */
  readonly content: boolean;
}

interface ExporterPorts {
  readonly target: () => SpanTarget;
  /** Returns the keys that are removed from everything that is sent. */
  readonly keys: () => Promise<readonly string[]>;
  /** Version of the extension. */
  readonly version: string;
  readonly warn: (line: string) => void;
}

/** Maximum number of spans that wait. Further spans are dropped. */
const mostWaiting = 2_000;
/** Characters after which a request is sent. A collector takes at least four million bytes. */
const enoughCharacters = 1_000_000;
/** Milliseconds after which a request, and the last requests of a closing window, are given up. */
const longestRequest = 10_000;
const longestClosing = 2_000;

/** Sends spans to an OTLP/HTTP endpoint as JSON, in the background. Spans that cannot be sent are dropped. */
export class SpanExporter {
  private readonly ports: ExporterPorts;
  private readonly closing = new AbortController();
  private waiting: AgentSpan[] = [];
  private sending: Promise<void> | undefined;
  private writer = new ContentWriter([]);
  private hasWarned = false;

  constructor(ports: ExporterPorts) {
    this.ports = ports;
  }

  add(span: AgentSpan): void {
    if (this.waiting.length >= mostWaiting) return;
    this.waiting.push(span);
    this.sending ??= this.sendAll();
  }

  /** Resolves when everything that was added is sent or dropped. */
  async settled(): Promise<void> {
    while (this.sending !== undefined) await this.sending;
  }

  /** Sends the last spans for a short time, and drops the rest. */
  async close(): Promise<void> {
    const limit = setTimeout(() => this.closing.abort(), longestClosing);
    await this.settled();
    clearTimeout(limit);
  }

  private async sendAll(): Promise<void> {
    // Spans that end together are sent together, and no event waits for them.
    await nextTurn();
    while (this.waiting.length > 0) {
      try {
        await this.sendSome();
      } catch (error) {
        this.warn(messageOf(error));
      }
    }
    this.sending = undefined;
  }

  private async sendSome(): Promise<void> {
    const written: string[] = [];
    const taken = this.waiting;
    this.waiting = [];
    const { endpoint, content } = this.ports.target();
    if (endpoint === '') return;
    const keys = await this.ports.keys();
    if (!this.writer.isFor(keys)) this.writer = new ContentWriter(keys);
    let characters = 0;
    for (const [index, span] of taken.entries()) {
      const json = await this.writer.write(span, content);
      written.push(json);
      characters += json.length;
      if (characters < enoughCharacters) continue;
      this.waiting = [...taken.slice(index + 1), ...this.waiting];
      break;
    }
    await this.post(endpoint, otlpBody(written, this.ports.version));
  }

  private async post(endpoint: string, body: string): Promise<void> {
    const response = await guardedFetch(`${endpoint}${endpoint.endsWith('/') ? '' : '/'}v1/traces`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      signal: AbortSignal.any([this.closing.signal, AbortSignal.timeout(longestRequest)]),
    });
    await response.body?.cancel();
    if (response.ok) this.hasWarned = false;
    else this.warn(`HTTP status ${response.status}`);
  }

  private warn(reason: string): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    this.ports.warn(`Telemetry could not be sent, and is dropped until it can be. ${reason}`);
  }
}

/** Writes spans as JSON without keys. Messages are written once, because most requests repeat them. */
class ContentWriter {
  private readonly keys: string;
  private readonly forms: KeyForms;
  private readonly message = memoised((message: Message) =>
    this.stringOf(conventionalMessage(message)).slice(1, -1),
  );
  private readonly tools = memoised((tools: readonly ToolSchema[]) =>
    this.stringOf(conventionalTools(tools)),
  );

  constructor(keys: readonly string[]) {
    this.keys = keys.join('\n');
    this.forms = new KeyForms(keys);
  }

  isFor(keys: readonly string[]): boolean {
    return keys.join('\n') === this.keys;
  }

  /** Writes a span, in slices if it has content. */
  async write(span: AgentSpan, hasContent: boolean): Promise<string> {
    return otlpSpan(span, hasContent ? await this.contentOf(span) : {});
  }

  private async contentOf({
    content: { input, output, tools = [], texts = {} } = {},
  }: AgentSpan): Promise<Readonly<Record<string, string>>> {
    const slices = nodeSlices();
    const messages: string[] = [];
    for (const message of input ?? []) {
      if (slices.isOver) await slices.next();
      messages.push(this.message(message));
    }
    const said = Object.entries(texts).flatMap(([key, text]) =>
      text === undefined ? [] : [[key, JSON.stringify(this.forms.redact(text))] as const],
    );
    return {
      ...Object.fromEntries(said),
      ...(input !== undefined && { 'gen_ai.input.messages': `"[${messages.join(',')}]"` }),
      ...(output !== undefined && { 'gen_ai.output.messages': this.stringOf([conventionalReply(output)]) }),
      ...(tools.length > 0 && { 'gen_ai.tool.definitions': this.tools(tools) }),
    };
  }

  /** Writes a value as JSON, and that as a JSON string, as attributes contain it. */
  private stringOf(value: object): string {
    return JSON.stringify(JSON.stringify(this.forms.redactJson(value)));
  }
}
