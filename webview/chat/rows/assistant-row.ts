import type { AssistantRow } from '../../../src/protocol/chat-rows.ts';
import { createDisclosure, type Disclosure } from '../../disclosure.ts';
import { element, type ItemView, plainButton, setText } from '../../dom.ts';
import { icon } from '../../icons.ts';
import { strings } from '../strings.ts';
import { StreamingMarkdown } from '../streaming-markdown.ts';
import type { FoldedText } from './folded-text.ts';
import { pinButton } from './pin-button.ts';
import type { RowContext } from './row-context.ts';

export interface AssistantRowView extends ItemView<AssistantRow> {
  readonly folded: FoldedText;
}

export function assistantRow(row: AssistantRow, { post, open }: RowContext): AssistantRowView {
  const markdown = new StreamingMarkdown();
  const stopped = element(
    'p',
    { class: 'stopped', hidden: true },
    element('i', {}, strings.stopped),
    // Shown at the end of a chat that is at rest.
    plainButton({ class: 'link continue changes-chat' }, () => post({ type: 'retry' }), strings.goOn),
  );
  const pin = pinButton(strings.pins.answer, (isPinned) =>
    post({ type: 'pin', messageId: row.id, isPinned }),
  );
  const root = element(
    'div',
    { class: 'row assistant' },
    element('span', { class: 'spoken' }, `${strings.assistant}: `),
    pin.element,
    markdown.element,
    stopped,
  );
  let thinking: Disclosure | undefined;
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
      markdown.element.before(thinking.button, thinking.panel);
    }
    if (thinking.isOpen) setText(thinking.panel, reasoning);
  };

  const update = (next: AssistantRow) => {
    ({ reasoning } = next);
    showThinking();
    markdown.update(next.markdown, next.state !== 'streaming');
    stopped.hidden = next.state !== 'stopped';
    pin.show(next.isPinned);
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
