import { phraseText } from '../../compaction/records/reason.ts';
import * as vscode from 'vscode';
import { baseUrlAdvice, baseUrlProblem } from '../../agent/network/base-url.ts';
import type { DiscoveredModel } from '../../agent/providers/discovered-models.ts';
import { isLocal, isProviderId, presetAt, presets } from '../../agent/providers/presets.ts';
import { endpointOf, type ProviderSettings } from '../../presenters/models/model-choice.ts';
import { defaultBaseUrl, type ProviderName, section } from '../../presenters/settings/general-settings.ts';
import { type ProviderChoice, providerChoices } from '../../presenters/settings/setting-texts.ts';
import { writeSetting } from '../settings/editor-settings.ts';
import { choiceTexts } from '../settings/strategy-texts.ts';
import type { ApiKeys } from './endpoint-access.ts';
import { editorWording, hostText } from '../editor/editor-wording.ts';
import type { ModelProvider } from './model-provider.ts';

/**
 * Asks for a provider, a missing address or key, and a model. Writes the settings after the last answer; only a key
 * is stored earlier.
 */
export async function selectModel(
  provider: Pick<ModelProvider, 'discover' | 'change' | 'mayConnect'>,
  keys: ApiKeys,
  settings: () => ProviderSettings,
): Promise<void> {
  const current = settings();
  const name = await pickProvider(keys, current);
  if (name === undefined) return;
  const baseUrl = await askForBaseUrl(current, name);
  if (baseUrl === undefined) return;
  const next: ProviderSettings = { ...current, provider: name, baseUrl };
  const address = endpointOf(next)?.baseUrl ?? '';
  if (!(await provider.mayConnect(address))) return;
  if (address !== '' && needsKey(next, address) && (await keys.get(address)) === undefined) {
    if (!(await askForKey(keys, address))) return;
  }
  const model = name === 'offline' ? current.model : await pickModel(provider, next);
  if (model === undefined) return;
  await provider.change(() => write(current, { ...next, model }));
}

async function pickProvider(keys: ApiKeys, current: ProviderSettings): Promise<ProviderName | undefined> {
  const addresses = providerChoices.flatMap(
    ({ name }) => endpointOf({ ...current, provider: name })?.baseUrl || [],
  );
  const known = await Promise.all(
    addresses.map(async (baseUrl) => ((await keys.get(baseUrl)) === undefined ? [] : [baseUrl])),
  );
  const withKey = new Set(known.flat());
  const texts = choiceTexts(`${section}.provider`);
  const picks = providerPicks(current, (baseUrl) => withKey.has(baseUrl)).map((pick) => {
    const text = texts.get(pick.name);
    return text === undefined ? pick : { ...pick, label: text.title, detail: text.description };
  });
  const picked = await vscode.window.showQuickPick(picks, {
    title: hostText('modelProvider'),
    placeHolder: hostText('whoAnswers'),
    matchOnDescription: true,
  });
  return picked?.name;
}

/** Asks for the base URL; undefined if the user cancels. */
async function askForBaseUrl(current: ProviderSettings, name: ProviderName): Promise<string | undefined> {
  const suggested = baseUrlToAsk(current, name);
  if (suggested === undefined) return current.baseUrl;
  const example = name === 'azure' ? 'https://NAME.openai.azure.com' : 'https://example.com/v1';
  const answer = await vscode.window.showInputBox({
    title: hostText('baseUrlOf', { provider: isProviderId(name) ? presets[name].title : name }),
    prompt: hostText('baseUrlHint'),
    value: suggested,
    placeHolder: example,
    ignoreFocusOut: true,
    validateInput: (value) => {
      const problem = baseUrlProblem(value.trim());
      if (problem === 'no-url' || problem === 'scheme') return hostText('baseUrlForm', { example });
      return problem === undefined ? undefined : editorWording.text(baseUrlAdvice[problem]);
    },
  });
  return answer?.trim();
}

