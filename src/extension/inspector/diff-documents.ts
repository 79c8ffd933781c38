import * as vscode from 'vscode';
import { documentScheme } from '../ids.ts';
import type { SessionHub } from '../session-hub.ts';

/** What a message was before a compaction, and what stands for it after, as read-only documents. */
export class DiffDocuments implements vscode.TextDocumentContentProvider {
  private readonly hub: SessionHub;

  constructor(hub: SessionHub) {
    this.hub = hub;
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const [, sessionId = '', recordId = '', messageId = ''] = uri.path.split('/');
    const { id, inspector } = await this.hub.current();
    const texts = id === sessionId ? inspector.texts(recordId, messageId) : undefined;
    if (texts === undefined) return 'This compaction belongs to another chat.';
    return uri.query === 'before' ? texts.before : (texts.after ?? '');
  }
}

/** Compares the two in VS Code's own diff editor. */
export async function openDiffEditor(sessionId: string, recordId: string, messageId: string): Promise<void> {
  const uri = (side: 'before' | 'after') =>
    vscode.Uri.from({ scheme: documentScheme, path: `/${sessionId}/${recordId}/${messageId}`, query: side });
  await vscode.commands.executeCommand(
    'vscode.diff',
    uri('before'),
    uri('after'),
    `${messageId}: before ↔ after ${recordId}`,
  );
}
