import type { OutsideInput } from '../../compaction/outside/outside-strategy.ts';

/** What the thread of a custom strategy and its host tell each other. All of it is plain data. */

/** What the thread begins with. */
export interface WorkerStart {
  /** `file:` URL of the module. */
  readonly module: string;
  readonly exportName: string;
  readonly input: OutsideInput;
  /** Undefined where there is no model. */
  readonly model: { readonly id: string; readonly window: number | undefined } | undefined;
}

/** What the strategy can ask its host to do. */
export const portNames = ['count', 'summarise', 'prompt', 'recall', 'search', 'now'] as const;
export type PortName = (typeof portNames)[number];

export interface PortCall {
  readonly kind: 'call';
  readonly id: number;
  readonly port: PortName;
  readonly parameters: readonly unknown[];
}

export type PortReply =
  { readonly id: number; readonly value: unknown } | { readonly id: number; readonly error: string };

export type WorkerMessage =
  | PortCall
  | { readonly kind: 'answer'; readonly answer: unknown }
  | {
      readonly kind: 'failure';
      readonly code: 'custom-missing' | 'custom-failed' | 'custom-invalid';
      readonly message: string;
    };
