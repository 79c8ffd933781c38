import type { InspectorRequest } from '../../../src/protocol/inspector.ts';
import type { OpenRows } from '../../shared/host.ts';
import type { DiffStore } from './diff-store.ts';

/** What the rows of one record's diff have in common. */
export interface DiffContext {
  readonly store: DiffStore;
  readonly open: OpenRows;
  /** False in a sub-agent, and once the record was undone: everything is back. */
  readonly canRestore: boolean;
  /** False where the session can only be looked at. */
  readonly canPin: boolean;
  /** Goes to another line of the diff. */
  readonly goTo: (key: string) => void;
  readonly post: (request: InspectorRequest) => void;
}
