import type { InspectorRequest, InspectorState } from '../../../src/protocol/inspector.ts';
import { plainButton } from '../../shared/dom.ts';
import { icon } from '../../shared/icons.ts';
import { type MenuItem, PopupMenu } from '../../shared/popup-menu.ts';
import { isEditable } from '../page/inspector-view-state.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { type MenuSubject, PickedMessages } from './picked-messages.ts';

const words = inspectorTexts.byHand;

/**
 * The menu of manual actions on messages. Opens by right click, Shift+F10, the context-menu key, or a button. Delete
 * hides; Ctrl or ⌘ with a click selects several.
 */
export class MessageMenu {
  readonly picked: PickedMessages;
  private readonly post: (request: InspectorRequest) => void;
  private readonly menu = new PopupMenu(words.menu);
  private sessionId: string | undefined;
  private canChange = false;

  constructor(post: (request: InspectorRequest) => void) {
    this.post = post;
    this.picked = new PickedMessages(post);
  }

  render(state: InspectorState): void {
    if (state.sessionId !== this.sessionId) this.picked.clear();
    this.sessionId = state.sessionId;
    this.canChange = isEditable(state);
  }

  /** Attaches the menu to an element. The keys work while the focus is in the element. */
  attach(target: HTMLElement, subject: MenuSubject): void {
    this.picked.mark(target, subject);
    target.addEventListener('contextmenu', (event) => {
      const groups = this.groupsFor(subject);
      if (groups.length === 0) return;
      event.preventDefault();
      event.stopPropagation();
      this.menu.open(groups, { left: event.clientX, top: event.clientY }, focusableIn(target));
    });
    target.addEventListener('keydown', (event) => {
      if (event.key !== 'Delete' || event.target !== focusableIn(target)) return;
      const request = this.hideRequest(subject);
      if (request === undefined) return;
      event.preventDefault();
      this.post(request);
    });
    target.addEventListener(
      'click',
      (event) => {
        if (!(event.ctrlKey || event.metaKey) || !this.canPick(subject)) return;
        event.preventDefault();
        event.stopImmediatePropagation();
        this.picked.toggle(subject);
      },
      { capture: true },
    );
  }

  /** A button that opens the menu of a subject; undefined if no action is possible. */
  moreButton(subject: MenuSubject, name: string): HTMLElement | undefined {
    if (this.groupsFor(subject).length === 0) return undefined;
    const more = plainButton(
      {
        class: 'more-button',
        'aria-haspopup': 'menu',
        'aria-label': words.more,
        title: words.moreOn({ name }),
      },
      () => {
        const { left, bottom } = more.getBoundingClientRect();
        this.menu.open(this.groupsFor(subject), { left, top: bottom }, more);
      },
      icon('more'),
    );
    return more;
  }

  /** Buttons for an open message: to hide or show it, and for its menu. Empty if no action is possible. */
  buttonsFor(subject: MenuSubject, className: string): readonly HTMLElement[] {
    const groups = this.groupsFor(subject);
    const [first] = groups.flat();
    if (first === undefined) return [];
    const more = plainButton(
      { class: className, 'aria-haspopup': 'menu' },
      () => {
        const { left, bottom } = more.getBoundingClientRect();
        this.menu.open(groups, { left, top: bottom }, more);
      },
      words.more,
    );
    return [plainButton({ class: className }, first.run, first.label), more];
  }

  private canPick({ messageId, isInContext, isHidden }: MenuSubject): boolean {
    return this.canChange && messageId !== undefined && (isInContext === true || isHidden === true);
  }

  private groupsFor(subject: MenuSubject): readonly (readonly MenuItem[])[] {
    if (!this.canChange) return [];
    const { messageId, isInContext, isHidden, tool, path } = subject;
    const item = (label: string, request: InspectorRequest): MenuItem => ({
      label,
      run: () => this.post(request),
    });
    const hide = this.hideRequest(subject);
    const pick = { label: words.pick, run: () => this.picked.toggle(subject) };
    const isPlace = messageId !== undefined && isInContext === true;
    return [
      [
        ...(isHidden === true && messageId !== undefined
          ? [item(words.show, { type: 'show', messageIds: [messageId] })]
          : []),
        ...(hide === undefined ? [] : [item(words.hide, hide)]),
        ...(tool === undefined
          ? []
          : [item(words.hideTool({ tool }), { type: 'hide', selection: { tool } })]),
        ...(path === undefined
          ? []
          : [item(words.hideFile({ path }), { type: 'hide', selection: { path } })]),
        ...(this.canPick(subject) ? [pick] : []),
      ],
      isPlace
        ? [
            item(words.compactAbove, { type: 'compact-part', above: messageId }),
            item(words.compactBelow, { type: 'compact-part', below: messageId }),
            item(words.goOn, { type: 'rewind', messageId }),
          ]
        : [],
    ].filter((items) => items.length > 0);
  }

  private hideRequest({ messageId, isInContext }: MenuSubject): InspectorRequest | undefined {
    if (!this.canChange || messageId === undefined || isInContext !== true) return undefined;
    return { type: 'hide', selection: { messageIds: [messageId] } };
  }
}

/** The element in the target to focus after the menu closes. */
function focusableIn(target: HTMLElement): HTMLElement {
  return target.matches('button, [tabindex]') ? target : (target.querySelector('button') ?? target);
}
