import * as vscode from 'vscode';
import { lastSaid } from '../../agent/session/pins.ts';
import { messagesOf, recordsOf } from '../../compaction/transcript.ts';
import type { sessionJson } from '../../insights/export/session-export.ts';
import type { Actions } from '../actions.ts';
import { exportFormats, type ExportFormat } from '../commands/command-catalogue.ts';
import type { CommandHost } from '../commands/run-command.ts';
import { inEditorLanguage } from '../language/in-editor-language.ts';
import { commandIds } from '../ids.ts';
import type { SessionHub } from '../session-hub.ts';

/** What the commands of the chat do. */
export function chatCommands(hub: SessionHub, actions: Actions): CommandHost {
  return {
    compact: (focus) => actions.compactNow(focus),
    selectStrategy: (id) => actions.selectStrategy(id),
    showContext: () => actions.openInspector(),
    undo: () => actions.undo(),
    async pin(messageId) {
      const { session } = await hub.current();
      const id = messageId ?? lastSaid(session.transcript);
      if (id === undefined) throw new Error(vscode.l10n.t('There is no message to pin yet.'));
      await actions.pin(id, true);
    },
    exportChat: async (format) => exportChat(hub, format),
    async newChat() {
      await hub.newChat();
    },
    async selectModel() {
      await vscode.commands.executeCommand(commandIds.selectModel);
    },
    async showHelp(text) {
      // A document would stay behind and ask to be saved.
      const lines = text.split('\n').map(inEditorLanguage);
      const detail = lines.map((line) => line.replace(/^- /u, '').replaceAll('`', '')).join('\n');
      const title = vscode.l10n.t('What can be typed in the chat');
      await vscode.window.showInformationMessage(title, { modal: true, detail });
    },
  };
}

const endings: Readonly<Record<ExportFormat, string>> = { markdown: 'md', html: 'html', json: 'json' };

async function exportChat(hub: SessionHub, asked: ExportFormat | undefined): Promise<void> {
  const { session } = await hub.current();
  const { transcript, title } = session;
  if (messagesOf(transcript).length === 0 && recordsOf(transcript).length === 0) {
    throw new Error(vscode.l10n.t('There is nothing to export yet.'));
  }
  const format = asked ?? (await pickFormat());
  if (format === undefined) return;
  const name = `${title.replace(/[^\p{L}\p{N} _-]+/gu, ' ').trim() || 'chat'}.${endings[format]}`;
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog({
    title: vscode.l10n.t('Export Chat'),
    ...(folder === undefined ? {} : { defaultUri: vscode.Uri.joinPath(folder, name) }),
  });
  if (uri === undefined) return;
  const text = await writtenAs(format, { title, entries: transcript.entries, tools: session.tools });
  await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
  await vscode.window.showTextDocument(uri);
}

async function pickFormat(): Promise<ExportFormat | undefined> {
  const picked = await vscode.window.showQuickPick([...exportFormats], {
    title: vscode.l10n.t('Export Chat As'),
  });
  return exportFormats.find((format) => format === picked);
}

async function writtenAs(format: ExportFormat, session: Parameters<typeof sessionJson>[0]): Promise<string> {
  switch (format) {
    case 'markdown':
      return (await import('../../insights/export/session-export.ts')).sessionMarkdown(session);
    case 'html':
      return (await import('../../insights/export/session-export.ts')).sessionHtml(session);
    case 'json':
      return (await import('../../insights/export/session-export.ts')).sessionJson(session);
  }
}
