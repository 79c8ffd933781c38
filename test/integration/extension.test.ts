import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';
import { claudeCodeSession, firstQuestion, summary } from '../support/claude-code-session.ts';

interface Manifest {
  readonly publisher: string;
  readonly name: string;
  readonly contributes: {
    readonly commands: readonly { readonly command: string }[];
    readonly configuration: readonly {
      readonly properties: Readonly<Record<string, { readonly default: unknown; readonly scope: string }>>;
    }[];
  };
}

/** Tests are bundled into `out/integration`, two folders below the manifest of the extension under test. */
const manifest = JSON.parse(
  await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
) as Manifest;
const extension = vscode.extensions.getExtension(`${manifest.publisher}.${manifest.name}`);

describe('the extension', () => {
  it('is installed under its publisher and name, and activates', async () => {
    assert.ok(extension);
    await extension.activate();
    assert.equal(extension.isActive, true);
  });

  it('registers every command that it declares', async () => {
    const commands = new Set(await vscode.commands.getCommands(true));
    const missing = manifest.contributes.commands.filter(({ command }) => !commands.has(command));
    assert.deepEqual(missing, []);
  });

  it('has the declared default for every setting', () => {
    const settings = Object.assign(
      {},
      ...manifest.contributes.configuration.map(({ properties }) => properties),
    ) as Manifest['contributes']['configuration'][number]['properties'];
    for (const [name, { default: expected }] of Object.entries(settings)) {
      assert.deepEqual(vscode.workspace.getConfiguration().inspect(name)?.defaultValue, expected, name);
    }
  });
});

describe('the settings', () => {
  const configuration = () => vscode.workspace.getConfiguration('contextBudget');
  const forget = (name: string) =>
    configuration().update(name, undefined, vscode.ConfigurationTarget.Workspace);

  it('let a workspace choose the strategy', async () => {
    await configuration().update('strategy', 'none', vscode.ConfigurationTarget.Workspace);
    assert.equal(configuration().get('strategy'), 'none');
    await forget('strategy');
  });

  it('do not let a workspace redirect the API key', async () => {
    await assert.rejects(async () =>
      configuration().update('baseUrl', 'https://evil.example/v1', vscode.ConfigurationTarget.Workspace),
    );
    assert.equal(configuration().get('baseUrl'), 'https://api.openai.com/v1');
  });
});

describe('the inspector', () => {
  const tabs = () =>
    vscode.window.tabGroups.all
      .flatMap((group) => group.tabs)
      .filter(
        ({ input }) =>
          input instanceof vscode.TabInputWebview && input.viewType.endsWith('contextBudget.inspector'),
      );

  it('opens once, in an editor tab', async () => {
    // The editor reports a new tab a moment after its creation.
    const opened = new Promise<void>((resolve) => {
      const listener = vscode.window.tabGroups.onDidChangeTabs(() => {
        if (tabs().length === 0) return;
        listener.dispose();
        resolve();
      });
    });
    await vscode.commands.executeCommand('contextBudget.openInspector');
    await opened;
    await vscode.commands.executeCommand('contextBudget.openInspector');
    assert.equal(tabs().length, 1);
    await vscode.window.tabGroups.close(tabs());
  });
});

describe('the import of a session', () => {
  /** Text of the first message on one side of the first compaction of a chat. */
  const document = async (chat: string, side: 'before' | 'after') => {
    const uri = vscode.Uri.from({ scheme: 'context-budget', path: `/${chat}/c1/m1`, query: side });
    return (await vscode.workspace.openTextDocument(uri)).getText();
  };

  it("opens a file as a chat with the other agent's compacted messages", async () => {
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const file = vscode.Uri.joinPath(folder.uri, 'session.jsonl');
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(claudeCodeSession));
    const chat = await vscode.commands.executeCommand<string>('contextBudget.importSession', file);
    assert.equal(await document(chat, 'before'), firstQuestion);
    assert.ok((await document(chat, 'after')).includes(summary));
    assert.equal(await document('another', 'before'), 'This compaction belongs to another chat.');
  });
});

describe('the search of the agent', () => {
  it('finds the ripgrep that comes with the editor', async () => {
    const { findRipgrep } = await import('../../src/extension/agent/ripgrep.ts');
    assert.match(findRipgrep(vscode.env.appRoot, [], '') ?? 'none', /rg(\.exe)?$/);
  });
});
