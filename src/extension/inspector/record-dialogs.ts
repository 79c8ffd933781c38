import * as vscode from 'vscode';
import { inEditorLanguage } from '../language/in-editor-language.ts';
import { strategyTexts } from '../settings/strategy-texts.ts';
import type { RecordDialogs } from './compactions-host.ts';

/** The editor's own ways to choose a strategy and a file. */
export const recordDialogs: RecordDialogs = {
  async pickStrategy(current, undoneWith) {
    const picked = await vscode.window.showQuickPick(
      strategyTexts()
        .filter(({ id }) => id !== current && id !== 'none')
        .map(({ id, title, description }) => ({ label: title, description: id, detail: description, id })),
      {
        title: vscode.l10n.t('Compact with Another Strategy'),
        placeHolder: whatIsUndone(undoneWith),
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
    if (format === 'html' && opensFiles()) await vscode.env.openExternal(uri);
    else await vscode.window.showTextDocument(uri);
  },

  tell(sentence, severity) {
    const text = inEditorLanguage(sentence);
    if (severity === 'information') void vscode.window.showInformationMessage(text);
    else void vscode.window.showWarningMessage(text);
  },
};

/** Whether the person's browser finds the files that are written here. */
function opensFiles(): boolean {
  return vscode.env.uiKind === vscode.UIKind.Desktop && vscode.env.remoteName === undefined;
}

/** @param others later compactions that cannot stay without the one that is undone */
function whatIsUndone(others: number): string {
  switch (others) {
    case 0:
      return vscode.l10n.t('Undoes this compaction, and puts it back if the other one comes to nothing');
    case 1:
      return vscode.l10n.t(
        'Undoes this compaction; one later compaction goes with it, and both are put back if the other one comes to nothing',
      );
    default:
      return vscode.l10n.t(
        'Undoes this compaction; {0} later compactions go with it, and all are put back if the other one comes to nothing',
        others,
      );
  }
}
