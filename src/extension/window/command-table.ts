import * as vscode from 'vscode';
import type { ChatView } from '../chat/chat-view.ts';
import type { ExtensionWatch } from '../connect/extension-watch.ts';
import { type CommandId, commandIds, viewIds } from '../editor/ids.ts';
import type { LoadedOnce } from '../editor/loaded-once.ts';
import { isRecord } from '../../language/is-record.ts';
import { parsePreviewChoice } from '../../protocol/shared-requests.ts';
import type { Services } from './services.ts';
import type { LiveStatusSwitch, SessionsSection } from './session-displays.ts';
import type { Transcripts } from './transcripts.ts';
import type { Inspector } from './views.ts';
import type { Actions } from '../commands/actions.ts';

/** Services that the commands use. */
export interface CommandPorts {
  readonly extensionUri: vscode.Uri;
  readonly subscriptions: vscode.Disposable[];
  readonly services: Services;
  readonly actions: Actions;
  readonly chat: ChatView;
  readonly inspector: Inspector;
  readonly liveStatus: LiveStatusSwitch;
  readonly sessions: SessionsSection;
  readonly extensionWatch: LoadedOnce<ExtensionWatch>;
  /** Returns the opened transcripts. Created with the first call. */
  readonly transcripts: () => Transcripts;
  /** Reads settings, keys and models again, and refreshes all views. */
  readonly refresh: () => Promise<void>;
}

type Command = (...values: readonly unknown[]) => unknown;

/** All commands of `package.json` by id. */
export function commandTable(ports: CommandPorts): Readonly<Record<CommandId, Command>> {
  return {
    ...chatCommands(ports),
    ...settingsCommands(ports),
    ...transcriptCommands(ports),
    ...sessionCommands(ports),
  };
}

/** Runs a command and shows its errors. Never rejects. @returns the command's result if it is a string */
export async function reported(
  work: () => unknown,
  actions: Pick<Actions, 'report'>,
): Promise<string | undefined> {
  try {
    const result = await work();
    return typeof result === 'string' ? result : undefined;
  } catch (error) {
    actions.report(error);
    return undefined;
  }
}

const sessionPicker = () => import('../sessions/session-picker.ts');

function chatCommands({ services, actions, chat, inspector }: CommandPorts) {
  const { hub } = services;
  return {
    [commandIds.newChat]: async () => {
      await hub.newChat();
      await vscode.commands.executeCommand(`${viewIds.chat}.focus`);
      chat.focusComposer();
    },
    [commandIds.focusChat]: async () => {
      await vscode.commands.executeCommand(`${viewIds.chat}.focus`);
      chat.focusComposer();
    },
    // The composer shows the tokens of the selection before the user sends the message.
    [commandIds.askAboutSelection]: () => chat.addToMessage('#selection'),
    [commandIds.compactNow]: () => actions.compactNow(),
    [commandIds.compactWithPreview]: (choice) => inspector.preview(parsePreviewChoice(choice)),
    [commandIds.compactWithFocus]: async () => {
      const { askForFocus } = await import('../commands/status-menu.ts');
      const focus = await askForFocus();
      if (focus !== undefined) await actions.compactNow(focus === '' ? undefined : focus);
    },
    [commandIds.undoCompaction]: () => actions.undo(),
    // Menus pass unrelated arguments. Only our own calls name a compaction or a sub-agent.
    [commandIds.openInspector]: (recordId, subAgentId) =>
      inspector.show(stringOrNothing(recordId), stringOrNothing(subAgentId)),
    [commandIds.nextChange]: () => inspector.step(1),
    [commandIds.previousChange]: () => inspector.step(-1),
    [commandIds.showSessions]: async () => (await sessionPicker()).pickSession(hub),
    [commandIds.renameSession]: async () => {
      const { renameSession, listingOf } = await sessionPicker();
      await renameSession(hub, listingOf(await hub.current()));
    },
    [commandIds.regenerateTitle]: async () => {
      const { regenerateTitle } = await import('../commands/regenerate-title.ts');
      await regenerateTitle(hub, services.provider);
    },
    [commandIds.deleteSession]: async () => {
      const { deleteSession, listingOf } = await sessionPicker();
      await deleteSession(hub, listingOf(await hub.current()));
    },
    [commandIds.hideRow]: () => chat.actOnRow('hide'),
    [commandIds.showRow]: () => chat.actOnRow('show'),
    [commandIds.handOff]: () => actions.handOff(),
  } satisfies Record<string, Command>;
}

