import type { Discovery } from '../../agent/providers/discovered-models.ts';
import { isLocal } from '../../agent/providers/presets.ts';
import type { ModelFacts } from '../../compaction/budget/model-facts.ts';
import { factsOfModel } from '../../compaction/budget/model-table.ts';
import { endpointOf, type Endpoint, type ProviderSettings } from './endpoint.ts';

/** Window of the offline model where settings give none: small, so that one sees how a window fills up. */
export const offlineWindow = 32_000;

/** It has no tokenizer of its own, so nothing is more right than the counter. */
const offlineModel: ModelFacts = { window: offlineWindow, encoding: 'o200k_base', isStandIn: false };

/** What was found out of one model. */
export type FoundModel = Omit<Discovery, 'models'>;

/** Which model answers and what is known of it, as far as it shows before anything is loaded. */
export interface ModelChoice extends ModelFacts {
  readonly isOffline: boolean;
  readonly label: string;
  /** What a person should know of it, a sentence or two. */
  readonly note?: string | undefined;
}

/**
 * Decides who answers. Automatic means the endpoint where there is a key for it, or where it is on this machine.
 *
 * @param found what the provider said of the model, as far as it was asked
 */
export function chooseModel(
  settings: ProviderSettings,
  hasKey: boolean,
  found: FoundModel = {},
): ModelChoice {
  if (isOffline(settings, hasKey)) {
    const window = settings.window ?? offlineModel.window;
    return { ...offlineModel, window, isOffline: true, label: 'Offline model' };
  }
  return {
    ...factsOf(settings, settings.model, found),
    isOffline: false,
    label: found.label ?? settings.model,
    note: found.note,
  };
}

/**
 * What is known of a model of the provider's. The window of the settings counts first. Then what a server says that
 * runs models with windows of its own, then the table, and at last what any other provider says.
 */
export function factsOf(settings: ProviderSettings, model: string, found: FoundModel = {}): ModelFacts {
  const known = factsOfModel(model, settings.models);
  const isSet = known.window !== factsOfModel(model).window;
  const setsItsOwn = setsItsOwnWindow(settings, endpointOf(settings, model));
  const ownWindow = found.window ?? (found.isUnsettled === true ? undefined : known.window);
  const window = setsItsOwn && !isSet ? ownWindow : (known.window ?? found.window);
  return {
    ...known,
    window: settings.window ?? window,
    maxOutput: known.maxOutput ?? found.maxOutput,
  };
}

/** Whether asking the provider can tell anything that the settings and the table do not. */
export function isWorthAsking(settings: ProviderSettings, model: string): boolean {
  const endpoint = endpointOf(settings, model);
  if (endpoint?.baseUrl === '' || endpoint?.dialect === 'none' || settings.provider === 'offline')
    return false;
  const isKnown = settings.window !== undefined || factsOfModel(model, settings.models).window !== undefined;
  return settings.provider === 'vscode' || !isKnown || setsItsOwnWindow(settings, endpoint);
}

export function isOffline(settings: ProviderSettings, hasKey: boolean): boolean {
  const { provider, baseUrl } = settings;
  return provider === 'offline' || (provider === 'auto' && !hasKey && !isLocal(baseUrl));
}

/** VS Code's extensions offer models with less than these have elsewhere. */
function setsItsOwnWindow({ provider }: ProviderSettings, endpoint: Endpoint | undefined): boolean {
  return provider === 'vscode' || endpoint?.setsItsOwnWindow === true;
}
