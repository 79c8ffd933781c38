import { type ElementPart, noChange } from 'lit';
import { Directive, directive } from 'lit/directive.js';
import { guard } from 'lit/directives/guard.js';
import type { MessageMenu } from '../by-hand/message-menu.ts';
import type { MenuSubject } from '../by-hand/picked-messages.ts';

class WithMenuDirective extends Directive {
  /** The menu reads it when it opens, so it follows the message. */
  private subject: MenuSubject | undefined;

  override render(_menu: MessageMenu | undefined, _subject: MenuSubject): unknown {
    return noChange;
  }

  override update(
    { element }: ElementPart,
    [menu, subject]: [MessageMenu | undefined, MenuSubject],
  ): unknown {
    if (menu === undefined) return noChange;
    if (this.subject === undefined) menu.attach(element, (this.subject = { ...subject }));
    Object.assign(this.subject, subject);
    menu.picked.mark(element, subject);
    return noChange;
  }
}

/** Gives an element the menu of a message: `<button ${withMenu(menu, subject)}>`. */
export const withMenu = directive(WithMenuDirective);

/** Buttons of the menu for an open message, or the one button for its line. */
export function menuButtons(menu: MessageMenu | undefined, subject: MenuSubject, name?: string): unknown {
  const { messageId, isInContext, isHidden } = subject;
  return guard([menu, messageId, isInContext, isHidden], () =>
    name === undefined ? menu?.buttonsFor(subject, 'link') : menu?.moreButton(subject, name),
  );
}
