import type { ModelFacts } from '../../compaction/budget/model-facts.ts';
import { factsOfModel } from '../../compaction/budget/model-table.ts';
import type { Settings } from '../settings/read-settings.ts';

/** Window of the offline model where settings give none: small, so that one sees how a window fills up. */
export const offlineWindow = 32_000;

/** It has no tokenizer of its own, so nothing is more right than the counter. */
const offlineModel: ModelFacts = { window: offlineWindow, encoding: 'o200k_base', isStandIn: false };

/** Which model answers and what is known of it, as far as it shows before anything is loaded. */
export interface ModelChoice extends ModelFacts {
  readonly isOffline: boolean;
  readonly label: string;
}

/** Decides who answers. Automatic means the endpoint where there is a key for it, or where it is on this machine. */
export function chooseModel(settings: Settings, hasKey: boolean): ModelChoice {
  const { provider, baseUrl, model } = settings;
  const usesEndpoint = provider === 'openai' || (provider === 'auto' && (hasKey || isLocal(baseUrl)));
  const facts = usesEndpoint ? factsOfModel(model, settings.models) : offlineModel;
  return {
    ...facts,
    window: settings.window ?? facts.window,
    isOffline: !usesEndpoint,
    label: usesEndpoint ? model : 'Offline model',
  };
}

function isLocal(baseUrl: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(baseUrl).hostname);
}
