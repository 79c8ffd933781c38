import { presets, providerIds, type ProviderId } from '../../agent/providers/presets.ts';

/** Values of `contextBudget.provider`. */
export type ProviderName = 'auto' | ProviderId | 'vscode' | 'offline';

export interface ProviderChoice {
  readonly name: ProviderName;
  readonly title: string;
  /** One or two sentences. */
  readonly description: string;
}

/** Names of everyone who may answer. */
export const providerNames: readonly ProviderName[] = ['auto', ...providerIds, 'vscode', 'offline'];

/** Everyone who may answer, in the order in which people are asked. */
export const providerChoices: readonly ProviderChoice[] = [
  {
    name: 'auto',
    title: 'Automatic',
    description:
      'The endpoint of the base URL once an API key is set for it, or when it is on this machine; the offline model otherwise.',
  },
  ...providerIds.map((name) => ({ name, title: presets[name].title, description: presets[name].advice })),
  {
    name: 'vscode',
    title: 'VS Code',
    description:
      'The language models that other extensions bring into VS Code, for example with a GitHub Copilot plan. VS Code asks you once for leave.',
  },
  {
    name: 'offline',
    title: 'Offline model',
    description: 'The built-in model that searches and quotes your files. It needs no network.',
  },
];
