import { render } from 'lit';
import type { MessageView } from '../../../src/protocol/inspector-records.ts';
import { messageLine } from './message-line.ts';

/** A message on one line, for code that builds elements. */
export function messageCell({
  message,
  details,
}: {
  readonly message: MessageView;
  readonly details?: readonly HTMLElement[];
}): HTMLElement {
  const parent = document.createElement('div');
  render(messageLine({ message, details }), parent);
  return parent.firstElementChild as HTMLElement;
}
