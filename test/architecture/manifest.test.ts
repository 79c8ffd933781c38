import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { toolDeclarations } from '../../src/bridge/server/tool-declarations.ts';
import { withKeys, type Manifest as KeyedManifest, type Texts } from '../../scripts/build/manifest-texts.ts';
import { commandIds, viewIds } from '../../src/extension/editor/ids.ts';
import { restrictedSettings, settingCategories } from '../../src/presenters/settings/configuration.ts';
import { section } from '../../src/presenters/settings/general-settings.ts';
import { strategyIds } from '../../src/compaction/strategies/index.ts';

interface Manifest extends KeyedManifest {
  readonly activationEvents: readonly string[];
  readonly capabilities: KeyedManifest['capabilities'] & {
    readonly untrustedWorkspaces: { readonly restrictedConfigurations: readonly string[] };
  };
}

interface DeclaredSetting {
  readonly scope: string;
  readonly enum?: readonly string[];
}

const manifest = parse('package.json') as Manifest;
const texts = parse('package.nls.json') as Texts;
const properties = Object.assign(
  {},
  ...manifest.contributes.configuration.map((category) => category.properties),
) as Readonly<Record<string, DeclaredSetting>>;

function parse(path: string): unknown {
  return JSON.parse(readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8'));
}

describe('package.json', () => {
  it('declares the settings and tools of the sources (npm run manifest writes them)', () => {
    const { contributes } = manifest;
    const whole = {
      ...manifest,
      contributes: {
        ...contributes,
        configuration: settingCategories,
        languageModelTools: toolDeclarations(),
      },
    };
    const written = withKeys(whole, texts);
    expect(manifest).toEqual(JSON.parse(JSON.stringify(written.manifest)));
    expect(texts).toEqual(written.texts);
    expect(manifest.capabilities.untrustedWorkspaces.restrictedConfigurations).toEqual(restrictedSettings);
  });

  it('offers every strategy, and lets a workspace choose one', () => {
    expect(properties[`${section}.strategy`]?.enum).toEqual(strategyIds);
    expect(properties[`${section}.strategy`]?.scope).toBe('window');
  });

  it('does not let a workspace redirect the API key', () => {
    expect(properties[`${section}.baseUrl`]?.scope).toBe('machine');
  });

  it('lets no folder disable the sandbox for commands', () => {
    expect(properties[`${section}.safety`]?.scope).toBe('machine');
  });

  it('has at most 20 settings besides those of strategies', () => {
    const general = Object.keys(properties).filter((name) => !name.startsWith(`${section}.strategies.`));
    expect(general.length).toBeLessThanOrEqual(20);
  });

  it('declares the commands that the code registers', () => {
    const declared = manifest.contributes.commands.map(({ command }) => command);
    expect(declared.toSorted()).toEqual(Object.values(commandIds).toSorted());
    expect(new Set(manifest.contributes.commands.map(({ category }) => category))).toEqual(
      new Set(['Context Budget']),
    );
  });

  it('has a walkthrough that uses only existing commands', () => {
    const steps = manifest.contributes.walkthroughs.flatMap((walkthrough) => walkthrough.steps);
    const linked = steps.flatMap(({ description }) =>
      [...(texts[description.slice(1, -1)] ?? '').matchAll(/\(command:([\w.]+)\)/g)].map(([, id]) => id),
    );
    const completing = steps.flatMap(({ completionEvents }) =>
      completionEvents.flatMap((event) => /^onCommand:(.+)$/.exec(event)?.[1] ?? []),
    );
    expect(Object.values(commandIds)).toEqual(expect.arrayContaining([...linked, ...completing]));
    expect(steps.filter(({ completionEvents }) => completionEvents.length === 0)).toEqual([]);
  });

  it('declares the views, and activates the extension after the start and for the inspector', () => {
    expect(
      Object.values(manifest.contributes.views)
        .flat()
        .map(({ id }) => id),
    ).toEqual([viewIds.chat, viewIds.sessions]);
    expect(manifest.activationEvents).toEqual(['onStartupFinished', `onWebviewPanel:${viewIds.inspector}`]);
  });
});
