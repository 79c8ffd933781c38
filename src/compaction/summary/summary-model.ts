import type { CancellationSignal } from '../signals/cancellation.ts';
import type { Message, OpaqueItem, ReportedUsage, ToolSchema } from '../messages/message.ts';

/** A request for a summary. */
export interface SummaryRequest {
  readonly instructions: string;
  /** The conversation as one escaped text, followed by the task; with `continues`, only the task. */
  readonly prompt: string;
  /** The same conversation as messages, for a summariser that does not read prompts. */
  readonly sources: readonly Message[];
  /** Everything that was said, for the same one: what the sources are part of. The sources if not given. */
  readonly history?: readonly Message[] | undefined;
  readonly focus: string | undefined;
  /** Name of the tag that the answer has to stand in. */
  readonly tag: string;
  /** Tokens the reply may take; a reply that reaches it counts as cut off. */
  readonly maxOutputTokens: number;
  /** For an endpoint that takes one: of JSON with the summary and quotes. A reply in the tags is as good. */
  readonly schema?: AnswerSchema;
  /** The concept, if facts are asked for instead of a summary; the instructions say the same in words. */
  readonly concept?: FactConcept;
  /** The chat's own next request, to be sent as it is, followed by the task, so that its cached prefix is read. */
  readonly continues?: ContinuedRequest;
}

/** A JSON schema for the whole of an answer, in the strict form that endpoints take. */
export interface AnswerSchema {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

/** A thing that facts are looked for about. */
export interface FactConcept {
  readonly keyword: string;
  readonly description: string;
  /** The one fact that matters most, or any number of them. */
  readonly factType: 'SINGLE' | 'MULTIPLE';
}

/** A request of the chat. */
export interface ContinuedRequest {
  readonly view: readonly Message[];
  readonly tools: readonly ToolSchema[];
}

export interface SummaryReply {
  readonly content: string;
  readonly finishReason: 'stop' | 'length' | 'other';
  readonly usage?: ReportedUsage;
}

/** Port: whatever can write a summary. */
export interface SummaryModel {
  readonly id: string;
  /** Tokens of prompt and reply together; undefined if unknown. */
  readonly window: number | undefined;
  /** Reads `sources` and not the prompt, which is empty then: no window limits what it can read. */
  readonly readsSources?: boolean;
  /** Is the chat's own model, so that a request that continues the chat's last one finds it in the cache. */
  readonly continuesRequests?: boolean;
  summarise(request: SummaryRequest, signal: CancellationSignal): Promise<SummaryReply>;
  /**
   * Has the provider compact messages by its own means, if it has any.
   *
   * @throws if it refuses or fails
   */
  compactNatively?(messages: readonly Message[], signal: CancellationSignal): Promise<NativeCompaction>;
}

/** The result of a provider's own compaction. */
export interface NativeCompaction {
  readonly item: OpaqueItem;
  readonly usage?: ReportedUsage;
}
