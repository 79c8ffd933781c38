import type { Budget } from '../../budget/budget.ts';
import type { CancellationSignal } from '../../signals/cancellation.ts';
import type { Ledger } from '../../messages/ledger.ts';
import type { ChatMessage, Message, ToolSchema } from '../../messages/message.ts';
import type { Trigger } from '../../records/record.ts';

/**
 * The contract of a strategy that is not part of this project: a module of the workspace, or another extension. It
 * sees plain data only and reaches everything else through promises, so that it can run in a process of its own.
 */

/** Facts of the whole history, with the lines of errors as plain texts. */
type CustomLedger = Omit<Ledger, 'errors'> & { readonly errors: readonly string[] };

/** Input that a custom strategy decides on: frozen plain data, a copy of its own. */
export interface CustomInput {
  /** Messages that would be sent now; valid for a strict endpoint. */
  readonly view: readonly Message[];
  /** Messages that have to stay as they are. */
  readonly protectedIds: readonly string[];
  readonly budget: Budget;
  readonly trigger: Trigger;
  /** Size of the view and the tool schemas, in tokens. */
  readonly tokens: number;
  /** Of these, the tool schemas, which no plan can change. */
  readonly toolTokens: number;
  readonly tools: readonly ToolSchema[];
  readonly ledger: CustomLedger;
  /** Size to come down to, in tokens. Binding if the trigger's requirement is hard. */
  readonly target: number | undefined;
  /** Instructions from a person on what to keep in mind. */
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
  /**
   * Has the model summarise messages of the view, checks what it wrote and adds the facts that it left out.
   *
   * @param focus what the summary should pay attention to; what the person asked for if not given
   * @returns text for a `summarise` action
   */
  summarise(messageIds: readonly string[], focus?: string): Promise<string>;
  /** Has a model answer a prompt of the strategy's own. @returns the text of its reply */
  prompt(prompt: CustomPrompt): Promise<string>;
}

/** Prompt of a custom strategy to a model: a string, messages, or messages followed by a string. */
export interface CustomPrompt {
  /** The system message. */
  readonly instructions?: string;
  readonly text?: string;
  /** Sent as one text, with everything in them escaped, so that nothing in them passes for the strategy's own words. */
  readonly messages?: readonly ChatMessage[];
  /** A model of the current provider; by default the one that settings choose for summaries. */
  readonly model?: string;
  /** Tokens the reply may take. */
  readonly maxOutputTokens?: number;
}

/** An original that a search found. */
export interface CustomHit {
  readonly id: string;
  readonly text: string;
}

/** The original messages, including those that earlier compactions removed from the view. */
export interface CustomArchive {
  /** The text of a message; undefined if there is no such message. */
  recall(id: string): Promise<string | undefined>;
  /** Messages that hold words of the query, best first. */
  search(query: string): Promise<readonly CustomHit[]>;
}

interface CustomClock {
  /** Milliseconds since 1970. */
  now(): Promise<number>;
}

/** Services that a custom strategy may use. */
export interface CustomPorts {
  readonly meter: CustomMeter;
  /** Undefined if there is no model. */
  readonly model: CustomModel | undefined;
  readonly archive: CustomArchive;
  readonly clock: CustomClock;
}

/** Ports that the engine provides; the host of a custom strategy makes the others. */
export interface EnginePorts extends Pick<CustomPorts, 'meter' | 'model'> {
  /** Every message that is known, in its original form, oldest first; summaries in the view are the last ones. */
  readonly originals: readonly Message[];
}

/** A custom strategy as seen by the engine. Its host enforces the deadline and isolates it. */
export interface CustomStrategy {
  /** Name used in messages: the module and its export, or the id it was registered under. */
  readonly name: string;
  /**
   * @returns what the strategy answered, unchecked
   * @throws {CompactionFailure} with a `custom-` code if it gave no answer
   */
  plan(input: CustomInput, ports: EnginePorts, signal: CancellationSignal): Promise<unknown>;
}
