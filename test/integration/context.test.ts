import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import * as vscode from 'vscode';
import { contextToolNames, languageModelToolName } from '../../src/bridge/server/tool-names.ts';
import { answerBudget } from '../../src/extension/connect/context-services.ts';
import { contextServerDefinition } from '../../src/extension/connect/register-context.ts';
import { agentFolders } from '../harness/foreign-sessions.ts';
import { claudeCodeSession, forgottenFile, rememberedFile } from '../support/claude-code-session.ts';

const extension = vscode.extensions.getExtension('context-budget.context-budget')!;
const workspace = vscode.workspace.workspaceFolders![0]!.uri.fsPath;
const { token } = new vscode.CancellationTokenSource();

describe('the sessions of the open folder', () => {
  const kept = { ...process.env };
  let home: string;

  before(async () => {
    home = await mkdtemp(join(tmpdir(), 'context-'));
    Object.assign(process.env, agentFolders(home));
    const session = join(home, 'claude', 'projects', 'printer', 's1.jsonl');
    await mkdir(dirname(session), { recursive: true });
    const lines = claudeCodeSession
      .trimEnd()
      .split('\n')
      .map((line) => JSON.stringify({ ...(JSON.parse(line) as object), cwd: workspace }));
    await writeFile(session, `${lines.join('\n')}\n`);
    await extension.activate();
  });

  after(async () => {
    for (const name of Object.keys(agentFolders(home))) {
      if (kept[name] === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = kept[name];
    }
    await rm(home, { recursive: true, force: true });
  });

  describe('as tools of language models', () => {
    async function invoke(name: (typeof contextToolNames)[number], input: object = {}): Promise<string> {
      const options = { input, toolInvocationToken: undefined };
      const { content } = await vscode.lm.invokeTool(languageModelToolName(name), options, token);
      return content.map((part) => (part instanceof vscode.LanguageModelTextPart ? part.value : '')).join('');
    }

    it('are listed, as the manifest declares them', async () => {
      const manifest = JSON.parse(
        await readFile(vscode.Uri.joinPath(extension.extensionUri, 'package.json').fsPath, 'utf8'),
      ) as {
        readonly contributes: {
          readonly languageModelTools: readonly {
            readonly name: string;
            readonly modelDescription: string;
          }[];
        };
      };
      for (const { name, modelDescription } of manifest.contributes.languageModelTools) {
        const listed = vscode.lm.tools.find((tool) => tool.name === name);
        assert.equal(listed?.description, modelDescription, name);
      }
      assert.deepEqual(
        manifest.contributes.languageModelTools.map(({ name }) => name),
        contextToolNames.map(languageModelToolName),
      );
    });

    it('report lost facts and the size of the context', async () => {
      const lost = await invoke('what_was_lost');
      assert.ok(lost.includes(forgottenFile), lost);
      assert.ok(!lost.includes(rememberedFile), lost);
      assert.ok((await invoke('context_usage')).includes('1 of 2 files'));
    });

    it('find a message, and return it', async () => {
      const id = /message, id (m\d+)\]\n> export function print/u.exec(
        await invoke('search_history', { query: 'print depth' }),
      )?.[1];
      assert.ok((await invoke('recall', { id })).includes('export function print(depth: number)'));
    });

    it('answer an unknown id with an explanation', async () => {
      assert.match(await invoke('recall', { id: 'm1', session: 'nobody' }), /There is no session "nobody"/u);
    });
  });

  it('can be requested by any agent through our server in the editor', async () => {
    const { command, args, env, cwd, version } = contextServerDefinition(extension);
    assert.equal(version, (extension.packageJSON as { readonly version: string }).version);
    assert.equal(cwd?.fsPath, workspace);
    const client = new Client({ name: 'Visual Studio Code', version: '1.0.0' });
    const environment = { ...process.env, ...env } as Record<string, string>;
    await client.connect(new StdioClientTransport({ command, args, env: environment, cwd: cwd.fsPath }));
    try {
      const { tools } = await client.listTools();
      assert.deepEqual(
        tools.map(({ name }) => name),
        contextToolNames,
      );
      const { content } = await client.callTool({ name: 'what_was_lost', arguments: {} });
      assert.ok(JSON.stringify(content).includes(forgottenFile));
    } finally {
      await client.close();
    }
  });

  it('are summarised by @budget, as text without links', async () => {
    const asked: [string, object][] = [];
    const tool = (name: string) => ({
      run: (input: object) => {
        asked.push([name, input]);
        return Promise.resolve({ content: 'A block\n  ```\n[link](command:evil)', isError: false });
      },
    });
    const tools = new Map(contextToolNames.map((name) => [name, tool(name)]));
    const ask = async (prompt: string, command?: string) => {
      const shown: vscode.MarkdownString[] = [];
      await answerBudget(
        tools as unknown as Parameters<typeof answerBudget>[0],
        { prompt, command } as unknown as vscode.ChatRequest,
        {
          markdown: (text: vscode.MarkdownString) => shown.push(text),
        } as unknown as vscode.ChatResponseStream,
        token,
      );
      return shown;
    };
    const [shown] = await ask('');
    assert.equal(shown?.isTrusted ?? false, false);
    assert.equal(shown?.value, '````markdown\nA block\n  ```\n[link](command:evil)\n````');
    await ask('where is the printer');
    await ask('whatever', 'lost');
    await ask('', 'usage');
    assert.deepEqual(asked, [
      ['context_usage', {}],
      ['search_history', { query: 'where is the printer' }],
      ['what_was_lost', {}],
      ['context_usage', {}],
    ]);
  });
});
