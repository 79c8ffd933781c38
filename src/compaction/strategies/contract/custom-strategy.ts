import type { Budget } from '../../budget/budget.ts';
import type { CancellationSignal } from '../../signals/cancellation.ts';
import type { Ledger } from '../../messages/ledger.ts';
import type { ChatMessage, Message, ToolSchema } from '../../messages/message.ts';
import type { Trigger } from '../../records/record.ts';

/** Contract of a custom strategy: plain data and promises only, so that it can run in a separate process. */

/** Facts of the whole history, with errors as strings. */
type CustomLedger = Omit<Ledger, 'errors'> & { readonly errors: readonly string[] };

/** Input of a custom strategy: a frozen copy of plain data. */
export interface CustomInput {
  /** Messages of the next request; valid for a strict endpoint. */
  readonly view: readonly Message[];
  readonly protectedIds: readonly string[];
  readonly budget: Budget;
  readonly trigger: Trigger;
  readonly tokens: number;
  /** Tokens of the tool schemas, which no plan can change. */
  readonly toolTokens: number;
  readonly tools: readonly ToolSchema[];
  readonly ledger: CustomLedger;
  /** Target size in tokens. A plan must reach it if the trigger's requirement is hard. */
  readonly target: number | undefined;
  readonly focus: string | undefined;
}

interface CustomMeter {
  /** @returns tokens of each text, in the order given */
  count(texts: readonly string[]): Promise<readonly number[]>;
}

export interface CustomModel {
  readonly id: string;
  /** Tokens of prompt and reply together; undefined if unknown. */
  readonly window: number | undefined;
  /** Summarises messages of the view for a `summarise` action, by default with the user's focus. */
  summarise(messageIds: readonly string[], focus?: string): Promise<string>;
  /** Sends a prompt of the strategy to a model. @returns the text of its reply */
  prompt(prompt: CustomPrompt): Promise<string>;
}

/** Prompt of a custom strategy to a model: a string, messages, or messages followed by a string. */
export interface CustomPrompt {
  readonly instructions?: string;
  readonly text?: string;
  /** Sent as one escaped text, so that the messages cannot imitate the strategy's own words. */
  readonly messages?: readonly ChatMessage[];
  /** A model of the current provider; by default, the model that the settings name for summaries. */
  readonly model?: string;
  readonly maxOutputTokens?: number;
}

export interface CustomHit {
  readonly id: string;
  readonly text: string;
}

/** Original messages, including those that earlier compactions removed from the view. */
export interface CustomArchive {
  /** @returns text of a message; undefined for an unknown id */
  recall(id: string): Promise<string | undefined>;
  /** Finds messages with words of the query, best first. */
  search(query: string): Promise<readonly CustomHit[]>;
}

interface CustomClock {
  /** @returns milliseconds since 1970 */
  now(): Promise<number>;
}

export interface CustomPorts {
  readonly meter: CustomMeter;
  readonly model: CustomModel | undefined;
  readonly archive: CustomArchive;
  readonly clock: CustomClock;
}

/** Ports that the engine provides. The host of a custom strategy provides the others. */
export interface EnginePorts extends Pick<CustomPorts, 'meter' | 'model'> {
  /** All known messages in their original form, oldest first, followed by the summaries in the view. */
  readonly originals: readonly Message[];
}

/** A custom strategy as the engine sees it. Its host isolates the strategy and enforces the deadline. */
export interface CustomStrategy {
  /** Name for display: module and export, or the registered id. */
  readonly name: string;
  /** Returns the unchecked answer. @throws {CompactionFailure} with a `custom-` code if no answer came */
  plan(input: CustomInput, ports: EnginePorts, signal: CancellationSignal): Promise<unknown>;
}
