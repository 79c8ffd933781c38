import * as vscode from 'vscode';
import { baseUrlAdvice, baseUrlProblem } from '../../agent/network/base-url.ts';
import { presets, isProviderId } from '../../agent/providers/presets.ts';
import { inEditorLanguage } from '../language/in-editor-language.ts';
import { choiceTexts } from '../settings/choice-texts.ts';
import { section } from '../settings/configuration.ts';
import { writeSetting } from '../settings/write-setting.ts';
import type { ApiKeys } from './api-keys.ts';
import { askForKey } from './ask-for-key.ts';
import { endpointOf, type ProviderSettings } from './endpoint.ts';
import { baseUrlToAsk, modelPicks, needsKey, providerPicks, type ModelPick } from './model-picks.ts';
import type { ModelProvider } from './model-provider.ts';
import { providerChoices, type ProviderName } from './provider-choices.ts';

/**
 * Asks who is to answer, for what is missing to reach them, and for one of their models. Sets provider and model in
 * the workspace where there is one; the base URL is a setting of the machine. Nothing but a key is kept of what was
 * answered before the last question.
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
    title: vscode.l10n.t('Model: Provider'),
    placeHolder: vscode.l10n.t('Who answers in the chat'),
    matchOnDescription: true,
  });
  return picked?.name;
}

/** The base URL to go on with; undefined where the person left it. */
async function askForBaseUrl(current: ProviderSettings, name: ProviderName): Promise<string | undefined> {
  const suggested = baseUrlToAsk(current, name);
  if (suggested === undefined) return current.baseUrl;
  const example = name === 'azure' ? 'https://NAME.openai.azure.com' : 'https://example.com/v1';
  const answer = await vscode.window.showInputBox({
    title: vscode.l10n.t('Base URL of {0}', isProviderId(name) ? presets[name].title : name),
    prompt: vscode.l10n.t('Where its models are asked. A workspace cannot change it.'),
    value: suggested,
    placeHolder: example,
    ignoreFocusOut: true,
    validateInput: (value) => {
      const problem = baseUrlProblem(value.trim());
      if (problem === 'no-url' || problem === 'scheme')
        return vscode.l10n.t('A URL that starts with http:// or https://, for example {0}.', example);
      return problem === undefined ? undefined : inEditorLanguage(baseUrlAdvice[problem]);
    },
  });
  return answer?.trim();
}

/** Shows the models as soon as the provider has told them; any other name can be typed. */
async function pickModel(
  provider: Pick<ModelProvider, 'discover'>,
  next: ProviderSettings,
): Promise<string | undefined> {
  const pick = vscode.window.createQuickPick<ModelPick>();
  pick.title = vscode.l10n.t('Model');
  pick.placeholder = vscode.l10n.t('Asking for the models…');
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
      const hint =
        models.length === 0
          ? vscode.l10n.t('Type the name of a model')
          : vscode.l10n.t('Which model answers; any other name can be typed');
      pick.placeholder = isProblem
        ? vscode.l10n.t('{0} Type the name of a model.', inEditorLanguage(found.message))
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
