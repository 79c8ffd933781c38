/** A fake of the parts of `vscode` that the extension's hubs use, for `vi.mock('vscode', …)`. */
export class EventEmitter<T> {
  private readonly listeners = new Set<(event: T) => void>();
  readonly event = (listener: (event: T) => void) => {
    this.listeners.add(listener);
    return { dispose: () => this.listeners.delete(listener) };
  };
  fire(event: T): void {
    for (const listener of this.listeners) listener(event);
  }
  dispose(): void {
    this.listeners.clear();
  }
}

/** A fake webview. Records the messages it receives, and can send messages to the host. */
export class FakeWebview {
  readonly cspSource = 'https://webview.test';
  readonly posted: { readonly type: string }[] = [];
  options: unknown;
  html = '';
  private readonly received = new EventEmitter<unknown>();
  readonly onDidReceiveMessage = this.received.event;

  send(message: unknown): void {
    this.received.fire(message);
  }
  postMessage(message: { readonly type: string }): Promise<boolean> {
    this.posted.push(message);
    return Promise.resolve(true);
  }
  asWebviewUri(uri: unknown): unknown {
    return uri;
  }
  /** The messages of one type, oldest first. */
  postedOf(type: string): readonly { readonly type: string }[] {
    return this.posted.filter((message) => message.type === type);
  }
}

/** An editor tab with a webview. */
export class FakePanel {
  readonly webview = new FakeWebview();
  title = '';
  iconPath: unknown;
  visible = true;
  reveals = 0;
  private readonly closed = new EventEmitter<void>();
  private readonly viewState = new EventEmitter<void>();
  readonly onDidDispose = this.closed.event;
  readonly onDidChangeViewState = this.viewState.event;

  reveal(): void {
    this.reveals++;
  }
  dispose(): void {
    this.closed.fire();
  }
}

/** Notices that were shown, newest last. */
export const notices: string[] = [];
/** Buttons to choose in the next notices. */
export const choices: string[] = [];
/** Paths of the documents that were opened. */
export const documents: string[] = [];
/** The panels that were created. */
export const panels: FakePanel[] = [];
/** The commands that were run, each with its arguments. */
export const commandsRun: (readonly unknown[])[] = [];

const notice = (message: string) => {
  notices.push(message);
  return Promise.resolve(choices.shift());
};
export const window = {
  showWarningMessage: notice,
  showInformationMessage: notice,
  showErrorMessage: notice,
  setStatusBarMessage: notice,
  showTextDocument: ({ fsPath }: { readonly fsPath: string }) => {
    documents.push(fsPath);
    return Promise.resolve();
  },
  createWebviewPanel: () => {
    const panel = new FakePanel();
    panels.push(panel);
    return panel;
  },
};
export const commands = {
  executeCommand: (...command: readonly unknown[]) => {
    commandsRun.push(command);
    return Promise.resolve();
  },
};
export const Uri = {
  file: (fsPath: string) => ({ fsPath, scheme: 'file' }),
  joinPath: (_base: unknown, ...parts: readonly string[]) => ({ toString: () => parts.join('/') }),
};
export const ViewColumn = { Active: -1 };
export class ThemeIcon {
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
}
export const Disposable = {
  from: (...parts: readonly { dispose(): void }[]) => ({
    dispose: () => parts.forEach((part) => part.dispose()),
  }),
};
export const env = { language: 'en' };
export const extensions = { getExtension: () => undefined };
export const never = () => ({ dispose: () => {} });
export const languages = { onDidChangeDiagnostics: never, getDiagnostics: () => [] };
/** The workspace. Tests can change its trust and its folders. */
export const workspace = {
  isTrusted: true,
  workspaceFolders: [] as { readonly uri: { readonly fsPath: string; readonly scheme: string } }[],
  textDocuments: [],
  onDidChangeTextDocument: never,
  onDidCreateFiles: never,
};
