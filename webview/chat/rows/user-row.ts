import type { UserRow } from '../../../src/protocol/chat-rows.ts';
import { element, type ItemView, plainButton, setText } from '../../dom.ts';
import { icon } from '../../icons.ts';
import { strings } from '../strings.ts';
import { attachmentList, type AttachmentList } from './attachment-list.ts';
import { messageEditor } from './message-editor.ts';
import { pinButton } from './pin-button.ts';
import type { RowContext } from './row-context.ts';

const words = strings.editing;

/** What a person said, and the way to say something else instead. */
export function userRow(row: UserRow, { post, edited }: RowContext): ItemView<UserRow> {
  const text = element('div', { class: 'user-text' }, row.text);
  const edit = plainButton(
    { class: 'edit changes-chat', 'aria-label': words.editLabel, title: words.edit },
    () => start(edited.textOf(row.id) ?? text.textContent).focus(),
    icon('edit'),
  );
  const pin = pinButton(strings.pins.message, (isPinned) =>
    post({ type: 'pin', messageId: row.id, isPinned }),
  );
  // Most messages have none.
  let attachments: AttachmentList | undefined;
  const root = element(
    'div',
    { class: 'row user' },
    element('span', { class: 'spoken' }, `${strings.you}: `),
    text,
    element('span', { class: 'user-actions' }, edit, pin.element),
  );
  const start = (draft: string) => {
    const editor = messageEditor(draft, {
      onInput: (typed) => edited.set(row.id, typed),
      // What was written is kept until the other chat is there.
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
    edit.hidden = true;
    root.append(editor.element);
    return editor;
  };
  const end = (editor: HTMLElement) => {
    editor.remove();
    text.hidden = false;
    edit.hidden = false;
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
