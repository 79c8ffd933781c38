import { engineSentences } from '../../language/english/engine-english.ts';
import { addUse, nothingUsed, type Allowance } from '../budget/summary-spending.ts';
import { CancelledError, type CancellationSignal } from '../signals/cancellation.ts';
import { compact, type CompactionPorts, type CompactionRecords, type CompactionRequest } from './compact.ts';
import { CompactionFailure } from '../records/reason.ts';
import type { ReportedUsage } from '../messages/message.ts';
import type { PlanningPhase } from '../records/phase.ts';
import type { ModelUse } from '../records/record.ts';
import { type SummaryModel, wrappedModel } from '../summary/summary-model.ts';
import type { UsageMeter } from '../tokens/usage.ts';

/** Runs a compaction, reports its phases, and adds its spending on models to its last record. */
export async function compactBilled(
  request: CompactionRequest,
  ports: CompactionPorts,
  allowance: Allowance,
  signal: CancellationSignal,
): Promise<CompactionRecords> {
  const bill = new SummaryBill(ports.meter, allowance);
  const { tell = () => {} } = ports;
  const records = await compact(
    request,
    {
      ...ports,
      model(name) {
        const model = ports.model(name);
        return model === undefined ? undefined : toldModel(bill.of(model), tell);
      },
    },
    signal,
  );
  return withBill(records, bill);
}

export class SummaryBill {
  private used = nothingUsed;
  private readonly meter: UsageMeter;
  private readonly allowance: Allowance;

  constructor(meter: UsageMeter, allowance: Allowance) {
    this.meter = meter;
    this.allowance = allowance;
  }

  get use(): ModelUse {
    return this.used;
  }

  /** Wraps a model so that every request is billed, or refused once the session has reached its spending limit. */
  of(model: SummaryModel): SummaryModel {
    return wrappedModel(
      model,
      (request, signal) =>
        this.pay(
          () => model.summarise(request, signal),
          () => this.meter.countText(`${request.instructions}\n${request.prompt}`),
          ({ content }) => this.meter.countText(content),
        ),
      (native) => (messages, signal) =>
        this.pay(
          () => native(messages, signal),
          async () => (await this.meter.measure(messages)).total,
          () => Promise.resolve(0),
        ),
    );
  }

  /** @throws {CompactionFailure} `spending-limit`, before the request is sent */
  private async pay<Reply extends { readonly usage?: ReportedUsage }>(
    ask: () => Promise<Reply>,
    countPrompt: () => Promise<number>,
    countReply: (reply: Reply) => Promise<number>,
  ): Promise<Reply> {
    if (!this.allowance.mayAsk()) {
      throw new CompactionFailure('spending-limit', engineSentences.say('spendingLimitReached'));
    }
    // A failed request may also have cost something.
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
    this.used = addUse(this.used, use);
    this.allowance.spent(use);
  }
}

function withBill(records: CompactionRecords, { use }: SummaryBill): CompactionRecords {
  const [first, ...others] = records;
  if (use.requests === 0) return records;
  const last = others.pop();
  return last === undefined ? [{ ...first, modelUse: use }] : [first, ...others, { ...last, modelUse: use }];
}

function toldModel(model: SummaryModel, tell: (phase: PlanningPhase) => void): SummaryModel {
  const { id } = model;
  const watch = async <Reply extends { readonly usage?: ReportedUsage }>(
    asked: () => Promise<Reply>,
    signal: CancellationSignal,
  ): Promise<Reply> => {
    tell({ phase: 'summary-start', model: id });
    try {
      const reply = await asked();
      const { usage } = reply;
      tell({
        phase: 'summary-end',
        model: id,
        outcome: 'replied',
        ...(usage === undefined ? {} : { promptTokens: usage.inputTokens, outputTokens: usage.outputTokens }),
      });
      return reply;
    } catch (error) {
      const isCancelled = signal.aborted || error instanceof CancelledError;
      tell({ phase: 'summary-end', model: id, outcome: isCancelled ? 'cancelled' : 'failed' });
      throw error;
    }
  };
  return wrappedModel(
    model,
    (request, signal) => watch(() => model.summarise(request, signal), signal),
    (native) => (messages, signal) => watch(() => native(messages, signal), signal),
  );
}
