import * as vscode from 'vscode';
import type { Attachments, MessagePrice } from '../../agent/attachments/attachments.ts';
import type { AgentSession } from '../../agent/session/agent-session.ts';
import { referenceText } from '../../agent/attachments/parse-references.ts';
import { lastSaid } from '../../agent/session/pins.ts';
import { imagePart } from '../../compaction/images/image-part.ts';
import { messagesOf, recordsOf } from '../../compaction/transcript/transcript.ts';
import type { sessionJson } from '../../insights/export/session-export.ts';
import { type SessionExportFormat, sessionExportFormats } from '../../presenters/chat/command-catalogue.ts';
import { pictureSize } from '../../presenters/chat/picture-views.ts';
import type { CommandHost } from '../../presenters/chat/slash-commands.ts';
import type { Completion, CompletionTrigger, Price, PricedAttachment } from '../../protocol/chat.ts';
import type { Actions } from '../commands/actions.ts';
import { commandIds } from '../editor/ids.ts';
import { ChatPictures, type ChatPicturesPorts } from './chat-pictures.ts';
import { hostSentences } from '../../language/english/host-english.ts';
import { SentenceError } from '../../language/sentence.ts';
import { editorWording, hostText } from '../editor/editor-wording.ts';
import type { SessionHub } from '../sessions/session-hub.ts';
import { showInformation } from '../editor/plain-notices.ts';
import { saveAs } from '../editor/links.ts';

/** Maximum number of files searched for a path that the user is typing. */
const mostFiles = 5_000;
/** Milliseconds during which a list of files is reused. */
const filesStayFor = 10_000;
const mostCompletions = 30;

/** References other than files that `#` can complete. */
function aboutEditor() {
  return {
    selection: hostText('aboutSelection'),
    file: hostText('aboutFile'),
    problems: hostText('aboutProblems'),
    changes: hostText('aboutChanges'),
  };
}

/** Answers the composer's requests while the user writes a message. */
export class ComposerHost {
  readonly pictures: ChatPictures;
  private readonly attachmentsOf: (session: AgentSession) => Promise<Attachments>;
  private pricing: AbortController | undefined;
  private files: { readonly at: number; readonly paths: Thenable<readonly string[]> } | undefined;

  constructor(ports: ChatPicturesPorts) {
    this.pictures = new ChatPictures(ports);
    this.attachmentsOf = ports.attachmentsOf;
  }

  /** @returns undefined if the price of a newer text was requested in the meantime */
  async price(session: AgentSession, text: string): Promise<Price | undefined> {
    this.pricing?.abort();
    const pricing = new AbortController();
    this.pricing = pricing;
    try {
      const attachments = await this.attachmentsOf(session);
      const price = await attachments.price(text, pricing.signal);
      const { window } = session.compaction.budget;
      return {
        text,
        tokens: price.message,
        attachments: [
          ...price.attachments.map(({ label, tokens, warning, warningSentence }) => ({
            label,
            tokens,
            ...pictureOf(price, label),
            problem: warning && editorWording.stored(warningSentence, warning),
          })),
          ...price.problems.map(({ start, end, problem }) => ({
            label: text.slice(start, end),
            tokens: 0,
            problem: typeof problem === 'string' ? problem : editorWording.text(problem),
          })),
        ],
        total: price.request,
        window,
        compacts: price.trigger !== undefined,
      };
    } catch (error) {
      if (pricing.signal.aborted) return undefined;
      throw error;
    }
  }

  async complete(trigger: CompletionTrigger, query: string): Promise<readonly Completion[]> {
    switch (trigger) {
      case '/': {
        const { completeCommand } = await import('../../presenters/chat/slash-commands.ts');
        const typed = query.startsWith('/') ? query : `/${query}`;
        return completeCommand(typed).map(({ text, label, summary }) => ({
          label,
          detail: summary === undefined ? '' : editorWording.text(summary),
          insert: text,
        }));
      }
      case '#':
        return Object.entries(aboutEditor())
          .filter(([name]) => name.startsWith(query.toLowerCase()))
          .map(([name, detail]) => ({ label: `#${name}`, detail, insert: `#${name}` }));
      case '@':
        return this.completePath(query);
    }
  }

  private async completePath(query: string): Promise<readonly Completion[]> {
    if (!vscode.workspace.isTrusted) return [];
    const wanted = query.toLowerCase();
    return (await this.allFiles())
      .map((path) => ({ path, rank: rankOf(path.toLowerCase(), wanted) }))
      .filter(({ rank }) => rank < noMatch)
      .toSorted((one, other) => one.rank - other.rank || one.path.length - other.path.length)
      .slice(0, mostCompletions)
      .map(({ path }) => {
        const name = path.slice(path.lastIndexOf('/') + 1);
        const folder = path.slice(0, Math.max(0, path.length - name.length - 1));
        return { label: name, detail: folder, insert: referenceText(path) };
      });
  }

