import type { CancellationSignal } from '../signals/cancellation.ts';
import type { Message, OpaqueItem, ReportedUsage, ToolSchema } from '../messages/message.ts';

export interface SummaryRequest {
  readonly instructions: string;
  /** The conversation as one escaped text, followed by the task; with `continues`, only the task. */
  readonly prompt: string;
  /** The conversation as messages, for a summariser that does not read prompts. */
  readonly sources: readonly Message[];
  /** All original messages, for a summariser that does not read prompts; by default the sources. */
  readonly history?: readonly Message[] | undefined;
  readonly focus: string | undefined;
  readonly tag: string;
  readonly maxOutputTokens: number;
  /** Schema of JSON with a summary and quotes, for endpoints that accept schemas. A tagged reply is also accepted. */
  readonly schema?: AnswerSchema;
  /** The concept, if facts are requested instead of a summary. The instructions describe it in words. */
  readonly concept?: FactConcept;
  /** The chat's own next request, sent unchanged before the task, so that its cached prefix is used. */
  readonly continues?: ContinuedRequest;
}

/** JSON schema of a whole answer, in the strict form that endpoints accept. */
export interface AnswerSchema {
  readonly name: string;
  readonly schema: Readonly<Record<string, unknown>>;
}

export interface FactConcept {
  readonly keyword: string;
  readonly description: string;
  /** A single most important fact, or any number of facts. */
  readonly factType: 'SINGLE' | 'MULTIPLE';
}

export interface ContinuedRequest {
  readonly view: readonly Message[];
  readonly tools: readonly ToolSchema[];
}

export interface SummaryReply {
  readonly content: string;
  readonly finishReason: 'stop' | 'length' | 'other';
  readonly usage?: ReportedUsage;
}

export interface SummaryModel {
  readonly id: string;
  /** Maximum tokens of the prompt and the reply together; undefined if unknown. */
  readonly window: number | undefined;
  /** True if the model reads `sources` and no prompt. The prompt is then empty, and the input has no limit. */
  readonly readsSources?: boolean;
  /** True if it is the chat's own model, whose cache contains the chat's last request. */
  readonly continuesRequests?: boolean;
  summarise(request: SummaryRequest, signal: CancellationSignal): Promise<SummaryReply>;
  /** Compacts messages with the provider's own method, if it has one. @throws if the provider refuses or fails */
  compactNatively?(messages: readonly Message[], signal: CancellationSignal): Promise<NativeCompaction>;
}

/** Wraps a model with other functions. Copies fields by name, because the model may be an object of a class. */
export function wrappedModel(
  model: SummaryModel,
  summarise: SummaryModel['summarise'],
  compactNatively: (native: NativeCompact) => NativeCompact = (native) => native,
): SummaryModel {
  const { id, window, readsSources, continuesRequests } = model;
  const native = model.compactNatively?.bind(model);
  return {
    id,
    window,
    ...(readsSources !== undefined && { readsSources }),
    ...(continuesRequests !== undefined && { continuesRequests }),
    summarise,
    ...(native && { compactNatively: compactNatively(native) }),
  };
}

type NativeCompact = NonNullable<SummaryModel['compactNatively']>;

export interface NativeCompaction {
  readonly item: OpaqueItem;
  readonly usage?: ReportedUsage;
}
