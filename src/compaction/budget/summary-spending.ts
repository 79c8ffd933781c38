import type { CompactionRecord, ModelUse } from '../records/record.ts';

/** The most that automatic compactions may spend on models in one session. */
export interface SpendingLimit {
  readonly requests?: number | undefined;
  readonly tokens?: number | undefined;
}

/** Limits what one compaction may spend on a model. */
export interface Allowance {
  readonly mayAsk: () => boolean;
  readonly left: () => SpendingLimit;
  readonly spent: (use: ModelUse) => void;
}

export const nothingUsed: ModelUse = { requests: 0, promptTokens: 0, outputTokens: 0 };

/** Adds up the requests that a session's compactions sent to models, including failed requests. */
export class SummarySpending {
  private used: ModelUse;
  private readonly limit: () => SpendingLimit;

  constructor(records: readonly CompactionRecord[], limit: () => SpendingLimit) {
    this.used = records.map(({ modelUse = nothingUsed }) => modelUse).reduce(addUse, nothingUsed);
    this.limit = limit;
  }

  /** True once no automatic compaction may ask a model. */
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

  /** Returns the allowance of one compaction, which is unlimited if the user started it. */
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
