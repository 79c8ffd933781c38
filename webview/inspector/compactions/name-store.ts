import type { CompactionsNotification, MissingKind } from '../../../src/protocol/inspector-compactions.ts';
import type { InspectorRequest } from '../../../src/protocol/inspector.ts';

type Listener = (names: readonly string[]) => void;

/** Names of what a compaction lost, asked for once each. */
export class NameStore {
  private readonly post: (request: InspectorRequest) => void;
  private readonly recordId: string;
  private readonly known = new Map<MissingKind, readonly string[]>();
  private readonly listeners = new Map<MissingKind, readonly Listener[]>();

  constructor(recordId: string, post: (request: InspectorRequest) => void) {
    this.recordId = recordId;
    this.post = post;
  }

  request(kind: MissingKind, listener: Listener): void {
    const known = this.known.get(kind);
    if (known !== undefined) {
      listener(known);
      return;
    }
    const waiting = this.listeners.get(kind) ?? [];
    this.listeners.set(kind, [...waiting, listener]);
    if (waiting.length === 0) this.post({ type: 'missing', recordId: this.recordId, kind });
  }

  receive({ recordId, kind, names }: Extract<CompactionsNotification, { type: 'missing' }>): void {
    if (recordId !== this.recordId) return;
    this.known.set(kind, names);
    for (const listener of this.listeners.get(kind) ?? []) listener(names);
    this.listeners.delete(kind);
  }
}
