import type { DiffRowView, MessageView } from '../../../src/protocol/inspector-records.ts';
import type { DiffContext } from './diff-context.ts';
import { fateChip, messageCell } from './message-cell.ts';
import { opening } from './opening.ts';
import { textsPanel } from './texts-panel.ts';

/** Messages of the view before, one below the other; each opens to its text. */
export function sourceMessages(
  messages: readonly MessageView[],
  row: DiffRowView,
  context: DiffContext,
): readonly HTMLElement[] {
  return messages.flatMap((message) => sourceMessage(message, row, context));
}

function sourceMessage(
  message: MessageView,
  { index, fate, output }: DiffRowView,
  context: DiffContext,
): readonly HTMLElement[] {
  const { button, panel } = opening(
    {
      key: `row:${index}:${message.id}`,
      class: 'message',
      fill: (target) => {
        const standIn = output === undefined || fate === 'keep' ? undefined : `output:${index}`;
        target.append(textsPanel({ message, fate, sides: 'before', standIn }, context));
      },
    },
    context,
  );
  const details = fate === 'keep' ? [] : [fateChip(fate)];
  button.append(messageCell({ message, details, hasChevron: true }));
  return [button, panel];
}
