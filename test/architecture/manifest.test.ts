import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { commandIds, viewIds } from '../../src/extension/ids.ts';
import {
  restrictedSettings,
  section,
  settingCategories,
} from '../../src/extension/settings/configuration.ts';
import { strategyIds } from '../../src/compaction/strategies/index.ts';

interface Manifest {
  readonly contributes: {
    readonly commands: readonly { readonly command: string; readonly category: string }[];
    readonly views: Readonly<Record<string, readonly { readonly id: string }[]>>;
    readonly configuration: readonly {
      readonly properties: Readonly<
        Record<string, { readonly scope: string; readonly enum?: readonly string[] }>
      >;
    }[];
  };
  readonly activationEvents: readonly string[];
  readonly capabilities: {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
  };
}

const manifest = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as Manifest;
const properties = Object.assign(
  {},
  ...manifest.contributes.configuration.map((category) => category.properties),
) as Manifest['contributes']['configuration'][number]['properties'];

describe('package.json', () => {
  it('declares the settings that follow from the catalogue (npm run manifest writes them)', () => {
    expect(manifest.contributes.configuration).toEqual(JSON.parse(JSON.stringify(settingCategories)));
    expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations).toEqual(restrictedSettings);
  });

  it('offers every strategy, and lets a workspace choose', () => {
    expect(properties[`${section}.strategy`]?.enum).toEqual(strategyIds);
    expect(properties[`${section}.strategy`]?.scope).toBe('window');
  });

  it('does not let a workspace redirect the key', () => {
    expect(properties[`${section}.baseUrl`]?.scope).toBe('machine');
  });

  it('declares the commands that the code registers', () => {
    const declared = manifest.contributes.commands.map(({ command }) => command);
    expect(declared.toSorted()).toEqual(Object.values(commandIds).toSorted());
    expect(new Set(manifest.contributes.commands.map(({ category }) => category))).toEqual(
      new Set(['Context Budget']),
    );
  });

  it('declares the views, and is activated by nothing but them', () => {
    expect(
      Object.values(manifest.contributes.views)
        .flat()
        .map(({ id }) => id),
    ).toEqual([viewIds.chat]);
    expect(manifest.activationEvents).toEqual([`onWebviewPanel:${viewIds.inspector}`]);
  });
});
