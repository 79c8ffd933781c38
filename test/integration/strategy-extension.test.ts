import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { ContextBudgetApi, PhaseEvent } from '../../src/extension/window/api-types.ts';

const example = vscode.extensions.getExtension('context-budget-examples.long-results-first');
const contextBudget = vscode.extensions.getExtension<ContextBudgetApi>('context-budget.context-budget');

/** Lengths of three files that a chat read: the second is the longest. */
const lengths = [400, 900, 500];
const chat = lengths.flatMap((length, index) => [
  { role: 'user', content: `Read file ${index + 1}.` },
  {
    role: 'assistant',
    content: null,
    tool_calls: [{ id: `call_${index}`, type: 'function', function: { name: 'read_file', arguments: '{}' } }],
  },
  { role: 'tool', tool_call_id: `call_${index}`, content: 'word '.repeat(length) },
  { role: 'assistant', content: 'It is read.' },
]);

describe('an extension that registers a strategy', () => {
  const configuration = () => vscode.workspace.getConfiguration('contextBudget');
  const choose = async (strategy: string | undefined, module: string | undefined) => {
    await configuration().update('strategy', strategy, vscode.ConfigurationTarget.Workspace);
    const options = module === undefined ? undefined : { module };
    await configuration().update('strategies.custom', options, vscode.ConfigurationTarget.Workspace);
  };
  after(() => choose(undefined, undefined));

  it('is used by the next compaction', async () => {
    assert.ok(example);
    assert.ok(contextBudget);
    await example.activate();
    const api = await contextBudget.activate();
    const [folder] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(folder);
    const file = vscode.Uri.joinPath(folder.uri, 'chat.json');
    await vscode.workspace.fs.writeFile(file, new TextEncoder().encode(JSON.stringify(chat)));
    const id = await vscode.commands.executeCommand<string>('contextBudget.importSession', file);
    await choose('custom', 'context-budget-examples.long-results-first/longest-first');

    const done = new Promise<PhaseEvent>((resolve) => {
      const listener = api.onCompactionPhase((event) => {
        if (event.phase !== 'done') return;
        listener.dispose();
        resolve(event);
      });
    });
    await vscode.commands.executeCommand('contextBudget.compactNow');
    const event = await done;
    assert.equal(event.phase, 'done');
    assert.deepEqual([event.strategy, event.status], ['custom', 'applied']);

    const shown = vscode.Uri.from({ scheme: 'context-budget', path: `/${id}/c1/m7`, query: 'after' });
    const text = (await vscode.workspace.openTextDocument(shown)).getText();
    assert.match(text, /^\[A result of \d+ tokens; recall\("m7"\) returns it\.\]$/);
  });
});
