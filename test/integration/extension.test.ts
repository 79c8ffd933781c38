import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import * as vscode from 'vscode';

/** The manifest of the extension under test: tests are bundled into `out/integration`. */
async function extensionId(): Promise<string> {
  const manifest = await readFile(new URL('../../package.json', import.meta.url), 'utf8');
  const { publisher, name } = JSON.parse(manifest) as { readonly publisher: string; readonly name: string };
  return `${publisher}.${name}`;
}

describe('the extension', () => {
  it('is found under its publisher and name', async () => {
    assert.ok(vscode.extensions.getExtension(await extensionId()));
  });

  it('activates', async () => {
    const extension = vscode.extensions.getExtension(await extensionId());
    await extension?.activate();
    assert.equal(extension?.isActive, true);
  });
});
