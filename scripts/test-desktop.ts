/**
 * Runs the tests of `test/integration` in a desktop VS Code, which is downloaded on first use.
 *
 * Usage: node scripts/test-desktop.ts
 */
import { join } from 'node:path';
import { downloadAndUnzipVSCode, runTests } from '@vscode/test-electron';
import { buildStrategyExtension, bundleIntegration } from './build/bundle-integration.ts';
import { projectFolder } from './project.ts';
import { runCommand } from './test/run-command.ts';
import { runMain } from './run-main.ts';
import { scratchCopy } from './test/scratch-copy.ts';

async function main(): Promise<void> {
  const { code } = await runCommand(process.execPath, ['scripts/build.ts'], {
    cwd: projectFolder,
    show: true,
  });
  if (code !== 0) throw new Error('The extension could not be built.');
  const extensionTestsPath = await bundleIntegration();
  const vscodeExecutablePath = await downloadAndUnzipVSCode().catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `VS Code cannot be downloaded here (${reason}). \`npm test\` runs the same tests without it.`,
    );
  });
  const { folder, dataFolder, remove } = await scratchCopy(join(projectFolder, 'samples', 'workspace'));
  try {
    await runTests({
      vscodeExecutablePath,
      extensionDevelopmentPath: [projectFolder, await buildStrategyExtension()],
      extensionTestsPath,
      launchArgs: [
        folder,
        '--user-data-dir',
        dataFolder,
        '--disable-extensions',
        '--disable-workspace-trust',
      ],
    });
  } finally {
    await remove();
  }
}

await runMain(main);
