import type { CompactionRecord, ModelUse } from '../records/record.ts';

/** The most that compactions which start by themselves may spend on models in one session. */
export interface SpendingLimit {
  readonly requests?: number | undefined;
  /** Of prompts and replies together. */
  readonly tokens?: number | undefined;
}

/** Spending of one compaction: permission to call the model, and the account it is charged to. */
export interface Allowance {
  /** Asked before each request to a model. */
  readonly mayAsk: () => boolean;
  /** The most that it may spend from now on. */
  readonly left: () => SpendingLimit;
  readonly spent: (use: ModelUse) => void;
}

export const nothingUsed: ModelUse = { requests: 0, promptTokens: 0, outputTokens: 0 };

/** Adds up the requests that compactions of a session made to models, also if nothing came of them. */
export class SummarySpending {
  private used: ModelUse;
  private readonly limit: () => SpendingLimit;

  /** @param records those of the session so far */
  constructor(records: readonly CompactionRecord[], limit: () => SpendingLimit) {
    this.used = records.map(({ modelUse = nothingUsed }) => modelUse).reduce(addUse, nothingUsed);
    this.limit = limit;
  }

  /** True once no compaction that starts by itself may ask a model. */
  get isExhausted(): boolean {
    const { requests = Infinity, tokens = Infinity } = this.limit();
    return this.used.requests >= requests || this.used.promptTokens + this.used.outputTokens >= tokens;
  }

  private get left(): SpendingLimit {
    const { requests, tokens } = this.limit();
    return {
      ...(requests === undefined ? {} : { requests: requests - this.used.requests }),
      ...(tokens === undefined ? {} : { tokens: tokens - this.used.promptTokens - this.used.outputTokens }),
    };
  }

  /** For one compaction. One that a person asked for has no limit. */
  allowance(isManual: boolean): Allowance {
    return {
      mayAsk: () => isManual || !this.isExhausted,
      left: () => (isManual ? {} : this.left),
      spent: (use) => {
        this.used = addUse(this.used, use);
      },
    };
  }
}

export function addUse(a: ModelUse, b: ModelUse): ModelUse {
  return {
    requests: a.requests + b.requests,
    promptTokens: a.promptTokens + b.promptTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  };
}
