import { strategySentences } from '../../language/english/strategies-english.ts';
import type { CarriedText } from '../messages/ledger.ts';
import { CompactionFailure } from '../records/reason.ts';
import type { SummaryReport } from '../records/record.ts';
import { orCancelled, throwIfCancelled } from '../signals/cancellation.ts';
import { addReports } from '../summary/summarise.ts';
import { defineStrategy, planned, type Strategy } from './contract/strategy.ts';

export const custom: Strategy = defineStrategy({
  id: 'custom',
  description:
    'A strategy of your own: a module in a trusted workspace, or one that another extension registered. It decides what stays and must pass the same checks as every strategy; if it fails, older messages are folded without a model.',
  needsModel: false,
  options: {
    module: {
      type: 'string',
      default: '',
      description:
        'A module of the workspace and its export (`./path/file.mjs#ExportName`), or the id of a strategy that another extension registered (`publisher.extension/strategy-id`).',
    },
  },
  async plan(input, ports, signal) {
    if (ports.customStrategy === undefined) {
      throw new CompactionFailure('custom-missing', strategySentences.say('customMissing'));
    }
    throwIfCancelled(signal);
    const customStrategy = await orCancelled(ports.customStrategy(), signal);
    const { askCustom } = await import('./contract/ask-custom.ts');
    const { parseCustomPlan } = await import('./contract/parse-custom-plan.ts');
    const reports: SummaryReport[] = [];
    const written = new Map<string, CarriedText>();
    const answer = await askCustom(customStrategy, input, ports, { reports, written }, signal);
    const usages = await ports.meter.measureEach(input.view);
    const sizes = new Map(input.view.map(({ id }, index) => [id, usages[index]?.total ?? 0]));
    const result = parseCustomPlan(answer, sizes, customStrategy.name, {
      tagSuffix: input.tagSuffix,
      written,
    });
    const summary = addReports(reports);
    if (result.kind === 'unchanged' || summary === undefined) return result;
    return planned({ ...result.plan, summary });
  },
});
