import type { Api } from '../../agent/openai/dialect.ts';
import {
  apiFor,
  isLocal,
  isProviderId,
  presetAt,
  presets,
  takesCacheMarks,
  type DiscoveryDialect,
  type ProviderPreset,
} from '../../agent/providers/presets.ts';
import { defaultBaseUrl } from '../settings/general-settings.ts';
import type { Settings } from '../settings/read-settings.ts';
import type { ProviderName } from './provider-choices.ts';

/** The settings that say who answers. */
export interface ProviderSettings extends Pick<Settings, 'baseUrl' | 'model' | 'models' | 'window'> {
  readonly provider: ProviderName;
  /** `auto` where it is not given. */
  readonly api?: 'auto' | Api;
  /** `auto` where it is not given. */
  readonly cacheMarks?: Settings['cacheMarks'];
  /** Empty or not given for Azure's API without versions. */
  readonly azureApiVersion?: string;
}

/** Where a model is asked over HTTP, and how. */
export interface Endpoint {
  /** Empty where the provider has no address of its own and none is set. */
  readonly baseUrl: string;
  readonly api: Api;
  readonly authentication: 'bearer' | 'api-key';
  readonly defaultQuery: Readonly<Record<string, string>>;
  readonly dialect: DiscoveryDialect;
  /** Requests say what the provider is to keep in its cache. */
  readonly cacheMarks: boolean;
  /** The server runs its models with windows of its own, whatever is known of them. */
  readonly setsItsOwnWindow: boolean;
}

/**
 * The endpoint that the settings mean for a model; undefined for providers without one. A base URL that was set
 * counts, the default stands for the provider's own. `auto` and `openai` ask whatever is at the base URL, which a
 * well-known address says more of.
 */
export function endpointOf(settings: ProviderSettings, model = settings.model): Endpoint | undefined {
  const { provider, api = 'auto', cacheMarks = 'auto' } = settings;
  if (provider === 'vscode' || provider === 'offline') return undefined;
  const chosen = isProviderId(provider) && provider !== 'openai' ? presets[provider] : undefined;
  const { baseUrl, defaultQuery } = addressOf(settings, chosen, model);
  const preset = chosen ?? presetAt(baseUrl);
  return {
    baseUrl,
    api: api === 'auto' ? (baseUrl === '' ? 'chat' : apiFor(baseUrl, model)) : api,
    authentication: chosen?.authentication ?? 'bearer',
    defaultQuery,
    dialect: preset?.discovery ?? 'models',
    cacheMarks: cacheMarks === 'auto' ? takesCacheMarks(preset, baseUrl, model) : cacheMarks === 'on',
    setsItsOwnWindow: preset?.setsItsOwnWindow === true || (baseUrl !== '' && isLocal(baseUrl)),
  };
}

function addressOf(
  { baseUrl: set, azureApiVersion = '' }: ProviderSettings,
  chosen: ProviderPreset | undefined,
  model: string,
): Pick<Endpoint, 'baseUrl' | 'defaultQuery'> {
  const baseUrl = chosen !== undefined && set === defaultBaseUrl ? (chosen.baseUrl ?? '') : set;
  if (chosen?.id !== 'azure' || baseUrl === '') return { baseUrl, defaultQuery: {} };
  return {
    baseUrl: azureBaseUrl(baseUrl, model, azureApiVersion),
    defaultQuery: azureApiVersion === '' ? {} : { 'api-version': azureApiVersion },
  };
}

/**
 * The address of a resource, completed: Azure's current API stands below `/openai/v1`, its dated versions below the
 * deployment. Where a path is given it counts.
 */
function azureBaseUrl(baseUrl: string, deployment: string, version: string): string {
  const { origin, pathname } = new URL(baseUrl);
  if (pathname !== '/') return baseUrl;
  const isDated = /^\d/.test(version);
  return isDated ? `${origin}/openai/deployments/${encodeURIComponent(deployment)}` : `${origin}/openai/v1`;
}
