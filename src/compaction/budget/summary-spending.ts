import { CompactionFailure } from '../failure.ts';
import type { CompactionRecord, ModelUse } from '../record.ts';
import type { SummaryModel, SummaryRequest } from '../summary/model.ts';
import type { ReportedUsage } from '../message.ts';
import type { UsageMeter } from '../tokens/usage.ts';

/** The most that compactions which start by themselves may spend on models in one session. */
export interface SpendingLimit {
  readonly requests?: number | undefined;
  /** Of prompts and replies together. */
  readonly tokens?: number | undefined;
}

export const nothingUsed: ModelUse = { requests: 0, promptTokens: 0, outputTokens: 0 };

/** Adds up the requests that compactions of a session made to models, also where nothing came of them. */
export class SummarySpending {
  private used: ModelUse;
  private readonly meter: () => UsageMeter;
  private readonly limit: () => SpendingLimit;

  /** @param records those of the session so far */
  constructor(records: readonly CompactionRecord[], meter: () => UsageMeter, limit: () => SpendingLimit) {
    this.used = records.map(({ modelUse = nothingUsed }) => modelUse).reduce(together, nothingUsed);
    this.meter = meter;
    this.limit = limit;
  }

  /** True once no compaction that starts by itself may ask a model. */
  get isExhausted(): boolean {
    const { requests = Infinity, tokens = Infinity } = this.limit();
    return this.used.requests >= requests || this.used.promptTokens + this.used.outputTokens >= tokens;
  }

  /** Begins the bill of one compaction. */
  bill(isManual: boolean): SummaryBill {
    return new SummaryBill(this.meter(), {
      mayAsk: () => isManual || !this.isExhausted,
      spent: (use) => {
        this.used = together(this.used, use);
      },
    });
  }
}

/** What one compaction spends on models. */
export class SummaryBill {
  private used = nothingUsed;
  private readonly meter: UsageMeter;
  private readonly session: { readonly mayAsk: () => boolean; readonly spent: (use: ModelUse) => void };

  constructor(
    meter: UsageMeter,
    session: { readonly mayAsk: () => boolean; readonly spent: (use: ModelUse) => void },
  ) {
    this.meter = meter;
    this.session = session;
  }

  get use(): ModelUse {
    return this.used;
  }

  /** The model, with each request to it put on the bill, and refused where the session has spent enough. */
  of(model: SummaryModel): SummaryModel {
    const { id, window, readsSources, continuesRequests } = model;
    const compactNatively = model.compactNatively?.bind(model);
    return {
      id,
      window,
      ...(readsSources === undefined ? {} : { readsSources }),
      ...(continuesRequests === undefined ? {} : { continuesRequests }),
      summarise: (request, signal) =>
        this.pay(
          () => model.summarise(request, signal),
          () => this.meter.countText(textOf(request)),
          ({ content }) => this.meter.countText(content),
        ),
      ...(compactNatively === undefined
        ? {}
        : {
            compactNatively: (messages, signal) =>
              this.pay(
                () => compactNatively(messages, signal),
                async () => (await this.meter.measure(messages)).total,
                () => Promise.resolve(0),
              ),
          }),
    };
  }

  /**
   * @throws {CompactionFailure} `spending-limit`, before anything is asked
   */
  private async pay<Reply extends { readonly usage?: ReportedUsage }>(
    ask: () => Promise<Reply>,
    countPrompt: () => Promise<number>,
    countReply: (reply: Reply) => Promise<number>,
  ): Promise<Reply> {
    if (!this.session.mayAsk()) {
      throw new CompactionFailure(
        'spending-limit',
        'This chat has reached its limit for automatic summaries.',
      );
    }
    // A request that fails may have been paid for, too.
    this.add({ requests: 1, promptTokens: 0, outputTokens: 0 });
    let reply: Reply | undefined;
    try {
      reply = await ask();
      return reply;
    } finally {
      const promptTokens = reply?.usage?.inputTokens ?? (await countPrompt());
      const outputTokens = reply === undefined ? 0 : (reply.usage?.outputTokens ?? (await countReply(reply)));
      this.add({ requests: 0, promptTokens, outputTokens });
    }
  }

  private add(use: ModelUse): void {
    this.used = together(this.used, use);
    this.session.spent(use);
  }
}

function textOf({ instructions, prompt }: SummaryRequest): string {
  return `${instructions}\n${prompt}`;
}

function together(a: ModelUse, b: ModelUse): ModelUse {
  return {
    requests: a.requests + b.requests,
    promptTokens: a.promptTokens + b.promptTokens,
    outputTokens: a.outputTokens + b.outputTokens,
  };
}
