/** The fake window with documents that have URIs, for `vi.mock('vscode', …)`. */
import { EventEmitter, Uri as plainUri, workspace as plainWorkspace } from './vscode-window.ts';

export * from './vscode-window.ts';

const closed = new EventEmitter<{ readonly uri: unknown }>();

/** Reports that no editor shows a document any more. */
export function closeDocument(uri: unknown): void {
  closed.fire({ uri });
}

interface Parts {
  readonly scheme: string;
  readonly path: string;
  readonly query: string;
}

export const Uri = {
  ...plainUri,
  from: (parts: Parts) => ({ ...parts, toString: () => `${parts.scheme}:${parts.path}?${parts.query}` }),
};

export const workspace = Object.assign(plainWorkspace, {
  registerTextDocumentContentProvider: () => ({ dispose: () => {} }),
  onDidCloseTextDocument: closed.event,
});
