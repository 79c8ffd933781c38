import type { SummaryModel } from '../../compaction/summary/model.ts';

/**
 * A model that summarises for a chat with another one. It cannot continue the chat's requests, because the cached
 * prefix is the other model's; and the provider's own compaction stays with the chat's model, which has to read what
 * it leaves.
 */
export function summaryModelBeside(chat: SummaryModel, model: SummaryModel): SummaryModel {
  const compactNatively = chat.compactNatively?.bind(chat);
  return {
    id: model.id,
    window: model.window,
    summarise: (request, signal) => model.summarise(request, signal),
    ...(compactNatively === undefined ? {} : { compactNatively }),
  };
}
