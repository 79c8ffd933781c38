import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { editorWording } from './editor-wording.ts';
import { pageHtml } from '../../presenters/page-html.ts';

interface ChannelOptions<Request, Notification> {
  /** Parses a message; undefined if it is not a request. Messages are untrusted. */
  readonly parse: (message: unknown) => Request | undefined;
  readonly handle: (request: Request) => Promise<void>;
  /** Receives the errors that `handle` throws. */
  readonly report: (error: unknown) => void;
  /** Translates a message before it is posted. If absent, messages are posted unchanged. */
  readonly inLanguage?: (notification: Notification) => Notification;
  readonly log: vscode.LogOutputChannel;
}

/** The channel to a webview's page. The page must send a request before it receives messages. */
export class WebviewChannel<Request extends { readonly type: string }, Notification> {
  private readonly webview: vscode.Webview;
  private readonly inLanguage: (notification: Notification) => Notification;
  private lastRevision = 0;
  private isListening = false;

  constructor(webview: vscode.Webview, options: ChannelOptions<Request, Notification>) {
    this.webview = webview;
    this.inLanguage = options.inLanguage ?? ((notification) => notification);
    webview.onDidReceiveMessage((message: unknown) => {
      const request = options.parse(message);
      if (request === undefined) {
        options.log.warn('A webview sent a message that is no request; it was ignored.');
        return;
      }
      if (request.type === 'ready') this.isListening = true;
      options.handle(request).catch(options.report);
    });
  }

  /** True after the page has reported that it is ready. Messages posted earlier would be lost. */
  get isReady(): boolean {
    return this.isListening;
  }

  /** Resets the channel after its page was discarded. A new page reports when it is ready. */
  reset(): void {
    this.isListening = false;
  }

  /** Returns the number of the next snapshot or change. */
  nextRevision(): number {
    return ++this.lastRevision;
  }

  post(notification: Notification): void {
    void this.webview.postMessage(this.inLanguage(notification));
  }
}

/** Sets up the page of a webview and the sources from which the page may load. */
export function preparePage(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  page: { readonly name: 'chat' | 'inspector'; readonly title: string },
): void {
  const folder = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
  webview.options = { enableScripts: true, localResourceRoots: [folder] };
  webview.html = pageHtml({
    ...page,
    nonce: randomBytes(16).toString('base64url'),
    cspSource: webview.cspSource,
    uriOf: (file) => webview.asWebviewUri(vscode.Uri.joinPath(folder, file)).toString(),
    language: editorWording.language,
  });
}

/** VS Code's command that reloads every webview from the files on disk. */
const reloadCommand = 'workbench.action.webview.reloadWebviewAction';

/** Milliseconds within which one build writes all its files. */
const settling = 200;

/** Reloads the webviews when `npm run watch` has built them. A reloaded page requests a new snapshot. */
export function reloadWebviewsOnBuild({ extensionUri, subscriptions }: vscode.ExtensionContext): void {
  const folder = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
  const watcher = vscode.workspace.createFileSystemWatcher(new vscode.RelativePattern(folder, '*.{js,css}'));
  let pending: NodeJS.Timeout | undefined;
  const reload = (): void => {
    clearTimeout(pending);
    pending = setTimeout(() => void vscode.commands.executeCommand(reloadCommand), settling);
  };
  subscriptions.push(watcher, watcher.onDidChange(reload), watcher.onDidCreate(reload), {
    dispose: () => clearTimeout(pending),
  });
}
