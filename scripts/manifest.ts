/**
 * Writes the generated parts of package.json: the settings, the settings that an untrusted folder cannot set, and the
 * tools that language models can call. Texts for users go into package.nls.json, under fixed keys. Also writes
 * docs/settings.md. Tests compare all three files with the sources, and check that the translations are complete.
 *
 * Usage: node scripts/manifest.ts
 */
import { readFile, rename, writeFile } from 'node:fs/promises';
import { format, resolveConfig } from 'prettier';
import { restrictedSettings, settingCategories } from '../src/presenters/settings/configuration.ts';
import { toolDeclarations } from '../src/bridge/server/tool-declarations.ts';
import { withKeys, type Manifest, type Texts } from './build/manifest-texts.ts';
import { settingsPage, settingsPagePath } from './build/settings-page.ts';

interface WholeManifest extends Manifest {
  readonly capabilities: Manifest['capabilities'] & {
    readonly untrustedWorkspaces: {
      readonly description: string;
      readonly restrictedConfigurations: unknown;
    };
  };
}

const manifestPath = 'package.json';
const textsPath = 'package.nls.json';

const given = JSON.parse(await readFile(manifestPath, 'utf8')) as WholeManifest;
const known = JSON.parse(await readFile(textsPath, 'utf8')) as Texts;
const { manifest, texts } = withKeys(
  {
    ...given,
    capabilities: {
      ...given.capabilities,
      untrustedWorkspaces: {
        ...given.capabilities.untrustedWorkspaces,
        restrictedConfigurations: restrictedSettings,
      },
    },
    contributes: {
      ...given.contributes,
      configuration: settingCategories,
      languageModelTools: toolDeclarations(),
    },
  },
  known,
);
// The texts are written first, because VS Code would show keys without a text.
await write(textsPath, JSON.stringify(texts));
await write(manifestPath, JSON.stringify(manifest));
await write(settingsPagePath, settingsPage(settingCategories, restrictedSettings));

/** Writes a temporary file and renames it, so that no reader sees an incomplete file. */
async function write(path: string, text: string): Promise<void> {
  const options = await resolveConfig(path);
  await writeFile(`${path}.new`, await format(text, { ...options, filepath: path }));
  await rename(`${path}.new`, path);
}
