import { css, html, nothing, type TemplateResult } from 'lit';
import type { AttachmentView, PictureView, UserRow } from '../../../../src/protocol/chat-rows.ts';
import { component } from '../../../shared/component.ts';
import { intentOf } from '../../../shared/keyboard.ts';
import { iconTemplate } from '../../../shared/icons.ts';
import { largeButton } from '../../../shared/link-button.ts';
import { pictureFacts, thumbnail } from '../../pictures/thumbnails.ts';
import { strings } from '../../text/chat-strings.ts';
import { revealed } from '../../text/deceptive-characters.ts';
import { moreButton, pinButton, type RowContext, RowElement, tokenCount } from './row-element.ts';

const words = strings.editing;

/** A message of the user. It can be edited. */
class UserRowElement extends RowElement<UserRow> {
  static override styles = css`
    .row.user {
      position: relative;
      margin: 14px 0 10px;
      padding: 7px 10px;
      border: 1px solid var(--line);
      border-radius: 8px;
      background: var(--card);
      .rows:first-child > &:first-child {
        margin-top: 8px;
      }
      &.is-pinned > .user-text {
        padding-inline-end: 16px;
      }
    }
    .user-text {
      max-height: 24em;
      overflow: auto;
      white-space: pre-wrap;
    }
    .user-actions {
      position: absolute;
      top: 3px;
      right: 3px;
      display: flex;
      gap: 1px;
    }
    .editing-note {
      margin: 5px 0 7px;
      color: var(--dim);
      font-size: var(--small);
    }
  `;
  /** The text when editing began; undefined if the message is not being edited. */
  private draft: string | undefined;
  private isBlank = false;
  /** Selector of the element that gets the focus after the next drawing. */
  private focused: string | undefined;

  protected override willUpdate(): void {
    if (!this.hasUpdated) this.draft = this.props.context.edited.textOf(this.props.row.id);
    this.classList.toggle('is-pinned', this.props.row.isPinned === true);
  }

  protected override render(): TemplateResult {
    const { row, context } = this.props;
    const { text, pictures, attachments = [] } = row;
    return html`<span class="spoken">${strings.you}: </span>
      <div class="user-text" ?hidden=${this.draft !== undefined} .textContent=${text}></div>
      ${
        attachments.length === 0
          ? nothing
          : html`<ul class="attachments" aria-label=${strings.attachments.list}>
              ${attachments.map((attachment) => attachmentChip(attachment, context))}
            </ul>`
      }
      ${pictures === undefined ? nothing : pictureList(pictures, context)}
      ${this.draft === undefined ? this.actions() : this.editor(this.draft)}`;
  }

  protected override updated(): void {
    if (this.focused !== undefined) this.querySelector<HTMLElement>(this.focused)?.focus();
    this.focused = undefined;
  }

  private actions(): TemplateResult {
    const { row, context } = this.props;
    const edit = () => this.edit(context.edited.textOf(row.id) ?? row.text, 'textarea');
    const pin = (isPinned: boolean) => context.post({ type: 'pin', messageId: row.id, isPinned });
    return html`<span class="user-actions"
      ><button
        type="button"
        class="edit changes-chat"
        aria-label=${words.editLabel}
        title=${words.edit}
        @click=${edit}
      >
        ${iconTemplate('edit')}</button
      >${pinButton(strings.pins.message, row.isPinned, pin)}${moreButton()}</span
    >`;
  }

  /** The editor, in place of the message. */
  private editor(draft: string): TemplateResult {
    return html`<div class="editing">
      <textarea
        class="field"
        rows="2"
        aria-label=${words.label}
        .value=${draft}
        @input=${this.typed}
        @keydown=${this.keyPressed}
      ></textarea>
      <p class="editing-note">${words.explained}</p>
      <div class="buttons">
        ${largeButton(words.save, this.save, { isPrimary: true, isDisabled: this.isBlank })}
        ${largeButton(words.cancel, this.cancel)}
      </div>
    </div>`;
  }

  private readonly typed = ({ currentTarget }: InputEvent): void => {
    const { value } = currentTarget as HTMLTextAreaElement;
    this.isBlank = value.trim() === '';
    this.props.context.edited.set(this.props.row.id, value);
    this.requestUpdate();
  };

  private readonly keyPressed = (event: KeyboardEvent): void => {
    const intent = intentOf(event);
    if (intent === undefined) return;
    event.preventDefault();
    if (intent === 'submit') this.save();
    else this.cancel();
  };

  private readonly save = (): void => {
    const { row, context } = this.props;
    const text = this.querySelector('textarea')?.value.trimEnd() ?? '';
    if (text.trim() === '') return;
    // The typed text is kept until the new chat is open.
    context.post({ type: 'edit-message', id: row.id, text });
    this.edit(undefined, '.edit');
  };

  private readonly cancel = (): void => {
    this.props.context.edited.set(this.props.row.id, undefined);
    this.edit(undefined, '.edit');
  };

  private edit(draft: string | undefined, focused: string): void {
    this.draft = draft;
    this.isBlank = draft?.trim() === '';
    this.focused = focused;
    this.requestUpdate();
  }
}

export const userRow = component('cb-user-row', UserRowElement);

function pictureList(views: readonly PictureView[], { pictures }: RowContext): TemplateResult {
  return html`<ul class="pictures" aria-label=${strings.pictures.list}>
    ${views.map(
      (view, index) =>
        html`<li>
          ${thumbnail({ picture: view, label: strings.pictures.numbered({ number: index + 1 }), pictures })}
          <span class="picture-facts">${pictureFacts(view)}</span>
        </li>`,
    )}
  </ul>`;
}

/** An attachment of a sent message. A click opens a file. */
function attachmentChip(
  { label, tokens, path, lines }: AttachmentView,
  { post }: RowContext,
): TemplateResult {
  const name = revealed(label);
  const parts = html`<span class="chip-label">${name}</span>
    <span class="chip-tokens">${tokenCount(tokens)}</span>`;
  if (path === undefined) return html`<li><span class="chip" title=${name}>${parts}</span></li>`;
  const line = lines === undefined ? {} : { line: lines.first };
  return html`<li>
    <button
      type="button"
      class="chip"
      title=${strings.attachments.open({ label: name })}
      @click=${() => post({ type: 'open-file', path, ...line })}
    >
      ${parts}
    </button>
  </li>`;
}
