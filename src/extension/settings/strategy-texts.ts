import * as vscode from 'vscode';
import type { Strategy } from '../../compaction/strategies/contract/strategy.ts';
import { strategyCatalogue } from '../../compaction/strategies/index.ts';
import { strategyTitle } from '../../language/english/strategy-titles-english.ts';
import { section } from '../../presenters/settings/general-settings.ts';
import { hostText, editorWording } from '../editor/editor-wording.ts';

interface StrategyText extends ChoiceText {
  readonly id: string;
}

let ownTitle: () => string | undefined = () => undefined;

/** Sets the function that finds the title of the configured custom strategy; undefined if that has no title. */
export function showOwnTitle(find: () => string | undefined): void {
  ownTitle = find;
}

/** The displayed name of a configured strategy: its id, or the title of a custom one. */
export function shownStrategy(id: string): string {
  return id === 'custom' ? (ownTitle() ?? id) : id;
}

/** The strategies in the order of the catalogue, in VS Code's language. */
export function strategyTexts(): readonly StrategyText[] {
  const texts = choiceTexts(`${section}.strategy`);
  const strategies: readonly Strategy[] = Object.values(strategyCatalogue);
  return strategies.map(({ id, description }) => ({
    id,
    title: editorWording.text(strategyTitle(shownStrategy(id))),
    description: texts.get(id)?.description ?? description,
  }));
}

/** The strategies as items of a picker, which marks the current one. */
export function strategyItems(current: string) {
  return strategyTexts().map(({ id, title, description }) => ({
    id,
    label: title,
    ...(id === current ? { description: hostText('current') } : {}),
    detail: description,
  }));
}

interface ChoiceText {
  readonly title: string;
  readonly description: string;
}

interface Declared {
  readonly enum?: readonly string[];
  readonly enumItemLabels?: readonly string[];
  readonly markdownEnumDescriptions?: readonly string[];
}

interface DeclaredObject extends Declared {
  readonly properties?: Readonly<Record<string, { readonly description?: string }>>;
}

interface LocalisedManifest {
  readonly contributes?: {
    readonly configuration?: readonly { readonly properties: Readonly<Record<string, DeclaredObject>> }[];
  };
}

const extensionId = 'context-budget.context-budget';

/** The values of a setting, such as `contextBudget.strategy`, in VS Code's translation of the manifest. */
export function choiceTexts(setting: string): ReadonlyMap<string, ChoiceText> {
  const {
    enum: values = [],
    enumItemLabels = [],
    markdownEnumDescriptions = [],
  } = declaredSetting(setting) ?? {};
  return new Map(
    values.map((value, index) => [
      value,
      { title: enumItemLabels[index] ?? value, description: markdownEnumDescriptions[index] ?? '' },
    ]),
  );
}

/** Descriptions of the fields of an object setting, in VS Code's language. @param setting with its section */
export function optionTexts(setting: string): Readonly<Record<string, string>> {
  const { properties = {} } = declaredSetting(setting) ?? {};
  return Object.fromEntries(
    Object.entries(properties).map(([name, { description = '' }]) => [name, description]),
  );
}

function declaredSetting(setting: string): DeclaredObject | undefined {
  const manifest = vscode.extensions.getExtension(extensionId)?.packageJSON as LocalisedManifest | undefined;
  return manifest?.contributes?.configuration
    ?.map(({ properties }) => properties[setting])
    .find((found) => found !== undefined);
}
