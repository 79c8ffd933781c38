import { customSentences } from '../../../language/english/custom-english.ts';
import { strategySentences } from '../../../language/english/strategies-english.ts';
import { extractLedger } from '../../ledger/extract.ts';
import type { CarriedText } from '../../messages/ledger.ts';
import { type Message, originalText, withoutOriginal } from '../../messages/message.ts';
import { CompactionFailure, phraseOf } from '../../records/reason.ts';
import type { Phrase, SummaryReport } from '../../records/record.ts';
import {
  CancelledError,
  type CancellationSignal,
  orCancelled,
  throwIfCancelled,
} from '../../signals/cancellation.ts';
import { summarise } from '../../summary/summarise.ts';
import { answerPrompt, readPrompt } from './custom-prompt.ts';
import type { CustomInput, CustomModel, CustomStrategy } from './custom-strategy.ts';
import type { StrategyInput, StrategyPorts } from './strategy.ts';

export const mostRequests = 20;
/** Maximum tokens of all prompts and replies of one plan, as a multiple of the model's window. */
const mostWindows = 4;

interface Made {
  readonly reports: SummaryReport[];
  readonly written: Map<string, CarriedText>;
}

/** Asks a custom strategy for a plan, through ports that enforce the limits. @returns the unchecked answer */
export async function askCustom(
  customStrategy: CustomStrategy,
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
    return await orCancelled(customStrategy.plan(plainInput(input), enginePorts, signal), signal);
  } catch (error) {
    if (signal.aborted) throw new CancelledError();
    if (error instanceof CompactionFailure) throw error;
    const sentence = customSentences.say('named', { name: customStrategy.name, problem: phraseOf(error) });
    throw new CompactionFailure('custom-failed', sentence, { cause: error });
  }
}

function asItWas(message: Message): Message {
  if (message.original === undefined) return message;
  return { ...withoutOriginal(message), content: originalText(message) };
}

function plainInput(input: StrategyInput<unknown>): CustomInput {
  const { view, protectedIds, budget, trigger, tokens, toolTokens, tools, target, focus } = input;
  const ledger = extractLedger(input.history);
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

/** Returns the model port, for summaries and for the strategy's own prompts. Collects the spending. */
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
      throw invalid(customSentences.say('tooManyRequests', { most: mostRequests }));
    }
    const spent = reports.reduce((sum, report) => sum + report.promptTokens + report.outputTokens, 0);
    if (model.window !== undefined && spent > mostWindows * model.window) {
      throw invalid(strategySentences.say('customAsksTooMuch', { most: mostWindows * model.window }));
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
        throw invalid(strategySentences.say('customNamesNoMessage'));
      }
      const { tagSuffix, history } = input;
      const task = { sources, model, focus, tagSuffix, history };
      const { report, ...summary } = await summarise(task, ports.meter, signal);
      reports.push(report);
      written.set(summary.text, summary);
      return summary.text;
    },
    async prompt(prompt) {
      ask();
      throwIfCancelled(signal);
      const read = readPrompt(prompt);
      const chosen = read.model === undefined ? model : ports.model(read.model);
      if (chosen === undefined) {
        throw new CompactionFailure(
          'no-model',
          strategySentences.say('noSuchModel', { model: JSON.stringify(read.model) }),
        );
      }
      return answerPrompt(read, chosen, ports.meter, (report) => reports.push(report), signal);
    },
  };
}

function invalid(phrase: Phrase): CompactionFailure {
  return new CompactionFailure('custom-invalid', phrase);
}
