import type { TemplateResult } from 'lit';
import { MessageMenu } from '../../../webview/inspector/by-hand/message-menu.ts';
import { SentenceMenu } from '../../../webview/inspector/by-hand/sentence-menu.ts';
import { noAnswers } from '../../../webview/inspector/state/compaction-answers.ts';
import { noMessages } from '../../../webview/inspector/state/messages-data.ts';
import { emptyTimeline } from '../../../webview/inspector/state/timeline-state.ts';
import { Store } from '../../../webview/shared/store.ts';

/** The states of a component, by a short description. Each draws the component with fixed props. */
export interface ComponentStates {
  /** The component's tag, or the name of its function. */
  readonly name: string;
  readonly states: Readonly<Record<string, () => TemplateResult>>;
}

/** A component that sends requests sends them nowhere. */
export const ignored = (): void => {};

/** What a part of the inspector can ask of its page, with no page there. */
export const page = {
  store: new Store({
    session: undefined,
    view: { filter: {}, open: [] },
    messages: noMessages,
    timeline: emptyTimeline,
    compactions: noAnswers,
    budget: undefined,
    triggerRefusals: 0,
    whatIf: {},
    facts: {},
  }),
  menu: new MessageMenu(ignored),
  marks: new SentenceMenu(ignored),
  ...{ post: ignored, choose: ignored, showRecord: ignored, showDifference: ignored },
  ...{ compareWithNow: ignored, replay: ignored },
};
