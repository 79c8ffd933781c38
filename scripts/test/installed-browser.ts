import { createReadStream, createWriteStream, globSync } from 'node:fs';
import { chmod, mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { createBrotliDecompress } from 'node:zlib';
import type { LaunchOptions } from 'playwright-core';
import playwright from 'playwright-core/package.json' with { type: 'json' };
import { installer, installOnce, unpackPackage } from './install-once.ts';
import { projectFolder } from '../project.ts';
import { runCommand } from './run-command.ts';

/** The npm package that contains a headless Chromium for Linux x64, and the libraries and a font that it needs. */
const browserPackage = {
  identifier: '@sparticuz/chromium@153.0.0',
  integrity:
    'sha512-jiGWqSvPMdu4+P9TilYqAR7yEGPEHINx+lCvE/NqNO/EHYzF/x1hUiI5T6ioVIt7dEy7n88byyT0vk+dnsgQwA==',
};

/** Folders in which the browser looks for fonts: folders of the machine, and the package's folder as a fallback. */
const fontSettings = {
  file: 'own-fonts.conf',
  text: `<?xml version="1.0"?>
<fontconfig>
  <dir>/usr/share/fonts</dir>
  <dir>/usr/local/share/fonts</dir>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`,
};

/** True if the npm registry has a browser for this platform. */
export function hasPackagedBrowser(): boolean {
  return process.platform === 'linux' && process.arch === 'x64';
}

/**
 * Installs the browser of the npm package into the cache folder, unless it is installed.
 *
 * The package's own `executablePath()` is not used. It unpacks to a fixed name in the shared temporary folder, where
 * two runs race and any existing file is started.
 *
 * @throws Error with the reason if it could not be installed
 */
export async function installPackagedBrowser(): Promise<LaunchOptions> {
  const folder = await installOnce({
    name: 'chromium-153.0.0',
    marker: 'chromium',
    build: async (building) => {
      console.log(`Installing a browser (${browserPackage.identifier}, 67 MB) into the cache folder, once.`);
      return unpackBrowser(
        join(await unpackPackage(building, browserPackage), 'bin'),
        join(building, 'browser'),
      );
    },
  });
  return {
    executablePath: join(folder, 'chromium'),
    // The libraries of the package are always used, because some machines have none.
    env: {
      ...process.env,
      LD_LIBRARY_PATH: join(folder, 'lib'),
      FONTCONFIG_FILE: join(folder, fontSettings.file),
    },
  };
}

/** Unpacks the files of the package. Each is compressed with Brotli. */
async function unpackBrowser(from: string, to: string): Promise<string> {
  await mkdir(to);
  const unpack = (name: string): Promise<void> =>
    pipeline(
      createReadStream(join(from, `${name}.br`)),
      createBrotliDecompress(),
      createWriteStream(join(to, name)),
    );
  for (const name of ['al2023.tar', 'fonts.tar', 'chromium']) await unpack(name);
  for (const archive of ['al2023.tar', 'fonts.tar']) {
    await installer('tar', ['-xf', archive], to);
    await rm(join(to, archive));
  }
  await chmod(join(to, 'chromium'), 0o755);
  await writeFile(join(to, fontSettings.file), fontSettings.text);
  return to;
}

/**
 * Downloads the browser for this version of Playwright into the cache folder, unless it is installed.
 *
 * @throws Error with the reason if it could not be downloaded
 */
export async function installDownloadedBrowser(): Promise<LaunchOptions> {
  const folder = await installOnce({
    name: `playwright-${playwright.version}`,
    marker: 'complete',
    build: async (building) => {
      console.log(
        'Installing a browser (chromium-headless-shell of Playwright) into the cache folder, once.',
      );
      const program = join(projectFolder, 'node_modules', 'playwright-core', 'cli.js');
      const options = { show: true, environment: { PLAYWRIGHT_BROWSERS_PATH: building } };
      const { code } = await runCommand(
        process.execPath,
        [program, 'install', 'chromium-headless-shell'],
        options,
      );
      if (code !== 0) throw new Error(`Playwright's download ended with code ${code}.`);
      await writeFile(join(building, 'complete'), '');
      return building;
    },
  });
  const [executablePath] = globSync('**/{chrome-headless-shell,headless_shell}{,.exe}', { cwd: folder });
  if (executablePath === undefined) throw new Error(`${folder} holds no browser. Remove it and try again.`);
  return { executablePath: join(folder, executablePath) };
}
