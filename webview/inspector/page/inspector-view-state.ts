import { type Kind, kinds, type RowFate } from '../../../src/protocol/engine-terms.ts';
import type { InspectorState } from '../../../src/protocol/inspector.ts';
import { savedFields, stringOrNone, stringsIn } from '../../shared/host.ts';

/** Fates in the order of their filters: from the least to the most that happens to a message. */
export const fateOrder = [
  'keep',
  'hide',
  'clip',
  'offload',
  'summarise',
  'drop',
  'insert',
  'restore',
] as const satisfies readonly RowFate[];

/** The tabs, in their order. */
const tabNames = ['messages', 'budget', 'timeline', 'compactions', 'what-if', 'ledger'] as const;
export type TabName = (typeof tabNames)[number];

/** Filter of the rows of a diff. */
export interface Filter {
  readonly fate?: RowFate | undefined;
  readonly kind?: Kind | undefined;
  /** Name of a tool. */
  readonly tool?: string | undefined;
  /** A part of the path. */
  readonly file?: string | undefined;
}

/** The state the page keeps while it is hidden. */
export interface InspectorViewState {
  /** Comes back with `ready`, so that a page that VS Code restored shows the session it showed before. */
  readonly sessionId?: string | undefined;
  /** Undefined until one was chosen. */
  readonly tab?: TabName | undefined;
  readonly recordId?: string | undefined;
  readonly filter: Filter;
  /** Rows of the selected record's diff that are open. */
  readonly open: readonly string[];
}

export function parseInspectorState(saved: unknown): InspectorViewState {
  const { sessionId, tab, recordId, filter, open } = savedFields(saved);
  const { fate, kind, tool, file } = savedFields(filter);
  return {
    sessionId: stringOrNone(sessionId),
    tab: tabNames.find((known) => known === tab),
    recordId: stringOrNone(recordId),
    filter: {
      fate: fateOrder.find((known) => known === fate),
      kind: kinds.find((known) => known === kind),
      tool: stringOrNone(tool),
      file: stringOrNone(file),
    },
    open: stringsIn(open),
  };
}

/** True if the session shown is the chat itself. Sub-agents and sessions of other agents are read-only. */
export function isEditable({ sessionId, chatId, messageCount }: InspectorState): boolean {
  return sessionId === chatId && messageCount === undefined;
}
