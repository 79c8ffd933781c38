/**
 * Writes what follows from the catalogue of strategies into package.json: the settings and which of them an
 * untrusted folder cannot set. A test holds package.json and the catalogue equal.
 *
 * Usage: node scripts/manifest.ts
 */
import { readFile, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { restrictedSettings, settingCategories } from '../src/extension/settings/configuration.ts';

interface Manifest {
  contributes: Record<string, unknown>;
  capabilities: { untrustedWorkspaces: Record<string, unknown> };
}

const path = 'package.json';
const manifest = JSON.parse(await readFile(path, 'utf8')) as Manifest;
manifest.contributes['configuration'] = settingCategories;
manifest.capabilities.untrustedWorkspaces['restrictedConfigurations'] = restrictedSettings;
const options = await resolveConfig(path);
await writeFile(path, await format(JSON.stringify(manifest), { ...options, filepath: path }));
