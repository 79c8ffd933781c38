/** What of `vscode` a hub of sessions needs, for `vi.mock('vscode', …)`: events, and notices that nobody answers. */
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

/** What people were told, newest last. */
export const notices: string[] = [];
/** What is chosen in the next notice. */
export const choices: string[] = [];
/** Paths of the documents that were opened. */
export const documents: string[] = [];

const notice = (message: string) => {
  notices.push(message);
  return Promise.resolve(choices.shift());
};
export const window = {
  showWarningMessage: notice,
  showInformationMessage: notice,
  showErrorMessage: notice,
  showTextDocument: ({ fsPath }: { readonly fsPath: string }) => {
    documents.push(fsPath);
    return Promise.resolve();
  },
};
export const Uri = { file: (fsPath: string) => ({ fsPath }) };
export const env = { language: 'en' };
export const workspace = { isTrusted: true };
