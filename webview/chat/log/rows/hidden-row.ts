import { excerptOf } from '../../../../src/protocol/shown-messages.ts';
import { element, type ItemView, plainButton, setAttribute, setText } from '../../../shared/dom.ts';
import { icon } from '../../../shared/icons.ts';
import { strings } from '../../text/chat-strings.ts';
import { revealed } from '../../text/deceptive-characters.ts';
import type { HiddenRows } from './message-rows.ts';

const handWords = strings.hand;

/**
 * The line in place of hidden messages, with a button to show them again.
 *
 * @param onShow called with the messages to show
 */
export function hiddenRow(hidden: HiddenRows, onShow: (hidden: HiddenRows) => void): ItemView<HiddenRows> {
  let current = hidden;
  const text = element('span', { class: 'hidden-words' });
  const tokens = element('span', { class: 'hidden-tokens' });
  const show = plainButton({ class: 'link changes-chat' }, () => onShow(current));
  const root = element('div', { class: 'row hidden-messages' }, icon('hide'), text, tokens, show);
  const update = (next: HiddenRows) => {
    current = next;
    const { rows } = next;
    const what = wordsOf(next);
    setText(text, what);
    setAttribute(text, 'title', rows.map((row) => revealed(excerptOf(row))).join('\n'));
    const count = rows.reduce((sum, { tokens: size = 0 }) => sum + size, 0);
    setText(tokens, strings.tokensOf({ count }));
    setText(show, rows.length === 1 ? handWords.show : handWords.showAll);
    setAttribute(show, 'aria-label', handWords.showLabel({ what }));
  };
  update(hidden);
  return { element: root, update };
}

function wordsOf({ rows }: HiddenRows): string {
  const [first] = rows;
  return rows.length === 1 && first !== undefined
    ? handWords.hidden({ excerpt: revealed(excerptOf(first)) })
    : handWords.hiddenCount({ count: rows.length });
}
