import type { ArchiveHit, FactSource } from '../../../src/protocol/inspector-ledger.ts';
import type { InspectorRequest } from '../../../src/protocol/inspector.ts';
import { kindNames, listed } from '../../shared/compaction-words.ts';
import { controlButton, createDisclosure } from '../../shared/controls.ts';
import { element, type ItemView } from '../../shared/dom.ts';
import { icon } from '../../shared/icons.ts';
import { saidBy } from '../by-hand/selected-sentence.ts';
import type { SentenceMenu } from '../by-hand/sentence-menu.ts';
import type { MessageMenu } from '../by-hand/message-menu.ts';
import type { MenuSubject } from '../by-hand/picked-messages.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.ledger.message;

export interface SaidContext {
  readonly post: (request: InspectorRequest) => void;
  readonly texts: MessageTexts;
  readonly menu: MessageMenu;
  readonly marks: SentenceMenu;
  /** False if the displayed session is read-only. */
  readonly canChange: () => boolean;
}

/** A message of the session as a line, which unfolds to its text and actions. */
export function saidMessage(
  first: FactSource | ArchiveHit,
  context: SaidContext,
): ItemView<FactSource | ArchiveHit> {
  let shown = first;
  const subject = subjectOf(first);
  const actions = element('div', { class: 'said-actions' });
  const text = element('div', { class: 'texts' });
  const line = element('span', { class: 'said-line' });
  const disclosure = createDisclosure({
    isOpen: false,
    class: 'said',
    onToggle: (isOpen) => {
      if (!isOpen) return;
      disclosure.panel.replaceChildren(text, actions);
      text.replaceChildren(element('p', { class: 'dim' }, words.loading));
      context.texts.ask(shown.messageId, (whole, isCut) =>
        text.replaceChildren(...textOf(shown, whole, isCut)),
      );
    },
  });
  disclosure.button.append(icon('chevron'), line);
  // The menu reads the state of the message each time it opens.
  context.menu.attach(disclosure.button, subject);
  const update = (message: FactSource | ArchiveHit) => {
    shown = message;
    Object.assign(subject, subjectOf(message));
    line.replaceChildren(...lineOf(message));
    actions.replaceChildren(...actionsOf(message, context));
  };
  update(first);
  return { element: element('li', {}, disclosure.button, disclosure.panel), update };
}

function subjectOf({ messageId, isInView, isHidden = false }: FactSource | ArchiveHit): MenuSubject {
  return { messageId, isInContext: isInView, isHidden };
}

function lineOf(message: FactSource | ArchiveHit): readonly HTMLElement[] {
  const { kind, title, isInView, isPinned, isHidden } = message;
  const where = isHidden === true ? inspectorTexts.byHand.hidden : isInView ? words.inView : words.inArchive;
  const place = listed([where, ...(isPinned ? [words.pinned] : [])]);
  return [
    element('i', { class: `swatch kind kind-${kind}` }),
    element('b', {}, kindNames[kind]),
    element('span', { class: 'said-title' }, title),
    element('span', { class: 'dim said-place' }, place),
    ...('tokens' in message
      ? [
          element('span', { class: 'said-tokens' }, words.tokens({ text: message.tokens })),
          element('span', { class: 'said-excerpt dim' }, ...excerptOf(message)),
        ]
      : []),
  ];
}

/** The excerpt with marked matches. */
function excerptOf({ excerpt, ranges }: ArchiveHit): readonly (HTMLElement | string)[] {
  const parts: (HTMLElement | string)[] = [];
  let end = 0;
  for (const range of ranges) {
    parts.push(excerpt.slice(end, range.start), element('mark', {}, excerpt.slice(range.start, range.end)));
    ({ end } = range);
  }
  return [...parts, excerpt.slice(end)];
}

function actionsOf(
  message: FactSource | ArchiveHit,
  { post, canChange, menu }: SaidContext,
): readonly HTMLElement[] {
  const { messageId, isInView, isPinned, isHidden } = message;
  const button = (text: string, request: InspectorRequest) =>
    controlButton({ appearance: 'secondary', onClick: () => post(request) }, text);
  return [
    ...(canChange() && !isInView && isHidden !== true
      ? [button(words.restore, { type: 'restore', messageId })]
      : []),
    ...(canChange()
      ? [button(isPinned ? words.unpin : words.pin, { type: 'pin', messageId, isPinned: !isPinned })]
      : []),
    button(words.open, { type: 'open-message', messageId }),
    ...menu.buttonsFor(subjectOf(message), 'link'),
  ];
}

function textOf(
  { kind, messageId }: FactSource | ArchiveHit,
  text: string,
  isCut: boolean,
): readonly HTMLElement[] {
  if (text === '') return [element('p', { class: 'dim' }, words.noText)];
  return [
    element('pre', { tabindex: 0, 'data-said': saidBy(kind, messageId) }, text),
    ...(isCut ? [element('p', { class: 'dim' }, words.cut)] : []),
  ];
}

/** Requests for texts that have not been answered yet. */
export class MessageTexts {
  private readonly post: (messageId: string) => void;
  private readonly waiting = new Map<string, ((text: string, isCut: boolean) => void)[]>();

  constructor(post: (messageId: string) => void) {
    this.post = post;
  }

  /** Requests a text only once for everything that shows it. */
  ask(messageId: string, show: (text: string, isCut: boolean) => void): void {
    const others = this.waiting.get(messageId);
    if (others !== undefined) others.push(show);
    else {
      this.waiting.set(messageId, [show]);
      this.post(messageId);
    }
  }

  receive(messageId: string, text: string, isCut: boolean): void {
    const waiting = this.waiting.get(messageId) ?? [];
    this.waiting.delete(messageId);
    for (const show of waiting) show(text, isCut);
  }
}
