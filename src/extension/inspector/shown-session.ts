import type { InspectedSession } from './inspected-session.ts';
import type { InspectorModel } from './inspector-model.ts';

/** A session that can be looked at. */
export interface ShownSession {
  readonly id: string;
  readonly session: InspectedSession;
  readonly inspector: InspectorModel;
}
