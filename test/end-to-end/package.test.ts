import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { listFiles, PackageManager } from '@vscode/vsce';
import { beforeAll, describe, expect, it } from 'vitest';
import { mostOfPackage, packageSizes } from '../../scripts/package-sizes.ts';
import { projectFolder } from '../../scripts/project.ts';
import { runCommand } from '../../scripts/run-command.ts';
import { InspectorPage } from '../harness/inspector-page.ts';
import { VscodeWorkbench, withTitle } from '../harness/vscode-workbench.ts';
import {
  claudeCodeSession,
  firstQuestion,
  forgottenFile,
  rememberedFile,
  summary,
} from '../support/claude-code-session.ts';
import { appendByAnotherProcess } from '../support/growing-file.ts';
import { claudeCodeFields, contextIn, runConfiguredHooks } from '../support/hook-agents.ts';

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
        !/^(?:(?:dist|media|l10n)\/|package[.\w-]*\.json$|(?:out\/package\/)?README\.md$|CHANGELOG|LICENSE|SECURITY|THIRD_PARTY_NOTICES|sbom\.cdx)/.test(
          file,
        ),
    );
    expect(strange).toEqual([]);
    expect(files.filter((file) => file.endsWith('.map'))).toEqual([]);
    expect(files).toEqual(
      expect.arrayContaining([
        'dist/extension.js',
        'dist/engine-worker.js',
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

  it('is no larger and no more files than it may be', async () => {
    const { bytes, files } = await packageSizes();
    expect(bytes).toBeLessThanOrEqual(mostOfPackage.bytes);
    expect(files).toBeLessThanOrEqual(mostOfPackage.files);
  });

  it('names every package whose code it contains', async () => {
    const notices = await readFile(join(projectFolder, 'THIRD_PARTY_NOTICES.txt'), 'utf8');
    const sbom = JSON.parse(await readFile(join(projectFolder, 'sbom.cdx.json'), 'utf8')) as {
      readonly components: readonly { readonly name: string; readonly version: string }[];
    };
    const named = sbom.components.map(({ name, version }) => `${name} ${version} (`);
    expect(named.length).toBeGreaterThan(5);
    expect(named.filter((name) => !notices.includes(`\n${name}`))).toEqual([]);
    for (const name of ['openai', 'js-tiktoken', 'dompurify', 'marked', 'diff']) {
      expect(named).toEqual(expect.arrayContaining([expect.stringMatching(`^${name} `)]));
    }
  });

  it('shows the chat after it was installed', async () => {
    await workbench.openView('Context Budget');
    const chat = await workbench.webview(withTitle('Chat'));
    await chat.getByRole('textbox').waitFor();
  });

  describe('beside a session of Claude Code in the usual folder', () => {
    const lines = claudeCodeSession.split(/(?<=\n)/u);
    const summaryAt = lines.findIndex((line) => line.includes(summary));
    const [first = ''] = lines;
    let home: string;
    let session: string;
    let inspector: InspectorPage;
    const hooks = (event: string, more?: object) =>
      runConfiguredHooks(
        join(home, '.claude', 'settings.json'),
        { HOME: home, CONTEXT_BUDGET_STATE: join(home, 'state') },
        event,
        claudeCodeFields(event, session, more),
      );

    beforeAll(async () => {
      home = workbench.host.agentsFolder;
      const { path: cwd } = workbench.workspace;
      session = join(home, '.claude', 'projects', cwd.replaceAll(/[^a-zA-Z\d]/g, '-'), 's1.jsonl');
      await mkdir(dirname(session), { recursive: true });
      const opening = `${JSON.stringify({ ...(JSON.parse(first) as object), cwd })}\n`;
      await writeFile(session, [opening, ...lines.slice(1, summaryAt)].join(''));
    });

    it('shows it live', async () => {
      await workbench.page.getByRole('button', { name: 'Sessions Section' }).click();
      const row = workbench.page.getByRole('treeitem', { name: firstQuestion }).first();
      await row.getByText('live').waitFor();
      await row.click();
      inspector = await InspectorPage.opened(workbench);
      await inspector.frame.getByRole('heading', { level: 1, name: firstQuestion }).waitFor();
    });

    it('connects it with a click', async () => {
      const agent = workbench.listRows('Claude Code').first();
      await workbench.runAndChoose('Context Budget: Connect an Agent…', agent);
      await workbench
        .notification('so that Claude Code can use Context Budget')
        .getByRole('button', { name: 'Make the Change' })
        .click();
      await workbench.notification('Claude Code is connected').waitFor();
    });

    it('shows what its compaction lost', async () => {
      await hooks('PreCompact');
      await appendByAnotherProcess(session, lines[summaryAt]!, 1);
      await workbench
        .notification('Claude Code compacted: 1 of 2 files')
        .getByRole('button', { name: 'Diff' })
        .click();
      inspector = await InspectorPage.opened(workbench);
      await inspector.diff.getByText('summarised by Claude Code').first().waitFor();
      await inspector.frame.getByText(forgottenFile).first().waitFor();
    });

    it('gives the lost facts back at the next start', async () => {
      const given = contextIn(await hooks('SessionStart', { source: 'compact' }));
      expect(given).toContain(forgottenFile);
      expect(given).not.toContain(rememberedFile);
    });
  });
});
