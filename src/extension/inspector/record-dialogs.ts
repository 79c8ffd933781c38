import * as vscode from 'vscode';
import { catalogue } from '../../compaction/strategies/index.ts';
import type { Strategy } from '../../compaction/strategies/strategy.ts';
import type { RecordDialogs } from './compactions-host.ts';

/** The editor's own ways to choose a strategy and a file. */
export const recordDialogs: RecordDialogs = {
  async pickStrategy(current, undoneWith) {
    const strategies: readonly Strategy[] = Object.values(catalogue);
    const also =
      undoneWith === 0
        ? ''
        : `; ${undoneWith === 1 ? 'one later compaction goes' : `${undoneWith} later compactions go`} with it`;
    const picked = await vscode.window.showQuickPick(
      strategies
        .filter(({ id }) => id !== current && id !== 'none')
        .map(({ id, title, description }) => ({ label: title, description: id, detail: description, id })),
      {
        title: 'Compact with Another Strategy',
        placeHolder: `Undoes this compaction${also}, and puts it back if the other one comes to nothing`,
        matchOnDescription: true,
      },
    );
    return picked?.id;
  },

  async save(name, format, text) {
    const [extension, label] = format === 'html' ? ['html', 'HTML'] : ['md', 'Markdown'];
    const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
    const file = `${name}.${extension}`;
    const uri = await vscode.window.showSaveDialog({
      ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, file) }),
      filters: { [label]: [extension] },
    });
    if (uri === undefined) return;
    await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
    if (format === 'html') await vscode.env.openExternal(uri);
    else await vscode.window.showTextDocument(uri);
  },

  tell(sentence) {
    void vscode.window.showWarningMessage(sentence);
  },
};
