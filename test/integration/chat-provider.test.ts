import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as vscode from 'vscode';
import { ScriptedServer } from '../agent/openai/scripted-server.ts';

const { User, Assistant } = vscode.LanguageModelChatMessageRole;
const words = 'word '.repeat(3_000);
const read = { name: 'read_file', description: 'Reads a file.', inputSchema: { type: 'object' } };

describe("a model for VS Code's own chat", () => {
  const configuration = () => vscode.workspace.getConfiguration('contextBudget');
  const settings = {
    safety: vscode.ConfigurationTarget.Global,
    baseUrl: vscode.ConfigurationTarget.Global,
    model: vscode.ConfigurationTarget.Workspace,
    window: vscode.ConfigurationTarget.Workspace,
  } as const;
  const change = async (name: keyof typeof settings, value: unknown) =>
    configuration().update(name, value, settings[name]);
  let server: ScriptedServer;

  before(async () => {
    await vscode.extensions.getExtension('context-budget.context-budget')?.activate();
    server = await ScriptedServer.start();
    await change('baseUrl', server.baseUrl);
    await change('model', 'scripted');
    await change('window', 8_000);
  });
  after(async () => {
    for (const name of Object.keys(settings)) await change(name as keyof typeof settings, undefined);
    await server.close();
  });

  /** The model as other extensions find it. */
  const models = () => vscode.lm.selectChatModels({ vendor: 'context-budget' });

  /** The last request for a reply. The extension also asks the endpoint about its models. */
  const asked = () => server.requests.findLast(({ path }) => path.endsWith('/chat/completions'))!;

  async function send(messages: vscode.LanguageModelChatMessage[], model: vscode.LanguageModelChat) {
    const response = await model.sendRequest(messages, { tools: [read] });
    const parts: unknown[] = [];
    for await (const part of response.stream) parts.push(part);
    return parts;
  }

  it('is not offered before the user turns it on', async () => {
    assert.deepEqual(await models(), []);
  });

  it('is offered with the window of the endpoint, and counts with our counter', async () => {
    await change('safety', { chatProvider: 'on' });
    const [model] = await models();
    assert.equal(model?.id, 'scripted');
    assert.equal(model.maxInputTokens, 56_000);
    assert.equal(await model.countTokens('hello world'), 2);
  });

  it('streams text, calls and usage of the endpoint', async () => {
    const [model] = await models();
    assert.ok(model);
    server.reply({
      text: 'I look.',
      toolCalls: [{ name: 'read_file', arguments: { path: 'a.ts' } }],
      usage: { inputTokens: 90, outputTokens: 10 },
    });
    const parts = await send([vscode.LanguageModelChatMessage.User('look at it')], model);
    const said = parts.filter((part) => part instanceof vscode.LanguageModelTextPart);
    assert.equal(said.map(({ value }) => value).join(''), 'I look.');
    const [call] = parts.filter((part) => part instanceof vscode.LanguageModelToolCallPart);
    assert.deepEqual([call?.name, call?.input], ['read_file', { path: 'a.ts' }]);
    const [usage] = parts.filter((part) => part instanceof vscode.LanguageModelDataPart);
    assert.equal(
      (JSON.parse(new TextDecoder().decode(usage?.data)) as { prompt_tokens: number }).prompt_tokens,
      90,
    );
    assert.deepEqual(
      asked().body.tools?.map(({ function: { name } }) => name),
      ['read_file'],
    );
  });

  it('compacts a history that is too long, keeps its beginning stable, and records it as a chat', async () => {
    const [model] = await models();
    assert.ok(model);
    const exchange = (id: string): vscode.LanguageModelChatMessage[] => [
      new vscode.LanguageModelChatMessage(Assistant, [
        new vscode.LanguageModelToolCallPart(id, 'read_file', { path: `${id}.ts` }),
      ]),
      new vscode.LanguageModelChatMessage(User, [
        new vscode.LanguageModelToolResultPart(id, [new vscode.LanguageModelTextPart(`${id} ${words}`)]),
      ]),
    ];
    const history = [
      vscode.LanguageModelChatMessage.User('read the three files'),
      ...['one', 'two', 'three'].flatMap(exchange),
    ];
    server.reply({ text: 'Read.' }, { text: 'Sure.' });
    await send(history, model);
    const first = asked().body.messages;
    assert.ok(JSON.stringify(first).length < 2.5 * words.length);
    const later = [
      vscode.LanguageModelChatMessage.Assistant('Read.'),
      vscode.LanguageModelChatMessage.User('thanks'),
    ];
    await send([...history, ...later], model);
    const second = asked().body.messages;
    assert.deepEqual(second.slice(0, first.length), first);
    assert.match(await recorded('read the three files'), /"type":"compaction"/);
  });

  it('tells the caller what the endpoint answered instead of a reply', async () => {
    const [model] = await models();
    assert.ok(model);
    server.reply({ status: 401, body: { error: { message: 'No such key.' } } });
    await assert.rejects(send([vscode.LanguageModelChatMessage.User('hello')], model), (error: unknown) => {
      assert.ok(error instanceof Error);
      assert.match(error.message, /key/i);
      return true;
    });
  });

  it('stops the endpoint when the caller stops', async () => {
    const [model] = await models();
    assert.ok(model);
    server.reply({ text: 'Half an answer', then: 'silence' });
    const stopping = new vscode.CancellationTokenSource();
    const messages = [vscode.LanguageModelChatMessage.User('go on')];
    const { stream } = await model.sendRequest(messages, {}, stopping.token);
    await assert.rejects(async () => {
      for await (const part of stream) if (part instanceof vscode.LanguageModelTextPart) stopping.cancel();
    });
    assert.equal(await asked().closed, 'client');
  });
});

/** The text of the stored chat that contains a prompt. The server's data is beside the workspace. */
async function recorded(prompt: string): Promise<string> {
  const data = join(dirname(vscode.workspace.workspaceFolders![0]!.uri.fsPath), 'data');
  const names = await readdir(data, { recursive: true });
  const texts = await Promise.all(
    names.filter((name) => name.endsWith('.jsonl')).map((name) => readFile(join(data, name), 'utf8')),
  );
  return texts.find((text) => text.includes(prompt)) ?? '';
}
