import type { ChatRow } from '../../../src/protocol/chat-rows.ts';
import type { ChatRequest } from '../../../src/protocol/chat.ts';
import { shownMessageOf, type MessageRow } from '../../../src/protocol/shown-messages.ts';
import { strings } from '../text/chat-strings.ts';
import { revealed } from '../text/deceptive-characters.ts';
import { type ContextMarks, openingMessageOf } from './rows/message-rows.ts';

const words = strings.hand;

interface MessageAction {
  readonly label: string;
  readonly request: ChatRequest;
}

/** The conversation that contains a row. */
interface Surroundings {
  readonly rows: readonly ChatRow[];
  readonly marks: Pick<ContextMarks, 'isInContext'>;
  /** True if this window cannot change the chat. */
  readonly isReadOnly: boolean;
}

/** The actions on a row's message, in groups. Impossible actions and empty groups are left out. */
export function actionsOn(
  row: MessageRow,
  { rows, marks, isReadOnly }: Surroundings,
): readonly (readonly MessageAction[])[] {
  const messageId = shownMessageOf(row);
  if (messageId === undefined) return [];
  const copy = [{ label: words.copy, request: { type: 'copy-message', messageId } }] as const;
  if (isReadOnly) return [copy];
  return [
    marks.isInContext(row) ? hidingOf(row, messageId) : [],
    partsAround(row, { rows, marks }),
    copy,
  ].filter((group) => group.length > 0);
}

function hidingOf(row: MessageRow, messageId: string): readonly MessageAction[] {
  const hide = (label: string, selection: Extract<ChatRequest, { type: 'hide' }>['selection']) => ({
    label,
    request: { type: 'hide', selection } as const,
  });
  const pictures =
    row.type !== 'assistant' && row.pictures !== undefined
      ? [hide(words.hidePictures, { pictureIds: [messageId] })]
      : [];
  if (row.type !== 'tool') return [hide(words.hide, { messageIds: [messageId] }), ...pictures];
  const { tool, path, callerId } = row;
  return [
    hide(words.hide, { messageIds: [messageId] }),
    ...(callerId === undefined ? [] : [hide(words.hideExchange, { messageIds: [callerId] })]),
    ...pictures,
    hide(words.hideTool({ tool: revealed(tool) }), { tool }),
    ...(path === undefined ? [] : [hide(words.hidePath({ path: revealed(path) }), { path })]),
  ];
}

/** Actions on everything before and everything after the exchange of a row. */
function partsAround(
  row: MessageRow,
  { rows, marks }: Pick<Surroundings, 'rows' | 'marks'>,
): readonly MessageAction[] {
  const opening = openingMessageOf(row);
  const isOther = (other: ChatRow): other is MessageRow =>
    marks.isInContext(other) && openingMessageOf(other) !== opening;
  const index = rows.indexOf(row);
  const before = rows.slice(0, index).findLast(isOther);
  const after = rows.slice(index + 1).find(isOther);
  const to = before === undefined ? undefined : shownMessageOf(before);
  const actions: MessageAction[] = [];
  if (to !== undefined) actions.push({ label: words.compactAbove, request: { type: 'compact-part', to } });
  if (after === undefined) return actions;
  actions.push({
    label: words.compactBelow,
    request: { type: 'compact-part', from: openingMessageOf(after) },
  });
  if (marks.isInContext(row)) {
    actions.push({ label: words.rewind, request: { type: 'rewind', messageId: opening } });
  }
  return actions;
}
