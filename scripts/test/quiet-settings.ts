import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';

/** Settings that make VS Code fetch nothing, show no greeting, and use its own dialogs instead of the browser's. */
const quietSettings = {
  'chat.disableAIFeatures': true,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  'files.simpleDialog.enable': true,
  'git.openRepositoryInParentFolders': 'never',
  'telemetry.telemetryLevel': 'off',
  'update.mode': 'none',
  'window.dialogStyle': 'custom',
  'workbench.enableExperiments': false,
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.settings.enableNaturalLanguageSearch': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};

/** Quiet settings that VS Code only reads from the settings of the server's machine. */
const quietMachineSettings = { 'workbench.welcomePage.walkthroughs.openOnInstall': false };

/** Path of the file in which a server with this data folder keeps the user's settings. */
export function userSettingsFile(dataFolder: string): string {
  return join(dataFolder, 'data', 'User', 'settings.json');
}

/** Writes quiet settings into the data folder of a server, unless it has settings of the user. */
export async function writeQuietSettings(
  dataFolder: string,
  settings: Readonly<Record<string, unknown>> = {},
): Promise<void> {
  const file = userSettingsFile(dataFolder);
  if (existsSync(file)) return;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify({ ...quietSettings, ...settings }, null, 2)}\n`);
}

/**
 * Writes settings for the server's machine, including the quiet settings. Neither a workspace nor another machine can
 * change them.
 */
export async function writeMachineSettings(
  dataFolder: string,
  settings: Readonly<Record<string, unknown>>,
): Promise<void> {
  const file = join(dataFolder, 'data', 'Machine', 'settings.json');
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, `${JSON.stringify({ ...quietMachineSettings, ...settings }, null, 2)}\n`);
}
