import type { AssistantRow, ErrorRow } from '../../../../src/protocol/chat-rows.ts';
import { createDisclosure, type Disclosure } from '../../../shared/controls.ts';
import { element, type ItemView, plainButton, setText } from '../../../shared/dom.ts';
import { GrowingText } from '../../../shared/growing-text.ts';
import { icon } from '../../../shared/icons.ts';
import { strings } from '../../text/chat-strings.ts';
import { StreamingMarkdown } from '../../text/streaming-markdown.ts';
import { type FoldedText, moreButton, pinButton, type RowContext } from './row-parts.ts';

interface AssistantRowView extends ItemView<AssistantRow> {
  readonly folded: FoldedText;
}

export function assistantRow(row: AssistantRow, { post, open }: RowContext): AssistantRowView {
  const markdown = new StreamingMarkdown();
  const stopped = element(
    'p',
    { class: 'stopped', hidden: true },
    element('i', {}, strings.stopped),
    // Shown only at the end of an idle chat.
    plainButton({ class: 'link continue changes-chat' }, () => post({ type: 'retry' }), strings.goOn),
  );
  const pin = pinButton(strings.pins.answer, (isPinned) =>
    post({ type: 'pin', messageId: row.id, isPinned }),
  );
  const more = moreButton();
  const root = element(
    'div',
    { class: 'row assistant' },
    element('span', { class: 'spoken' }, `${strings.assistant}: `),
    element('span', { class: 'assistant-actions' }, pin.element, more),
    markdown.element,
    stopped,
  );
  let thinking: Disclosure | undefined;
  let thought: GrowingText | undefined;
  let reasoning = row.reasoning;

  const showThinking = () => {
    if (reasoning === '') return;
    if (thinking === undefined) {
      const key = `thinking:${row.id}`;
      thinking = createDisclosure({
        isOpen: open.has(key),
        class: 'thinking',
        onToggle: (isOpen) => {
          open.set(key, isOpen);
          showThinking();
        },
      });
      thinking.button.append(icon('chevron'), strings.thinking);
      thinking.panel.classList.add('thinking-text');
      thought = new GrowingText(thinking.panel);
      markdown.element.before(thinking.button, thinking.panel);
    }
    if (thinking.isOpen) thought?.update(reasoning);
  };

  const update = (next: AssistantRow) => {
    ({ reasoning } = next);
    showThinking();
    markdown.update(next.markdown, next.state !== 'streaming');
    stopped.hidden = next.state !== 'stopped';
    pin.show(next.isPinned);
    more.hidden = next.isPinned === undefined;
  };
  update(row);
  return {
    element: root,
    update,
    folded: {
      text: () => (thinking?.isOpen === true ? '' : reasoning),
      unfold: () => thinking?.setOpen(true),
    },
  };
}

export function errorRow(row: ErrorRow, { post }: RowContext): ItemView<ErrorRow> {
  const message = element('span', { class: 'error-message' });
  const retry = plainButton({ class: 'link changes-chat' }, () => post({ type: 'retry' }), strings.retry);
  const root = element('div', { class: 'row error' }, icon('error'), message, retry);
  const update = (next: ErrorRow) => {
    root.classList.toggle('is-stopped', next.isStopped === true);
    setText(message, next.message);
    retry.hidden = !next.canRetry;
  };
  update(row);
  return { element: root, update };
}
