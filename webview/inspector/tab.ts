import type { InspectorNotification, InspectorState } from '../../src/protocol/inspector.ts';

/** What a tab of the inspector shows. It is made when somebody first looks at it. */
export interface InspectorTab {
  readonly element: HTMLElement;
  /** Called when the tab comes to be shown, and with every state while it is. */
  render(state: InspectorState): void;
  /** Called with everything but states, also while another tab is shown. */
  receive(notification: InspectorNotification): void;
}
