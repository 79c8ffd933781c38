import * as vscode from 'vscode';
import { type DiscoveredModel, grouped } from '../../agent/providers/discovered-models.ts';
import { isLocal, isProviderId, presetAt, presets } from '../../agent/providers/presets.ts';
import { defaultBaseUrl } from '../settings/general-settings.ts';
import { endpointOf, type ProviderSettings } from './endpoint.ts';
import { providerChoices, type ProviderChoice, type ProviderName } from './provider-choices.ts';

/** A line of a list to choose from, as far as `vscode.QuickPickItem` is used. */
interface Pick {
  readonly label: string;
  readonly description: string;
  readonly detail?: string;
  readonly alwaysShow?: boolean;
}

export interface ProviderPick extends Pick {
  readonly name: ProviderName;
}

export interface ModelPick extends Pick {
  readonly model: string;
}

/**
 * Who may answer, with how things stand there.
 *
 * @param hasKey whether there is a key for an address
 */
export function providerPicks(
  settings: ProviderSettings,
  hasKey: (baseUrl: string) => boolean,
): readonly ProviderPick[] {
  return providerChoices.map(({ name, title, description }: ProviderChoice) => {
    const state = [stateOf({ ...settings, provider: name }, hasKey)];
    if (name === settings.provider) state.push(vscode.l10n.t('current'));
    return {
      name,
      label: title,
      description: state.filter((text) => text !== '').join(' · '),
      detail: description,
    };
  });
}

/** The models of a provider, and the one that was typed where none of them has that name. */
export function modelPicks(
  models: readonly DiscoveredModel[],
  current: string,
  typed: string,
): readonly ModelPick[] {
  const name = typed.trim();
  const listed = models.map(({ id, label, window }) => {
    const parts = [
      label === undefined || label === id ? '' : id,
      window === undefined ? '' : vscode.l10n.t('{0} tokens', grouped(window)),
      id === current ? vscode.l10n.t('current') : '',
    ];
    return { model: id, label: label ?? id, description: parts.filter((part) => part !== '').join(' · ') };
  });
  const isListed = listed.some(({ model }) => model === name);
  if (name === '' || isListed) return listed;
  return [
    ...listed,
    { model: name, label: vscode.l10n.t('Use “{0}”', name), description: '', alwaysShow: true },
  ];
}

/** Whether a provider is of no use at this address without a key. */
export function needsKey({ provider }: ProviderSettings, baseUrl: string): boolean {
  return isProviderId(provider) && presets[provider].needsKey && !isLocal(baseUrl);
}

/**
 * The base URL to suggest to someone who changes to another provider; undefined where there is nothing to ask,
 * because the provider's own address holds, or what is set was meant for it.
 */
export function baseUrlToAsk(settings: ProviderSettings, next: ProviderName): string | undefined {
  if (!isProviderId(next)) return undefined;
  const own = presets[next].baseUrl;
  const isSet = settings.baseUrl !== defaultBaseUrl;
  if (!isSet) return own === undefined ? '' : undefined;
  if (next === settings.provider) return undefined;
  const fits = next === 'openai' || presetAt(settings.baseUrl)?.id === next;
  return fits ? settings.baseUrl : (own ?? '');
}

function stateOf(settings: ProviderSettings, hasKey: (baseUrl: string) => boolean): string {
  const baseUrl = endpointOf(settings)?.baseUrl ?? '';
  if (!isProviderId(settings.provider)) return '';
  if (baseUrl === '') return vscode.l10n.t('needs a base URL');
  const { host } = new URL(baseUrl);
  if (hasKey(baseUrl)) return vscode.l10n.t('{0} · key set', host);
  return needsKey(settings, baseUrl) ? vscode.l10n.t('{0} · needs a key', host) : host;
}
