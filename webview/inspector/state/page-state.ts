import type { BudgetView } from '../../../src/protocol/inspector-budget.ts';
import type { InspectorRequest, InspectorState } from '../../../src/protocol/inspector.ts';
import type { Store } from '../../shared/store.ts';
import type { MessageMenu } from '../by-hand/message-menu.ts';
import type { SentenceMenu } from '../by-hand/sentence-menu.ts';
import type { FactsAnswers } from './facts-answers.ts';
import { type MessagesData, noMessages } from './messages-data.ts';
import { type CompactionAnswers, noAnswers } from './compaction-answers.ts';
import type { InspectorViewState } from '../page/inspector-view-state.ts';
import { emptyTimeline, type TimelineSlice } from './timeline-state.ts';
import type { WhatIfAnswers } from './what-if-answers.ts';

/** The newest answer of the extension about the window of a session. */
export interface BudgetAnswer {
  readonly sessionId: string;
  readonly view: BudgetView;
}

/** Everything from which the inspector is drawn. */
export interface PageState {
  /** The newest snapshot of the displayed session; undefined until the first arrives. */
  readonly session: InspectorState | undefined;
  /** The choices of the user, which the page keeps while it is hidden. */
  readonly view: InspectorViewState;
  readonly whatIf: WhatIfAnswers;
  readonly facts: FactsAnswers;
  /** The messages of a read-only session. */
  readonly messages: MessagesData;
  readonly timeline: TimelineSlice;
  /** Answers about compactions. */
  readonly compactions: CompactionAnswers;
  /** The newest answer about the window. */
  readonly budget: BudgetAnswer | undefined;
  /** Number of times that the extension refused to move the trigger. */
  readonly triggerRefusals: number;
}

/** The page before the first answer of the extension. */
export function emptyPage(view: InspectorViewState): PageState {
  return {
    session: undefined,
    view,
    messages: noMessages,
    timeline: emptyTimeline,
    compactions: noAnswers,
    budget: undefined,
    triggerRefusals: 0,
    whatIf: {},
    facts: {},
  };
}

/** Props of every tab. The functions and objects stay the same while the page lives. */
export interface TabProps {
  readonly session: InspectorState;
  readonly view: InspectorViewState;
  readonly page: PageActions;
}

/** Actions of a part of the page outside itself. */
export interface PageActions {
  readonly store: Store<PageState>;
  /** Sends a request to the extension. */
  readonly post: (request: InspectorRequest) => void;
  /** Changes choices of the user. */
  readonly choose: (change: Partial<InspectorViewState>) => void;
  readonly showRecord: (recordId: string) => void;
  /** Compares the context after a compaction with the context now. */
  readonly compareWithNow: (recordId: string) => void;
  /** Tries other strategies on the context before another agent's compaction. */
  readonly replay: (recordId: string) => void;
  readonly showDifference: (messageId: string) => void;
  readonly menu: MessageMenu;
  readonly marks: SentenceMenu;
}
