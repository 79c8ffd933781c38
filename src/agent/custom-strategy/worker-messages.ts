import type { CustomInput } from '../../compaction/strategies/contract/custom-strategy.ts';
import type { CallReply } from '../pending-calls.ts';

/** What the process of a custom strategy and its host tell each other. All of it is plain data. */

/** What the process begins with. */
export interface WorkerStart {
  /** `file:` URL of the module. */
  readonly module: string;
  readonly exportName: string;
  readonly input: CustomInput;
  /** Undefined where there is no model. */
  readonly model?: { readonly id: string; readonly window: number | undefined } | undefined;
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

export type PortReply = CallReply;

const failureCodes = ['custom-missing', 'custom-failed', 'custom-invalid'] as const;

export interface WorkerFailure {
  readonly kind: 'failure';
  readonly code: (typeof failureCodes)[number];
  readonly message: string;
}

export interface WorkerAnswer {
  readonly kind: 'answer';
  readonly answer?: unknown;
}

export type WorkerMessage = PortCall | WorkerAnswer | WorkerFailure;

/** What a process said, where it is anything that it may say. Nothing in it but its shape is known to be right. */
export function readWorkerMessage(said: unknown): WorkerMessage | undefined {
  if (typeof said !== 'object' || said === null) return undefined;
  const { kind, id, port, parameters, code, message, answer } = said as Partial<Record<string, unknown>>;
  switch (kind) {
    case 'call': {
      const name = portNames.find((known) => known === port);
      const isCall = typeof id === 'number' && name !== undefined && Array.isArray(parameters);
      return isCall ? { kind, id, port: name, parameters } : undefined;
    }
    case 'answer':
      return { kind, answer };
    case 'failure': {
      const known = failureCodes.find((one) => one === code);
      return known !== undefined && typeof message === 'string' ? { kind, code: known, message } : undefined;
    }
    default:
      return undefined;
  }
}
