import { renameSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';

/**
 * A separate program that swaps the folder `app/folder` for a link to `outside` and back, endlessly, in the
 * given folder.
 */
const [, , base = ''] = process.argv;
const folder = `${base}/app/folder`;

function pause(): void {
  const end = performance.now() + 0.3;
  while (performance.now() < end);
}

/** Another process working in the folder may have created it again. */
function attempt(step: () => void): boolean {
  try {
    step();
    return true;
  } catch {
    return false;
  }
}

process.send?.('ready');
for (;;) {
  attempt(() => renameSync(folder, `${folder}-real`));
  const isLink = attempt(() => symlinkSync(`${base}/outside`, folder));
  if (!isLink) attempt(() => rmSync(folder, { recursive: true, force: true }));
  pause();
  attempt(() => unlinkSync(folder));
  attempt(() => renameSync(`${folder}-real`, folder));
  pause();
}
