import { limitsOfModel } from '../../compaction/budget/model-table.ts';
import type { EncodingName } from '../../compaction/tokens/encoding.ts';
import type { Settings } from '../settings/read-settings.ts';

/** Window of the offline model where settings give none: small, so that one sees how a window fills up. */
export const offlineWindow = 32_000;

/** Which model answers, as far as it shows before anything is loaded. */
export interface ModelChoice {
  readonly isOffline: boolean;
  readonly label: string;
  /** In tokens; undefined where nobody knows it. */
  readonly window: number | undefined;
  readonly encoding: EncodingName;
}

/** Decides who answers. Automatic means the endpoint where there is a key for it, or where it is on this machine. */
export function chooseModel(settings: Settings, hasKey: boolean): ModelChoice {
  const { provider, baseUrl, model } = settings;
  const usesEndpoint = provider === 'openai' || (provider === 'auto' && (hasKey || isLocal(baseUrl)));
  if (!usesEndpoint) {
    return {
      isOffline: true,
      label: 'Offline model',
      window: settings.window ?? offlineWindow,
      encoding: 'o200k_base',
    };
  }
  const limits = limitsOfModel(model);
  return {
    isOffline: false,
    label: model,
    window: settings.window ?? limits?.window,
    encoding: limits?.encoding ?? 'o200k_base',
  };
}

function isLocal(baseUrl: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(baseUrl).hostname);
}
