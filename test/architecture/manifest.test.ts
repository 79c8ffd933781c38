import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { toolDeclarations } from '../../src/bridge/server/tool-declarations.ts';
import { withKeys, type Manifest as KeyedManifest, type Texts } from '../../scripts/build/manifest-texts.ts';
import { commandIds, viewIds } from '../../src/extension/editor/ids.ts';
import { restrictedSettings, settingCategories } from '../../src/presenters/settings/configuration.ts';
import { section } from '../../src/presenters/settings/general-settings.ts';
import { strategyIds } from '../../src/compaction/strategies/index.ts';

interface MenuItem {
  readonly command: string;
  readonly when: string;
  readonly group: string;
}

interface Manifest extends KeyedManifest {
  readonly contributes: KeyedManifest['contributes'] & {
    readonly menus: Readonly<Record<'commandPalette' | 'view/title', readonly MenuItem[]>>;
  };
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
    const offered = properties[`${section}.strategy`]?.enum ?? [];
    expect(offered.toSorted()).toEqual(strategyIds.toSorted());
    expect([offered[0], offered.at(-1)]).toEqual(['ladder', 'none']);
    expect(properties[`${section}.strategy`]?.scope).toBe('window');
  });

  it('does not let a workspace redirect the API key', () => {
    expect(properties[`${section}.baseUrl`]?.scope).toBe('machine');
  });

  it('lets no folder choose who receives telemetry', () => {
    expect(properties[`${section}.telemetry`]?.scope).toBe('machine');
  });

  it('lets no folder disable the sandbox for commands', () => {
    expect(properties[`${section}.safety`]?.scope).toBe('machine');
  });

  it('has at most 21 settings besides those of strategies', () => {
    const general = Object.keys(properties).filter((name) => !name.startsWith(`${section}.strategies.`));
    expect(general.length).toBeLessThanOrEqual(21);
  });

  it('declares the commands that the code registers', () => {
    const declared = manifest.contributes.commands.map(({ command }) => command);
    expect(declared.toSorted()).toEqual(Object.values(commandIds).toSorted());
    expect(new Set(manifest.contributes.commands.map(({ category }) => category))).toEqual(
      new Set(['Context Budget']),
    );
  });

  it('hides commands that have nothing to act on, and keeps six in the menu of the chat', () => {
    const { commandPalette, 'view/title': titles } = manifest.contributes.menus;
    const when = Object.fromEntries(commandPalette.map((item) => [item.command, item.when]));
    expect(when).toMatchObject({
      [commandIds.undoCompaction]: 'contextBudget.hasCompaction',
      [commandIds.deleteSession]: 'contextBudget.hasMessages',
      [commandIds.handOff]: 'contextBudget.hasMessages',
      [commandIds.regenerateTitle]: 'contextBudget.hasMessages',
      [commandIds.clearApiKey]: 'contextBudget.hasApiKey',
      [commandIds.disconnectAgent]: 'contextBudget.isConnected',
      [commandIds.stopWatching]: 'contextBudget.isWatching',
      [commandIds.setMcpSecret]: 'contextBudget.hasMcpServers',
      [commandIds.showMenu]: 'false',
    });
    const ofChat = titles.filter((item) => item.when.includes(viewIds.chat));
    expect(ofChat.filter(({ group }) => !group.startsWith('navigation'))).toHaveLength(6);
  });

  it('begins its walkthrough with the session of an agent', () => {
    expect(manifest.contributes.walkthroughs[0]?.steps[0]?.completionEvents).toEqual([
      `onCommand:${commandIds.openTranscript}`,
      `onCommand:${commandIds.openSampleSession}`,
      'onContext:contextBudget.hasOpenedSession',
    ]);
  });

  it('gives chat and sessions half of the side bar each, once there are sessions', () => {
    const { contextBudget: views = [] } = manifest.contributes.views;
    expect(views.map(({ initialSize, when }) => [initialSize, when])).toEqual([
      [1, undefined],
      [1, 'contextBudget.hasSessions'],
    ]);
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
