import {
  CancelledError,
  orCancelled,
  throwIfCancelled,
  type CancellationSignal,
} from '../signals/cancellation.ts';
import type { CarriedText } from '../messages/ledger.ts';
import { CompactionFailure, messageOf } from '../records/reason.ts';
import { type Message, originalText, withoutOriginal } from '../messages/message.ts';
import type { CustomInput, CustomModel, CustomStrategy } from './contract/custom-strategy.ts';
import type { SummaryReport } from '../records/record.ts';
import { addReports, summarise } from '../summary/summarise.ts';
import { defineStrategy, planned, type StrategyInput, type StrategyPorts } from './contract/strategy.ts';

/** Summaries and prompts that one plan may ask for. */
export const mostRequests = 20;
/** Windows of the model that the requests of one plan may take together, prompts and replies. */
const mostWindows = 4;

export const custom = defineStrategy({
  id: 'custom',
  title: 'Custom',
  description:
    'A strategy of your own, named by `#contextBudget.customStrategy#`: a module of a trusted workspace, or one that another extension registered. What it keeps and loses is up to it, within the bar that every strategy has to pass; where it fails, older messages are folded without a model instead.',
  needsModel: false,
  options: {},
  async plan(input, ports, signal) {
    if (ports.outside === undefined) {
      throw new CompactionFailure(
        'custom-missing',
        'No custom strategy is named. The setting contextBudget.customStrategy (--custom on the command line) takes a module and its export, "./path/file.mjs#ExportName".',
      );
    }
    throwIfCancelled(signal);
    const outside = await orCancelled(ports.outside(), signal);
    const reports: SummaryReport[] = [];
    const written = new Map<string, CarriedText>();
    const answer = await ask(outside, input, ports, { reports, written }, signal);
    const usages = await ports.meter.measureEach(input.view);
    const sizes = new Map(input.view.map(({ id }, index) => [id, usages[index]?.total ?? 0]));
    // Only now, so that activation does not read it.
    const { parseCustomPlan } = await import('./contract/parse-custom-plan.ts');
    const result = parseCustomPlan(answer, sizes, outside.name, { mark: input.mark, written });
    const summary = addReports(reports);
    if (result.kind === 'unchanged' || summary === undefined) return result;
    return planned({ ...result.plan, summary });
  },
});

/** What was made for a plan on the way to it. */
interface Made {
  readonly reports: SummaryReport[];
  readonly written: Map<string, CarriedText>;
}

async function ask(
  outside: CustomStrategy,
  input: StrategyInput<unknown>,
  ports: StrategyPorts,
  made: Made,
  signal: CancellationSignal,
): Promise<unknown> {
  const known = new Set(input.history.map(({ id }) => id));
  const enginePorts = {
    meter: { count: (texts: readonly string[]) => ports.meter.countTexts(texts) },
    model: modelFor(input, ports, made, signal),
    originals: [...input.history, ...input.view.filter(({ id }) => !known.has(id))].map(asItWas),
  };
  try {
    return await orCancelled(outside.plan(plainInput(input), enginePorts, signal), signal);
  } catch (error) {
    if (signal.aborted) throw new CancelledError();
    if (error instanceof CompactionFailure) throw error;
    throw new CompactionFailure('custom-failed', `${outside.name}: ${messageOf(error)}`, { cause: error });
  }
}

/** A message with all of its text. */
function asItWas(message: Message): Message {
  if (message.original === undefined) return message;
  return { ...withoutOriginal(message), content: originalText(message) };
}

function plainInput(input: StrategyInput<unknown>): CustomInput {
  const { view, protectedIds, budget, trigger, tokens, toolTokens, tools, ledger, target, focus } = input;
  return {
    view: view.map(withoutOriginal),
    protectedIds: [...protectedIds],
    budget,
    trigger,
    tokens,
    toolTokens,
    tools,
    ledger: { ...ledger, errors: ledger.errors.map(({ text }) => text) },
    target,
    focus,
  };
}

/**
 * The model behind the summary pipeline that every strategy uses, and any model for prompts of its own. What they spend
 * is gathered for the record.
 */
function modelFor(
  input: StrategyInput<unknown>,
  ports: StrategyPorts,
  { reports, written }: Made,
  signal: CancellationSignal,
): CustomModel | undefined {
  const model = ports.model();
  if (model === undefined) return undefined;
  let asked = 0;
  const ask = () => {
    if (++asked > mostRequests) {
      throw new CompactionFailure(
        'custom-invalid',
        `One plan may ask for ${mostRequests} summaries and prompts together.`,
      );
    }
    const spent = reports.reduce((sum, report) => sum + report.promptTokens + report.outputTokens, 0);
    if (model.window !== undefined && spent > mostWindows * model.window) {
      throw new CompactionFailure(
        'custom-invalid',
        `The summaries and prompts of one plan may take ${mostWindows * model.window} tokens together.`,
      );
    }
  };
  return {
    id: model.id,
    window: model.window,
    async summarise(messageIds, focus = input.focus) {
      ask();
      const ids = new Set(messageIds);
      const sources = input.view.filter(({ id }) => ids.has(id));
      if (sources.length === 0) {
        throw new CompactionFailure('custom-invalid', 'No message of the view was named to be summarised.');
      }
      const { mark } = input;
      const { report, ...summary } = await summarise({ sources, model, focus, mark }, ports.meter, signal);
      reports.push(report);
      written.set(summary.text, summary);
      return summary.text;
    },
    async prompt(prompt) {
      ask();
      throwIfCancelled(signal);
      const { answerPrompt, readPrompt } = await import('./contract/custom-prompt.ts');
      const read = readPrompt(prompt);
      const chosen = read.model === undefined ? model : ports.model(read.model);
      if (chosen === undefined) {
        throw new CompactionFailure('no-model', `There is no model ${JSON.stringify(read.model)}.`);
      }
      return answerPrompt(read, chosen, ports.meter, (report) => reports.push(report), signal);
    },
  };
}
