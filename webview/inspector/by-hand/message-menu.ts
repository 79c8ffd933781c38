import { html, nothing, type TemplateResult } from 'lit';
import type { DirectiveResult } from 'lit/directive.js';
import { ref } from 'lit/directives/ref.js';
import type { InspectorRequest, InspectorState } from '../../../src/protocol/inspector.ts';
import { iconTemplate } from '../../shared/icons.ts';
import { type MenuItem, PopupMenu } from '../../shared/popup-menu.ts';
import { linkButton } from '../../shared/link-button.ts';
import { isEditable } from '../page/inspector-view-state.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { type MenuSubject, PickedMessages } from './picked-messages.ts';

const words = inspectorTexts.byHand;

/**
 * The menu of manual actions on messages. Opens by right click, Shift+F10, the context-menu key, or a button. Delete
 * hides; Ctrl or ⌘ with a click selects several. Elements get it with `menuFor`; the page listens once for all.
 */
export class MessageMenu {
  readonly picked: PickedMessages;
  private readonly post: (request: InspectorRequest) => void;
  private readonly menu = new PopupMenu(words.menu);
  private readonly subjects = new WeakMap<Element, MenuSubject>();
  private sessionId: string | undefined;
  private canChange = false;

  constructor(post: (request: InspectorRequest) => void) {
    this.post = post;
    this.picked = new PickedMessages(post);
    document.addEventListener('contextmenu', (event) => {
      const [target, subject] = this.subjectAt(event);
      const groups = subject === undefined ? [] : this.groupsFor(subject);
      if (target === undefined || groups.length === 0) return;
      event.preventDefault();
      this.menu.open(groups, { left: event.clientX, top: event.clientY }, focusableIn(target));
    });
    document.addEventListener('keydown', (event) => {
      const [target, subject = {}] = event.key === 'Delete' ? this.subjectAt(event) : [];
      if (target === undefined || event.target !== focusableIn(target)) return;
      const request = this.hideRequest(subject);
      if (request === undefined) return;
      event.preventDefault();
      this.post(request);
    });
    // Captured, so that the click does not open the row as well.
    document.addEventListener('click', (event) => this.clicked(event), { capture: true });
  }

  render(state: InspectorState): void {
    if (state.sessionId !== this.sessionId) this.picked.clear();
    this.sessionId = state.sessionId;
    this.canChange = isEditable(state);
  }

  /** Attaches the menu to an element. The keys work while the focus is in the element. */
  attach(target: Element, subject: MenuSubject): void {
    this.subjects.set(target, subject);
    target.toggleAttribute('data-subject', true);
    this.picked.mark(target, subject);
  }

  /** Opens the menu of a subject below a button. */
  openBelow(subject: MenuSubject, button: HTMLElement): void {
    this.menu.openBelow(this.groupsFor(subject), button);
  }

  /** The possible actions on a subject, in groups. Empty in a read-only session. */
  groupsFor(subject: MenuSubject): readonly (readonly MenuItem[])[] {
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

  private clicked(event: MouseEvent): void {
    const [, subject] = event.ctrlKey || event.metaKey ? this.subjectAt(event) : [];
    if (subject === undefined || !this.canPick(subject)) return;
    event.preventDefault();
    event.stopPropagation();
    this.picked.toggle(subject);
  }

  private subjectAt({ target }: Event): readonly [HTMLElement, MenuSubject] | readonly [] {
    const place = target instanceof Element ? target.closest<HTMLElement>('[data-subject]') : null;
    const subject = place === null ? undefined : this.subjects.get(place);
    return place === null || subject === undefined ? [] : [place, subject];
  }

  private canPick({ messageId, isInContext, isHidden }: MenuSubject): boolean {
    return this.canChange && messageId !== undefined && (isInContext === true || isHidden === true);
  }

  private hideRequest({ messageId, isInContext }: MenuSubject): InspectorRequest | undefined {
    if (!this.canChange || messageId === undefined || isInContext !== true) return undefined;
    return { type: 'hide', selection: { messageIds: [messageId] } };
  }
}

/** A button that opens the menu of a subject; nothing if no action is possible. */
export function menuButton(menu: MessageMenu | undefined, subject: MenuSubject, name: string): unknown {
  if (menu === undefined || menu.groupsFor(subject).length === 0) return nothing;
  return html`<button
    type="button"
    class="more-button"
    aria-haspopup="menu"
    aria-label=${words.more}
    title=${words.moreOn({ name })}
    @click=${opening(menu, subject)}
  >
    ${iconTemplate('more')}
  </button>`;
}

/** Buttons for an open message: its first action, and its menu. Empty if no action is possible. */
export function messageButtons(
  menu: MessageMenu | undefined,
  subject: MenuSubject,
): readonly TemplateResult[] {
  const [first] = menu?.groupsFor(subject).flat() ?? [];
  if (menu === undefined || first === undefined) return [];
  return [
    linkButton(first.label, first.run),
    linkButton(words.more, opening(menu, subject), { opensMenu: true }),
  ];
}

function opening(menu: MessageMenu, subject: MenuSubject): (event: MouseEvent) => void {
  return ({ currentTarget }) => menu.openBelow(subject, currentTarget as HTMLElement);
}

/** Gives an element the menu of a message or of a group of messages: `<button ${menuFor(menu, subject)}>`. */
export function menuFor(menu: MessageMenu | undefined, subject: MenuSubject): DirectiveResult {
  return ref((element) => {
    if (element !== undefined) menu?.attach(element, subject);
  });
}

/** The element in the target to focus after the menu closes. */
function focusableIn(target: HTMLElement): HTMLElement {
  return target.matches('button, [tabindex]') ? target : (target.querySelector('button') ?? target);
}
