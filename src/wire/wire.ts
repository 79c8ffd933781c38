import type { ChatMessage, ReportedUsage, ToolSchema } from '../compaction/messages/message.ts';
import type { Fields } from '../transcripts/reading/fields.ts';

/** The protocols that models of other providers are asked over. */
type WireId = 'chat' | 'responses' | 'messages' | 'gemini';

/** A message of a request, and the parts of the body that it was read from. */
export interface WireMessage {
  /**
   * The message as the model reads it, with the roles of chat completions. A tool's result is a separate message with
   * the id of its call. Reasoning that the request returns to the provider is in `reasoning_content`.
   */
  readonly chat: ChatMessage;
  /**
   * The items, blocks or parts of the body, unchanged, so that signed reasoning and cache marks can be sent again. Empty
   * for a message that is not from the body.
   */
  readonly raw: readonly unknown[];
  /** Results only: true if the client says that the call failed. */
  readonly isError?: boolean;
}

/** A tool that a request declares. */
export interface WireTool {
  /** The declaration in the form of chat completions. `parameters` is the schema exactly as it was sent. */
  readonly schema: ToolSchema;
  /** Name of the MCP server, if the tool's name or group shows it. */
  readonly server?: string;
  /** True if the model reads the declaration only after it has searched for the tool. */
  readonly isDeferred?: boolean;
}

/** The content of a request, in the same form for every wire. */
export interface WireRequest {
  readonly model: string | undefined;
  /** The tools in the order of the body. */
  readonly tools: readonly WireTool[];
  /** The messages in the order in which the model reads them. The system prompt is first. */
  readonly messages: readonly WireMessage[];
  /** Id that the client gives its session in the body, if any. */
  readonly session?: string;
}

/** A model's reply, complete or as far as it came. */
export interface WireReply {
  readonly chat: ChatMessage;
  readonly usage?: ReportedUsage;
  /** The model that answered, as the reply names it. */
  readonly model?: string;
  /** True if the reply said that it was finished. */
  readonly isComplete: boolean;
  /** The provider's error within a reply that had begun; its message in one line. */
  readonly error?: string;
}

/** Reads a reply while it arrives. */
export interface ReplyReader {
  /** Takes the parsed data of one event of a stream, or the parsed body of a whole reply. Skips what it does not know. */
  take(data: unknown): void;
  /** The reply so far; undefined if it has neither content nor a report. */
  readonly reply: WireReply | undefined;
}

/** A protocol between clients and models. */
export interface Wire {
  readonly id: WireId;
  /** Title in English for messages to the user, for example `OpenAI chat completions`. */
  readonly title: string;
  /**
   * Returns the purpose of a request by its path, without the query: a model's reply, or a count of tokens.
   *
   * @returns undefined for a path of another protocol, or another call of this protocol
   */
  asks(path: string): 'reply' | 'count' | undefined;
  /**
   * Reads the body of a request. Unknown parts count as text, so that nothing that the model reads is missing.
   * @param path path without its query, because some protocols name the model in it
   * @returns undefined if the body is not a request of this protocol
   */
  readRequest(body: Fields, path: string): WireRequest | undefined;
  createReplyReader(): ReplyReader;
  /**
   * Returns the body with another history. A message with `raw` is written exactly as it was sent; a message without
   * it is written in the form of the protocol. Neighbours that the protocol wants in one message are joined.
   */
  withMessages(body: Fields, messages: readonly WireMessage[]): Fields;
  /** Returns an error of this proxy as the provider would send it: the text of the body, in JSON. */
  errorBody(status: number, message: string): string;
}
