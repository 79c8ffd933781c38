import type { AttachmentView } from '../../../src/protocol/chat-rows.ts';
import { element, type ItemView, KeyedList, plainButton } from '../../dom.ts';
import { strings } from '../strings.ts';
import { visibleText } from '../visible-text.ts';
import { tokenWords } from './token-words.ts';

const words = strings.attachments;

/** What went along with a message, each file a way to it. */
export interface AttachmentList {
  readonly element: HTMLElement;
  show(attachments: readonly AttachmentView[]): void;
}

type Placed = AttachmentView & { readonly index: number };

/** @param onOpen `line` counts from 1 */
export function attachmentList(onOpen: (path: string, line: number | undefined) => void): AttachmentList {
  const root = element('ul', { class: 'attachments', 'aria-label': words.list });
  const items = new KeyedList<Placed>(root, {
    keyOf: ({ index, label, tokens }) => `${index} ${tokens} ${label}`,
    create: (attachment) => attachmentChip(attachment, onOpen),
    isSame: () => true,
  });
  return {
    element: root,
    show(attachments) {
      root.hidden = attachments.length === 0;
      items.render(attachments.map((attachment, index) => ({ ...attachment, index })));
    },
  };
}

/** What was sent does not change. */
function attachmentChip(
  { label, tokens, path, lines }: AttachmentView,
  onOpen: (path: string, line: number | undefined) => void,
): ItemView<Placed> {
  const name = visibleText(label);
  const parts = [
    element('span', { class: 'chip-label' }, name),
    element('span', { class: 'chip-tokens' }, ...tokenWords(tokens)),
  ];
  const chip =
    path === undefined
      ? element('span', { class: 'chip', title: name }, ...parts)
      : plainButton({ class: 'chip', title: words.open(name) }, () => onOpen(path, lines?.first), ...parts);
  return { element: element('li', {}, chip), update: () => {} };
}
