import { strategySentences } from '../../language/english/strategies-english.ts';
import { CancelledError, orCancelled } from '../signals/cancellation.ts';
import { phraseOf, reasonOf } from '../records/reason.ts';
import type { Phrase, Tier } from '../records/record.ts';
import { hasNews } from '../summary/summarise.ts';
import { summaryText } from '../summary/summary-form.ts';
import {
  anchoredSources,
  isLooseMemory,
  ledgerRoom,
  memoryOption,
  stayingBesideSummary,
} from './steps/summary-sources.ts';
import { ladder } from './ladder.ts';
import { resolveOptions } from './contract/options.ts';
import { defineStrategy, planned, unchanged, type PlanResult } from './contract/strategy.ts';
import { WorkingView } from './contract/working-view.ts';
import { toModel } from '../../language/sentence.ts';

export const providerNative = defineStrategy({
  id: 'provider-native',
  description:
    "The provider's own compaction (OpenAI's `/responses/compact`). Only the provider can read its result, so it cannot be inspected; the facts and the originals stay here. *Ladder* takes over if the endpoint does not offer it.",
  needsModel: true,
  options: memoryOption,
  async plan(input, ports, signal) {
    const { view, options: chosen } = input;
    const { meter } = ports;
    const aim = (input.target ?? Math.floor(input.tokens / 2)) - input.toolTokens;
    const working = new WorkingView(input, meter);
    const sources = anchoredSources(view, stayingBesideSummary(input), aim, await working.sizes());
    if (!hasNews(sources)) {
      return unchanged(strategySentences.say('olderIsCompacted'));
    }
    const fallBackToLadder = async (phrase: Phrase): Promise<PlanResult> => {
      const tier: Tier = {
        strategy: 'provider-native',
        status: 'failed',
        reason: reasonOf('no-native-compaction', phrase),
      };
      const { options } = resolveOptions(ladder.options, { ...chosen });
      return asLadder(await ladder.plan({ ...input, options }, ports, signal), tier);
    };

    const model = ports.model();
    if (model?.compactNatively === undefined) {
      return fallBackToLadder(
        strategySentences.say('noNativeCompaction', {
          model: model?.id ?? strategySentences.say('theModel'),
        }),
      );
    }
    const current = sources.filter((message) => message.kind !== 'memory' || isLooseMemory(message, input));
    try {
      const { item, usage } = await orCancelled(model.compactNatively(current, signal), signal);
      const { summaryBody } = await import('../summary/summary-body.ts');
      const { tagSuffix, history } = input;
      const leaving = new Set(sources);
      const staying = view.filter((message) => !leaving.has(message));
      const notes = toModel`${sources.length} earlier messages were compacted by the provider into an item that cannot be inspected. recall(id) returns the originals.`;
      const { text, carried } = await summaryBody(
        { sources, staying, history, tagSuffix, notes, tokens: ledgerRoom(input.budget.window) },
        meter,
      );
      await working.summarise(
        sources.map(({ id }) => id),
        { text: summaryText(text, tagSuffix), carried },
        strategySentences.say('compactedByProvider'),
        item,
      );
      const { inputTokens = 0, outputTokens = 0 } = usage ?? {};
      return planned(
        working.plan({
          summary: { model: model.id, promptTokens: inputTokens, outputTokens, attempts: 1 },
          warnings: [strategySentences.say('providerKeepsSecret')],
        }),
      );
    } catch (error) {
      if (signal.aborted || error instanceof CancelledError) throw new CancelledError();
      return fallBackToLadder(phraseOf(error));
    }
  },
});

function asLadder(result: PlanResult, tier: Tier): PlanResult {
  if (result.kind === 'unchanged') return unchanged(result.reason, [tier, ...(result.tiers ?? [])]);
  const { plan } = result;
  return planned({ ...plan, tiers: [tier, ...(plan.tiers ?? [])], madeBy: plan.madeBy ?? ladder.id });
}
