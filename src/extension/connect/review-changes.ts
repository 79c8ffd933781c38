import * as vscode from 'vscode';
import { bridgeSentences } from '../../language/english/bridge-english.ts';
import { editorWording } from '../editor/editor-wording.ts';
import { configScheme } from '../editor/ids.ts';

/** A file or a setting before and after a change. */
interface ReviewedChange {
  readonly path: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

/** Shows changes to the configuration of an agent side by side, and asks the user. */
export async function isAgreed(
  agent: string,
  changes: readonly ReviewedChange[],
  { question, yes }: { readonly question: string; readonly yes: string },
): Promise<boolean> {
  const shown = new Map<string, string>();
  const uriOf = (path: string, side: 'before' | 'after', content = ''): vscode.Uri => {
    const uri = vscode.Uri.from({ scheme: configScheme, path: vscode.Uri.file(path).path, query: side });
    shown.set(uri.toString(), content);
    return uri;
  };
  const provider = vscode.workspace.registerTextDocumentContentProvider(configScheme, {
    provideTextDocumentContent: (uri) => shown.get(uri.toString()) ?? '',
  });
  try {
    const resources = changes.map(({ path, before, after }) => {
      return [vscode.Uri.file(path), uriOf(path, 'before', before), uriOf(path, 'after', after)];
    });
    const title = editorWording.text(bridgeSentences.say('configTitle', { agent }));
    await vscode.commands.executeCommand('vscode.changes', title, resources);
    // Asks in a picker. A notification could disappear while the user reads; a dialog would cover the change.
    const make = { label: yes };
    const answers = [make, { label: editorWording.text(bridgeSentences.say('leaveAsItIs')) }];
    return (await vscode.window.showQuickPick(answers, { title: question, ignoreFocusOut: true })) === make;
  } finally {
    provider.dispose();
  }
}
