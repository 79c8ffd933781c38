/** The one way out of a page. */
export interface Host<Request, Notification> {
  post(request: Request): void;
  onNotification(listener: (notification: Notification) => void): void;
  /** What this page last saved for itself. May be from an older version: read with care. */
  getState(): unknown;
  setState(state: unknown): void;
}

interface VsCodeApi {
  postMessage(message: unknown): void;
  getState(): unknown;
  setState(state: unknown): void;
}

declare function acquireVsCodeApi(): VsCodeApi;

/** Connects the page with the extension. VS Code hands its API out once: call this once. */
export function connect<Request, Notification>(): Host<Request, Notification> {
  const api = acquireVsCodeApi();
  return {
    post: (request) => api.postMessage(request),
    onNotification: (listener) => {
      window.addEventListener('message', ({ data }: MessageEvent<unknown>) => {
        if (isNotification(data)) listener(data as Notification);
      });
    },
    getState: () => api.getState(),
    setState: (state) => api.setState(state),
  };
}

/** Other windows can post messages too; the host's have a type. */
function isNotification(data: unknown): boolean {
  return typeof data === 'object' && data !== null && 'type' in data && typeof data.type === 'string';
}
