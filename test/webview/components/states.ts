import type { TemplateResult } from 'lit';
import { MessageMenu } from '../../../webview/inspector/by-hand/message-menu.ts';
import { SentenceMenu } from '../../../webview/inspector/by-hand/sentence-menu.ts';
import { emptyPage } from '../../../webview/inspector/state/page-state.ts';
import { Store } from '../../../webview/shared/store.ts';

/** The states of a component, by a short description. Each draws the component with fixed props. */
export interface ComponentStates {
  /** The component's tag, or the name of its function. */
  readonly name: string;
  readonly states: Readonly<Record<string, () => TemplateResult>>;
}

/** A component that sends requests sends them nowhere. */
export const ignored = (): void => {};

/** Actions of a page for components outside a page. They do nothing. */
export const page = {
  store: new Store(emptyPage({ filter: {}, open: [] })),
  menu: new MessageMenu(ignored),
  marks: new SentenceMenu(ignored),
  ...{ post: ignored, choose: ignored, showRecord: ignored, showDifference: ignored },
  ...{ compareWithNow: ignored, replay: ignored },
};
