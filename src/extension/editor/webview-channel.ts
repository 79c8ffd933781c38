import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { editorWording } from './editor-wording.ts';
import { pageHtml } from '../../presenters/page-html.ts';

/** Parts of a channel to a webview. */
interface ChannelOptions<Request, Notification> {
  /** Parses a message; undefined if it is not a request. Messages are untrusted. */
  readonly parse: (message: unknown) => Request | undefined;
  readonly handle: (request: Request) => Promise<void>;
  /** Told of what `handle` threw. */
  readonly report: (error: unknown) => void;
  /** Puts what is posted into the language of the reader. Posted as it is if not given. */
  readonly inLanguage?: (notification: Notification) => Notification;
  readonly log: vscode.LogOutputChannel;
}

/** Talks to the document of one webview, which asks before it is told anything. */
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

  /** False until the document has said that it is ready: what is posted before that would be lost on it. */
  get isReady(): boolean {
    return this.isListening;
  }

  /** The document went away. A new one says again when it is ready. */
  reset(): void {
    this.isListening = false;
  }

  /** The number of the next snapshot or change. */
  nextRevision(): number {
    return ++this.lastRevision;
  }

  post(notification: Notification): void {
    void this.webview.postMessage(this.inLanguage(notification));
  }
}

/** Sets a webview up: what it may load, and its page. */
export function preparePage(
  webview: vscode.Webview,
  extensionUri: vscode.Uri,
  page: { readonly name: 'chat' | 'inspector'; readonly title: string },
): void {
  const folder = vscode.Uri.joinPath(extensionUri, 'dist', 'webview');
  webview.options = { enableScripts: true, localResourceRoots: [folder] };
  webview.html = pageHtml({
    title: page.title,
    nonce: randomBytes(16).toString('base64url'),
    cspSource: webview.cspSource,
    scriptUri: webview.asWebviewUri(vscode.Uri.joinPath(folder, `${page.name}.js`)).toString(),
    styleUri: webview.asWebviewUri(vscode.Uri.joinPath(folder, `${page.name}.css`)).toString(),
    language: editorWording.language,
  });
}

/** VS Code's own command: every webview is loaded again, from the files on disk. */
const reloadCommand = 'workbench.action.webview.reloadWebviewAction';

/** Milliseconds in which the files of one build arrive. */
const settling = 200;

/**
 * Reloads the webviews whenever `npm run watch` has built them again. Only for development: a page that is loaded
 * again asks its host for a new snapshot, so that nothing is lost.
 */
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