/** Lists the provider's models when they have arrived. The user can also type a name. */
async function pickModel(
  provider: Pick<ModelProvider, 'discover'>,
  next: ProviderSettings,
): Promise<string | undefined> {
  const pick = vscode.window.createQuickPick<ModelPick>();
  pick.title = hostText('model');
  pick.placeholder = hostText('askingForModels');
  pick.matchOnDescription = true;
  pick.busy = true;
  let models: Parameters<typeof modelPicks>[0] = [];
  const list = () => (pick.items = modelPicks(models, next.model, pick.value));
  pick.onDidChangeValue(list);
  pick.show();
  const picked = new Promise<string | undefined>((resolve) => {
    pick.onDidAccept(() => {
      resolve(pick.selectedItems[0]?.model);
      pick.hide();
    });
    pick.onDidHide(() => resolve(undefined));
  });
  try {
    const found = await Promise.race([provider.discover(next, next.model), picked.then(() => undefined)]);
    if (found !== undefined) {
      const isProblem = 'problem' in found;
      models = isProblem ? [] : found.models;
      const hint = models.length === 0 ? hostText('typeModelName') : hostText('modelHint');
      pick.placeholder = isProblem
        ? hostText('typeModelNameInstead', { problem: phraseText(found.message, editorWording) })
        : hint;
      pick.busy = false;
      list();
    }
    return await picked;
  } finally {
    pick.dispose();
  }
}

async function write(current: ProviderSettings, next: ProviderSettings): Promise<void> {
  if (next.baseUrl !== current.baseUrl) {
    const own = isProviderId(next.provider) ? presets[next.provider].baseUrl : undefined;
    const value = next.baseUrl === own ? undefined : next.baseUrl;
    const configuration = vscode.workspace.getConfiguration(section);
    await configuration.update('baseUrl', value, vscode.ConfigurationTarget.Global);
  }
  await writeSetting('model', next.model);
  await writeSetting('provider', next.provider);
}

/** An item of a picker: the part of `vscode.QuickPickItem` that we use. */
interface ListedPick {
  readonly label: string;
  readonly description: string;
  readonly detail?: string;
  readonly alwaysShow?: boolean;
}

interface ProviderPick extends ListedPick {
  readonly name: ProviderName;
}

interface ModelPick extends ListedPick {
  readonly model: string;
}

/** The available providers and their states. @param hasKey true if there is a key for an address */
export function providerPicks(
  settings: ProviderSettings,
  hasKey: (baseUrl: string) => boolean,
): readonly ProviderPick[] {
  return providerChoices.map(({ name, title, description }: ProviderChoice) => {
    const state = [stateOf({ ...settings, provider: name }, hasKey)];
    if (name === settings.provider) state.push(hostText('current'));
    return {
      name,
      label: title,
      description: state.filter((text) => text !== '').join(' · '),
      detail: description,
    };
  });
}

/** The models of a provider, and the typed name if no model has that name. */
export function modelPicks(
  models: readonly DiscoveredModel[],
  current: string,
  typed: string,
): readonly ModelPick[] {
  const name = typed.trim();
  const listed = models.map(({ id, label, window }) => {
    const parts = [
      label === undefined || label === id ? '' : id,
      window === undefined ? '' : hostText('tokenCount', { count: window }),
      id === current ? hostText('current') : '',
    ];
    return { model: id, label: label ?? id, description: parts.filter((part) => part !== '').join(' · ') };
  });
  const isListed = listed.some(({ model }) => model === name);
  if (name === '' || isListed) return listed;
  return [
    ...listed,
    { model: name, label: hostText('useTyped', { name }), description: '', alwaysShow: true },
  ];
}

/** True if a provider requires a key at this address. */
function needsKey({ provider }: ProviderSettings, baseUrl: string): boolean {
  return isProviderId(provider) && presets[provider].needsKey && !isLocal(baseUrl);
}

/** The base URL to suggest for a provider; undefined if the provider's own or the current address is used. */
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
  if (baseUrl === '') return hostText('needsBaseUrl');
  const { host } = new URL(baseUrl);
  if (hasKey(baseUrl)) return hostText('hostWithKey', { host });
  return needsKey(settings, baseUrl) ? hostText('hostNeedsKey', { host }) : host;
}

/** Asks for the API key of an address and stores it. @returns false if the user cancels */
export async function askForKey(keys: ApiKeys, baseUrl: string): Promise<boolean> {
  const { host } = new URL(baseUrl);
  const key = await vscode.window.showInputBox({
    title: hostText('apiKeyFor', { host }),
    prompt: hostText('apiKeyKept', { host }),
    password: true,
    ignoreFocusOut: true,
    validateInput: (value) => (/\s/.test(value.trim()) ? hostText('apiKeyForm') : undefined),
  });
  if (key === undefined || key.trim() === '') return false;
  await keys.set(baseUrl, key.trim());
  return true;
}
