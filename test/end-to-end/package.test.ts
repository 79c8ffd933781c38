import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { beforeAll, describe, expect, it } from 'vitest';
import { projectFolder } from '../../scripts/project.ts';
import { runCommand } from '../../scripts/run-command.ts';
import { VscodeWorkbench, withTitle } from '../harness/vscode-workbench.ts';

describe('the packaged extension', () => {
  let workbench: VscodeWorkbench;

  beforeAll(async () => {
    const { code, output } = await runCommand(process.execPath, ['scripts/package.ts'], {
      cwd: projectFolder,
    });
    if (code !== 0) throw new Error(output);
    const { version } = JSON.parse(await readFile(join(projectFolder, 'package.json'), 'utf8')) as {
      readonly version: string;
    };
    workbench = await VscodeWorkbench.open({
      extension: { vsix: join(projectFolder, `context-budget-${version}.vsix`) },
    });
    return () => workbench.close();
  });

  it('holds what it needs to run, and nothing of the sources', async () => {
    const files = await listFiles({ cwd: projectFolder, packageManager: PackageManager.None });
    const strange = files.filter(
      (file) =>
        !/^(?:(?:dist|media|l10n)\/|package[.\w-]*\.json$|README|CHANGELOG|LICENSE|SECURITY|THIRD_PARTY_NOTICES|sbom\.cdx)/.test(
          file,
        ),
    );
    expect(strange).toEqual([]);
    expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
    expect(files).toEqual(
      expect.arrayContaining([
        'dist/extension.js',
        'dist/counter-worker.js',
        'dist/strategy-worker.js',
        'dist/webview/chat.js',
        'package.nls.json',
        'package.nls.zh-cn.json',
        'media/walkthrough/ask.md',
        'media/walkthrough/ask.nls.zh-cn.md',
        'LICENSE',
        'SECURITY.md',
        'THIRD_PARTY_NOTICES.txt',
        'sbom.cdx.json',
      ]),
    );
  });

  it('names every package whose code it contains', async () => {
    const notices = await readFile(join(projectFolder, 'THIRD_PARTY_NOTICES.txt'), 'utf8');
    const sbom = JSON.parse(await readFile(join(projectFolder, 'sbom.cdx.json'), 'utf8')) as {
      readonly components: readonly { readonly name: string; readonly version: string }[];
    };
    const named = sbom.components.map(({ name, version }) => `${name} ${version} (`);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !notices.includes(`\n${name}`))).toEqual([]);
    for (const name of ['openai', 'js-tiktoken', 'dompurify', 'marked', 'minisearch', 'diff']) {
      expect(named).toEqual(expect.arrayContaining([expect.stringMatching(`^${name} `)]));
    }
  });

  it('shows the chat after it was installed', async () => {
    await workbench.openView('Context Budget');
    const chat = await workbench.webview(withTitle('Chat'));
    await chat.getByRole('textbox').waitFor();
  });
});
