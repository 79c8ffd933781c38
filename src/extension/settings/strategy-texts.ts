import * as vscode from 'vscode';
import { strategyTitle } from '../../language/english/strategy-titles-english.ts';
import { editorWording } from '../editor/editor-wording.ts';

let ownTitle: () => string | undefined = () => undefined;

/** Sets the function that returns the title of the configured custom strategy, or undefined if it has none. */
export function useDeclaredTitle(find: () => string | undefined): void {
  ownTitle = find;
}

/** The displayed name of a configured strategy: its id, or the title of a custom strategy. */
export function shownStrategy(id: string): string {
  return id === 'custom' ? (ownTitle() ?? id) : id;
}

/** Title of a strategy in VS Code's language; for `custom`, the title of the configured strategy. */
export function strategyTitleOf(id: string): string {
  return editorWording.text(strategyTitle(shownStrategy(id)));
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

/** The values of a setting such as `contextBudget.strategy`, in VS Code's translation of the manifest. */
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

/** Descriptions of the fields of an object setting, in VS Code's language. @param setting name with its section */
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
