import { type Kind, kinds, type RowFate } from '../../../src/protocol/engine-terms.ts';
import type { InspectorState } from '../../../src/protocol/inspector.ts';
import { savedFields, stringOrNone, stringsIn } from '../../shared/host.ts';

/** Fates in the order of their filters, from the smallest to the largest change. */
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

const tabNames = ['messages', 'budget', 'timeline', 'compactions', 'what-if', 'ledger'] as const;
export type TabName = (typeof tabNames)[number];

/** Filter of the rows of a diff. */
export interface Filter {
  readonly fate?: RowFate | undefined;
  readonly kind?: Kind | undefined;
  readonly tool?: string | undefined;
  /** A part of the file's path. */
  readonly file?: string | undefined;
  /** True for messages with facts that are no longer in context. */
  readonly isLost?: boolean | undefined;
}

/** The state that the page keeps while it is hidden. */
export interface InspectorViewState {
  /** Id of the displayed session. Sent with `ready`, so that a page that VS Code restores shows the same session. */
  readonly sessionId?: string | undefined;
  /** The chosen tab; undefined until the user chooses one. */
  readonly tab?: TabName | undefined;
  readonly recordId?: string | undefined;
  readonly filter: Filter;
  /** Keys of open rows in the selected record's diff. */
  readonly open: readonly string[];
  /** Key of the chosen tile in the picture of the window. */
  readonly tile?: string | undefined;
}

export function parseInspectorState(saved: unknown): InspectorViewState {
  const { sessionId, tab, recordId, filter, open, tile } = savedFields(saved);
  const { fate, kind, tool, file, isLost } = savedFields(filter);
  return {
    sessionId: stringOrNone(sessionId),
    tab: tabNames.find((known) => known === tab),
    recordId: stringOrNone(recordId),
    filter: {
      fate: fateOrder.find((known) => known === fate),
      kind: kinds.find((known) => known === kind),
      tool: stringOrNone(tool),
      file: stringOrNone(file),
      isLost: isLost === true || undefined,
    },
    open: stringsIn(open),
    tile: stringOrNone(tile),
  };
}

/** True if the displayed session is the chat itself. Sub-agents and other agents' sessions are read-only. */
export function isEditable({ sessionId, chatId, messageCount }: InspectorState): boolean {
  return sessionId === chatId && messageCount === undefined;
}
