import * as vscode from 'vscode';
import type { OpenedTranscripts } from '../../presenters/live/opened-transcripts.ts';
import type { SubAgentSessions } from '../../presenters/inspector/sub-agent-sessions.ts';
import { documentScheme } from '../editor/ids.ts';
import type { SessionHub } from '../sessions/session-hub.ts';
import { hostText } from '../editor/editor-wording.ts';

interface ComparedSessions {
  readonly hub: SessionHub;
  readonly subAgents: () => Promise<SubAgentSessions>;
  readonly opened: () => Promise<OpenedTranscripts>;
}

/** A message before a compaction and its replacement after it, as read-only documents. */
export class DiffDocuments implements vscode.TextDocumentContentProvider {
  private readonly sessions: ComparedSessions;

  constructor(sessions: ComparedSessions) {
    this.sessions = sessions;
  }

  async provideTextDocumentContent(uri: vscode.Uri): Promise<string> {
    const [, sessionId = '', recordId = '', messageId = ''] = uri.path.split('/');
    const { hub, opened, subAgents } = this.sessions;
    const chat = await hub.current();
    const inspector =
      chat.id === sessionId
        ? chat.view.inspector
        : ((await (await opened()).find(sessionId)) ?? (await (await subAgents()).find(sessionId)));
    // Without a message id, `recordId` is the id of an original message.
    if (messageId === '') return inspector?.text(recordId, Infinity) ?? '';
    const texts = await inspector?.texts(recordId, messageId);
    if (texts === undefined) return hostText('compactionOfAnotherChat');
    return uri.query === 'before' ? texts.before : (texts.after ?? '');
  }
}

/** Compares a message and its replacement in VS Code's diff editor. */
export async function openDiffEditor(sessionId: string, recordId: string, messageId: string): Promise<void> {
  const uri = (side: 'before' | 'after') =>
    vscode.Uri.from({ scheme: documentScheme, path: `/${sessionId}/${recordId}/${messageId}`, query: side });
  await vscode.commands.executeCommand(
    'vscode.diff',
    uri('before'),
    uri('after'),
    hostText('beforeAndAfter', { messageId, recordId }),
  );
}
