import type { AttachmentView, PictureView, UserRow } from '../../../../src/protocol/chat-rows.ts';
import { controlButton } from '../../../shared/controls.ts';
import { element, intentOf, type ItemView, KeyedList, plainButton, setText } from '../../../shared/dom.ts';
import { icon } from '../../../shared/icons.ts';
import { pictureFacts, type Pictures } from '../../pictures/thumbnails.ts';
import { strings } from '../../text/chat-strings.ts';
import { revealed } from '../../text/deceptive-characters.ts';
import { moreButton, pinButton, type RowContext, tokenWords } from './row-parts.ts';

const rowWords = strings.editing;

/** A message of the user. It can be edited. */
export function userRow(row: UserRow, { post, edited, pictures }: RowContext): ItemView<UserRow> {
  const text = element('div', { class: 'user-text' }, row.text);
  const edit = plainButton(
    { class: 'edit changes-chat', 'aria-label': rowWords.editLabel, title: rowWords.edit },
    () => start(edited.textOf(row.id) ?? text.textContent).focus(),
    icon('edit'),
  );
  const pin = pinButton(strings.pins.message, (isPinned) =>
    post({ type: 'pin', messageId: row.id, isPinned }),
  );
  const actions = element('span', { class: 'user-actions' }, edit, pin.element, moreButton());
  // Created on demand, because most messages have no attachments.
  let attachments: AttachmentList | undefined;
  const root = element(
    'div',
    { class: 'row user' },
    element('span', { class: 'spoken' }, `${strings.you}: `),
    text,
    row.pictures === undefined ? undefined : pictureList(row.pictures, pictures),
    actions,
  );
  const start = (draft: string) => {
    const editor = messageEditor(draft, {
      onInput: (typed) => edited.set(row.id, typed),
      // The typed text is kept until the new chat is open.
      onSave: (typed) => {
        post({ type: 'edit-message', id: row.id, text: typed });
        end(editor.element);
      },
      onCancel: () => {
        edited.set(row.id, undefined);
        end(editor.element);
      },
    });
    text.hidden = true;
    // Otherwise, the buttons would cover the field.
    actions.hidden = true;
    root.append(editor.element);
    return editor;
  };
  const end = (editor: HTMLElement) => {
    editor.remove();
    text.hidden = false;
    actions.hidden = false;
    edit.focus();
  };
  const draft = edited.textOf(row.id);
  if (draft !== undefined) start(draft);
  const update = (next: UserRow) => {
    setText(text, next.text);
    pin.show(next.isPinned);
    root.classList.toggle('is-pinned', next.isPinned === true);
    if (attachments === undefined && next.attachments !== undefined) {
      attachments = attachmentList((path, line) =>
        post({ type: 'open-file', path, ...(line === undefined ? {} : { line }) }),
      );
      text.after(attachments.element);
    }
    attachments?.show(next.attachments ?? []);
  };
  update(row);
  return { element: root, update };
}

/** The pictures in a message. They never change. */
function pictureList(views: readonly PictureView[], pictures: Pictures): HTMLElement {
  const items = views.map((view, index) =>
    element(
      'li',
      {},
      pictures.thumbnail(view, strings.pictures.numbered({ number: index + 1 })),
      element('span', { class: 'picture-facts' }, pictureFacts(view)),
    ),
  );
  return element('ul', { class: 'pictures', 'aria-label': strings.pictures.list }, ...items);
}

const editingWords = strings.editing;

/** The editor for an earlier message, in place of the message. */
interface MessageEditor {
  readonly element: HTMLElement;
  focus(): void;
}

interface MessageEditorOptions {
  readonly onInput: (text: string) => void;
  /** Called with the text to send. */
  readonly onSave: (text: string) => void;
  readonly onCancel: () => void;
}

function messageEditor(text: string, options: MessageEditorOptions): MessageEditor {
  const input = element('textarea', { class: 'field', rows: 2, 'aria-label': editingWords.label });
  input.value = text;
  const save = () => {
    const typed = input.value.trimEnd();
    if (typed.trim() !== '') options.onSave(typed);
  };
  const saveButton = controlButton({ appearance: 'primary', onClick: save }, editingWords.save);
  input.addEventListener('input', () => {
    saveButton.disabled = input.value.trim() === '';
    options.onInput(input.value);
  });
  input.addEventListener('keydown', (event) => {
    const intent = intentOf(event);
    if (intent === undefined) return;
    event.preventDefault();
    if (intent === 'submit') save();
    else options.onCancel();
  });
  return {
    element: element(
      'div',
      { class: 'editing' },
      input,
      element('p', { class: 'editing-note' }, editingWords.explained),
      element(
        'div',
        { class: 'buttons' },
        saveButton,
        controlButton({ appearance: 'secondary', onClick: options.onCancel }, editingWords.cancel),
      ),
    ),
    focus: () => input.focus(),
  };
}

const attachmentWords = strings.attachments;

/** The attachments of a message. A click opens a file. */
interface AttachmentList {
  readonly element: HTMLElement;
  show(attachments: readonly AttachmentView[]): void;
}

type Placed = AttachmentView & { readonly index: number };

/** @param onOpen opens a file; `line` counts from 1 */
function attachmentList(onOpen: (path: string, line: number | undefined) => void): AttachmentList {
  const root = element('ul', { class: 'attachments', 'aria-label': attachmentWords.list });
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

/** An attachment of a sent message. It never changes. */
function attachmentChip(
  { label, tokens, path, lines }: AttachmentView,
  onOpen: (path: string, line: number | undefined) => void,
): ItemView<Placed> {
  const name = revealed(label);
  const parts = [
    element('span', { class: 'chip-label' }, name),
    element('span', { class: 'chip-tokens' }, ...tokenWords(tokens)),
  ];
  const chip =
    path === undefined
      ? element('span', { class: 'chip', title: name }, ...parts)
      : plainButton(
          { class: 'chip', title: attachmentWords.open({ label: name }) },
          () => onOpen(path, lines?.first),
          ...parts,
        );
  return { element: element('li', {}, chip), update: () => {} };
}
