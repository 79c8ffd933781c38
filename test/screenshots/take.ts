import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { palettePng } from '../../scripts/pictures/palette-png.ts';
import { projectFolder } from '../../scripts/project.ts';

/** Takes a picture into the folder `media`: of a window, or of a part of it. */
export async function take(
  of: Page | Locator,
  path: string,
  options: NonNullable<Parameters<Page['screenshot']>[0]> = {},
): Promise<void> {
  await writeFile(join(projectFolder, 'media', path), palettePng(await of.screenshot(options)));
}
