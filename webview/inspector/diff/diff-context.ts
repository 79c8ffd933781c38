import type { InspectorRequest } from '../../../src/extension/protocol/inspector.ts';
import type { OpenRows } from '../../remembered.ts';
import type { DiffStore } from './diff-store.ts';

/** What the rows of one record's diff have in common. */
export interface DiffContext {
  readonly store: DiffStore;
  readonly open: OpenRows;
  /** False once the record was undone: everything is back. */
  readonly canRestore: boolean;
  readonly post: (request: InspectorRequest) => void;
}
