import type { CustomInput } from '../../compaction/strategies/contract/custom-strategy.ts';
import type { CallReply } from '../pending-calls.ts';
import { isRecord } from '../../language/is-record.ts';

/** Messages between the process of a custom strategy and its host. All of them are plain data. */

/** Data that the process begins with. */
export interface WorkerStart {
  /** `file:` URL of the module. */
  readonly module: string;
  readonly exportName: string;
  readonly input: CustomInput;
  /** Undefined if there is no model. */
  readonly model?: { readonly id: string; readonly window: number | undefined } | undefined;
}

/** Requests that the strategy can make to its host. */
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

/** Reads a message of a process; undefined if it is none that it may send. Only the shape of it is checked. */
export function readWorkerMessage(said: unknown): WorkerMessage | undefined {
  if (!isRecord(said)) return undefined;
  const { kind, id, port, parameters, code, message, answer } = said;
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