function settingsCommands({ services, actions, refresh }: CommandPorts) {
  const { agent, consent, hub, keys, log, provider, settings } = services;
  return {
    [commandIds.selectStrategy]: () => actions.selectStrategy(),
    [commandIds.configureStrategy]: async () => {
      const { configureStrategy } = await import('../settings/configure-strategy.ts');
      await configureStrategy(settings().strategy.id);
    },
    [commandIds.moveSettings]: async () => (await import('../settings/move-settings.ts')).moveSettings(),
    [commandIds.setApiKey]: () => actions.setApiKey(),
    [commandIds.clearApiKey]: () => actions.clearApiKey(),
    [commandIds.showLog]: () => log.show(),
    [commandIds.showMenu]: async (usage) =>
      (await import('../commands/status-menu.ts')).showStatusMenu(stringOrNothing(usage)),
    [commandIds.selectModel]: async () => {
      const { selectModel } = await import('../models/select-model.ts');
      await selectModel(provider, keys, settings);
      // Conflicts between settings are reported when all settings have been written.
      await refresh();
    },
    [commandIds.manageApprovals]: async () => {
      const { manageApprovals } = await import('../commands/manage-permissions.ts');
      manageApprovals(await (await hub.current()).rules.rules);
    },
    [commandIds.manageUnencrypted]: async () =>
      (await import('../commands/manage-permissions.ts')).manageClearText(consent),
    [commandIds.setMcpSecret]: () => agent.askForSecret(),
    [commandIds.reviewMcpServers]: () => agent.reviewServers(),
    [commandIds.openMemory]: () => agent.openMemory(),
  } satisfies Record<string, Command>;
}

function transcriptCommands(ports: CommandPorts) {
  const { extensionUri, subscriptions, services, actions, extensionWatch, transcripts } = ports;
  const { engine, foreignSessions, hub, log, meterOf, systemPrompt, transcriptPorts } = services;
  return {
    [commandIds.openTranscript]: async (argument) => transcripts().open(fileOf(argument)),
    [commandIds.showNotices]: () => transcripts().showNotices(),
    [commandIds.openSampleSession]: async () =>
      transcripts().open(vscode.Uri.joinPath(extensionUri, 'samples', 'sessions', 'claude-code.jsonl')),
    [commandIds.connectAgent]: async () =>
      (await import('../connect/connect-agent.ts')).connectAgent(extensionUri),
    [commandIds.disconnectAgent]: async () => (await import('../connect/connect-agent.ts')).disconnectAgent(),
    [commandIds.watchAgent]: async () => {
      const { watchAgent } = await import('../connect/watch-agent.ts');
      await watchAgent({
        ...{ extensionUri, log, subscriptions, extensionWatch: await extensionWatch.get() },
        open: async (recording) => {
          const { catalogue } = await foreignSessions();
          await transcripts().open(vscode.Uri.file(await catalogue.sessionRecordedAt(recording)));
        },
        report: (error) => actions.report(error),
      });
    },
    [commandIds.stopWatching]: async () => (await extensionWatch.get()).stop(),
    [commandIds.handOffSession]: async (argument) => {
      const file = fileOf(argument);
      if (file === undefined) return actions.handOff();
      const transcript = await transcripts().read(file);
      if (transcript === undefined) return undefined;
      return actions.handOff(undefined, { id: transcript.path, session: transcript.session });
    },
    [commandIds.importSession]: async (argument) => {
      const { importSession } = await import('../import/import-session.ts');
      const { listedAs } = transcriptPorts;
      const parts = { engine, meterOf, systemPrompt, listedAs };
      const isOpen = await importSession(hub, parts, log, fileOf(argument));
      if (!isOpen) return undefined;
      await vscode.commands.executeCommand(`${viewIds.chat}.focus`);
      return (await hub.current()).id;
    },
  } satisfies Record<string, Command>;
}

function sessionCommands({ services, liveStatus, sessions }: CommandPorts) {
  const { hub } = services;
  return {
    [commandIds.refreshSessions]: () => sessions.refresh(),
    [commandIds.moreSessions]: async (node) => (await sessions.load()).tree.more(node),
    [commandIds.openChat]: async (id) => {
      const chat = stringOrNothing(id);
      if (chat !== undefined) await hub.open(chat);
      await vscode.commands.executeCommand(`${viewIds.chat}.focus`);
    },
    [commandIds.revealSession]: async (argument) => {
      const file = fileOf(argument);
      // The URI of a session in a database has the session's id after the file name.
      const path = file?.with({ path: file.path.replace(/\.db#\w+$/u, '.db') });
      if (path === undefined) return;
      // VS Code in a browser cannot show a file in the operating system's file manager.
      const commands = await vscode.commands.getCommands();
      const isThere = commands.includes('revealFileInOS') && vscode.env.remoteName === undefined;
      await vscode.commands.executeCommand(isThere ? 'revealFileInOS' : 'vscode.open', path);
    },
    [commandIds.toggleLiveStatus]: () => liveStatus.toggle(),
  } satisfies Record<string, Command>;
}

const stringOrNothing = (value: unknown): string | undefined =>
  typeof value === 'string' ? value : undefined;

/** The file that a command concerns: its argument, or the file of a row in the tree of sessions. */
function fileOf(value: unknown): vscode.Uri | undefined {
  const file = isRecord(value) && 'session' in value ? value['uri'] : value;
  return file instanceof vscode.Uri ? file : undefined;
}