  private allFiles(): Thenable<readonly string[]> {
    const now = performance.now();
    if (this.files === undefined || now - this.files.at > filesStayFor) {
      const paths = vscode.workspace
        .findFiles('**/*', '**/{node_modules,.git}/**', mostFiles)
        .then((found) => found.map((uri) => vscode.workspace.asRelativePath(uri)));
      this.files = { at: now, paths };
    }
    return this.files.paths;
  }
}

function pictureOf({ pictures }: MessagePrice, label: string): Pick<PricedAttachment, 'picture'> {
  const picture = pictures.find((each) => each.label === label);
  return picture === undefined ? {} : { picture: { key: label, ...pictureSize(imagePart(picture.image)) } };
}

/** References to dropped files, given as URIs. A notice names files that have no URI or are outside the workspace. */
export function attachDropped(addresses: readonly string[], names: readonly string[]): string {
  const uris = addresses.map(uriOfDropped);
  const inside = uris.filter((uri) => vscode.workspace.getWorkspaceFolder(uri) !== undefined);
  const outside = [
    ...uris.filter((uri) => !inside.includes(uri)).map(({ path }) => path.slice(path.lastIndexOf('/') + 1)),
    ...names,
  ];
  if (outside.length > 0) void showInformation(hostText('droppedFromOutside', { names: outside.join(', ') }));
  return inside.map((uri) => referenceText(vscode.workspace.asRelativePath(uri))).join(' ');
}

/** URI of a dropped file. Removes the name of the remote machine, because the extension runs on that machine. */
function uriOfDropped(address: string): vscode.Uri {
  const uri = vscode.Uri.parse(address);
  return uri.scheme === 'vscode-remote' ? vscode.Uri.file(uri.path) : uri;
}

const noMatch = 4;

/** Rank of a path for typed text. Lower ranks are better. */
function rankOf(path: string, wanted: string): number {
  const name = path.slice(path.lastIndexOf('/') + 1);
  if (name.startsWith(wanted)) return 0;
  if (path.startsWith(wanted)) return 1;
  if (name.includes(wanted)) return 2;
  return path.includes(wanted) ? 3 : noMatch;
}

/** Handlers of the chat's commands. */
export function chatCommands(hub: SessionHub, actions: Actions): CommandHost {
  return {
    compact: (focus) => actions.compactNow(focus),
    selectStrategy: (id) => actions.selectStrategy(id),
    async showContext() {
      await vscode.commands.executeCommand(commandIds.openInspector);
    },
    undo: () => actions.undo(),
    async pin(messageId) {
      const { session } = await hub.current();
      const id = messageId ?? lastSaid(session.transcript);
      if (id === undefined) throw new SentenceError(hostSentences.say('noMessageToPin'));
      await actions.pin(id, true);
    },
    exportChat: async (format) => exportChat(hub, format),
    handOff: (note) => actions.handOff(note),
    async newChat() {
      await hub.newChat();
    },
    async selectModel() {
      await vscode.commands.executeCommand(commandIds.selectModel);
    },
    async showHelp(lines) {
      // Not shown as a document, because it would stay open and VS Code would ask to save it.
      const detail = lines.map((line) => editorWording.text(line)).join('\n');
      await showInformation(hostText('whatCanBeTyped'), { modal: true, detail });
    },
  };
}

const endings: Readonly<Record<SessionExportFormat, string>> = { markdown: 'md', html: 'html', json: 'json' };

async function exportChat(hub: SessionHub, asked: SessionExportFormat | undefined): Promise<void> {
  const { session } = await hub.current();
  const { transcript, title } = session;
  if (messagesOf(transcript).length === 0 && recordsOf(transcript).length === 0) {
    throw new SentenceError(hostSentences.say('nothingToExport'));
  }
  const format = asked ?? (await pickFormat());
  if (format === undefined) return;
  const name = `${title.replace(/[^\p{L}\p{N} _-]+/gu, ' ').trim() || 'chat'}.${endings[format]}`;
  const text = () => writtenAs(format, { title, entries: transcript.entries, tools: session.tools });
  const uri = await saveAs(name, text, { title: hostText('exportChat') });
  if (uri !== undefined) await vscode.window.showTextDocument(uri);
}

/** Names of the formats. A function, because the language is unknown before activation. */
function exportTexts(): Readonly<
  Record<SessionExportFormat, Pick<vscode.QuickPickItem, 'label' | 'description'>>
> {
  return {
    markdown: { label: 'Markdown', description: hostText('exportMarkdown') },
    html: { label: 'HTML', description: hostText('exportHtml') },
    json: { label: 'JSON', description: hostText('exportJson') },
  };
}

async function pickFormat(): Promise<SessionExportFormat | undefined> {
  const rows = sessionExportFormats.map((format) => ({ ...exportTexts()[format], format }));
  return (await vscode.window.showQuickPick(rows, { title: hostText('exportChatAs') }))?.format;
}

async function writtenAs(
  format: SessionExportFormat,
  session: Parameters<typeof sessionJson>[0],
): Promise<string> {
  const writers = await import('../../insights/export/session-export.ts');
  const { sessionMarkdown: markdown, sessionHtml: html, sessionJson: json } = writers;
  return { markdown, html, json }[format](session);
}
