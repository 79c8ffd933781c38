import type { Api } from '../../agent/openai/dialect.ts';
import type { Discovery } from '../../agent/providers/discovered-models.ts';
import {
  apiFor,
  type DiscoveryDialect,
  isLocal,
  isProviderId,
  presetAt,
  presets,
  type ProviderPreset,
  takesCacheMarks,
} from '../../agent/providers/presets.ts';
import { factsOfModel, type ModelFacts } from '../../compaction/budget/model-table.ts';
import { defaultBaseUrl, type ProviderName } from '../settings/general-settings.ts';
import type { Settings } from '../settings/read-settings.ts';
import type { Phrase } from '../../compaction/records/record.ts';

/** Default window of the offline model, in tokens. It is small, so that users can watch it fill up. */
const offlineWindow = 32_000;

/** Facts about the offline model. It has no tokenizer, so any encoding counts as its own. */
const offlineModel: ModelFacts = { window: offlineWindow, encoding: 'o200k_base', isStandIn: false };

/** Facts that a provider reported about a model. */
export type FoundModel = Omit<Discovery, 'models'>;

/** The model that answers, with the facts that are known before anything is loaded. */
export interface ModelChoice extends ModelFacts {
  readonly isOffline: boolean;
  readonly label: string;
  /** True if the model's endpoint may offer its own compaction. */
  readonly compactsNatively?: boolean;
  /** Note about the model for the user: one or two sentences. */
  readonly note?: Phrase | undefined;
}

/** Chooses the model that answers. `auto` means the endpoint if it has a key or runs on this computer. */
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
    ...modelFacts(settings, settings.model, found),
    isOffline: false,
    label: found.label ?? settings.model,
    ...(endpointOf(settings)?.api === 'responses' && { compactsNatively: true }),
    note: found.note,
  };
}

/**
 * Facts about a model. The window comes from the settings, a server with its own windows, the table, or the provider.
 */
export function modelFacts(settings: ProviderSettings, model: string, found: FoundModel = {}): ModelFacts {
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

/** True if the provider may know more about the model than the settings and the model table. */
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

/** True for models of VS Code, which often have smaller windows, and for servers with their own windows. */
function setsItsOwnWindow({ provider }: ProviderSettings, endpoint: Endpoint | undefined): boolean {
  return provider === 'vscode' || endpoint?.setsItsOwnWindow === true;
}

export interface ProviderSettings extends Pick<Settings, 'baseUrl' | 'model' | 'models' | 'window'> {
  readonly provider: ProviderName;
  /** API of the endpoint; `auto` by default. */
  readonly api?: 'auto' | Api;
  /** Controls the marks on the part to cache; `auto` by default. */
  readonly cacheMarks?: Settings['cacheMarks'];
  /** Version of Azure's API; empty or absent for the API without versions. */
  readonly azureApiVersion?: string;
}

/** Address of a model over HTTP, and the API to use there. */
interface Endpoint {
  /** Address of the endpoint; empty if neither the provider nor the settings have one. */
  readonly baseUrl: string;
  readonly api: Api;
  readonly authentication: 'bearer' | 'api-key';
  readonly defaultQuery: Readonly<Record<string, string>>;
  readonly dialect: DiscoveryDialect;
  /** True if requests mark the part that the provider should cache. */
  readonly cacheMarks: boolean;
  /** True if the server sets the windows of its models, which override the table. */
  readonly setsItsOwnWindow: boolean;
}

/**
 * The endpoint that the settings select for a model, if any. A base URL in the settings is used unchanged; the
 * default value means the provider's URL. For `auto` and `openai`, a well-known address identifies the provider.
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

/** Completes the address of an Azure resource: `/openai/v1`, or the deployment for a dated version. Keeps a path. */
function azureBaseUrl(baseUrl: string, deployment: string, version: string): string {
  const { origin, pathname } = new URL(baseUrl);
  if (pathname !== '/') return baseUrl;
  const isDated = /^\d/.test(version);
  return isDated ? `${origin}/openai/deployments/${encodeURIComponent(deployment)}` : `${origin}/openai/v1`;
}
