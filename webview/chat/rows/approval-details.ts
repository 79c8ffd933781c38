import { element, plainButton, setText } from '../../dom.ts';
import { strings } from '../strings.ts';
import { strangeWords } from '../strange-words.ts';
import { textPieces, visibleText } from '../visible-text.ts';

const words = strings.approval;

/** From so many lines on a text may be longer than what is seen of the chat. */
const longText = 16;
/** Characters in a line of a narrow side bar. */
const lineLength = 60;

/** The text that would run, whole: it ends right above the answers, and nothing scrolls inside. */
export interface ApprovalDetails {
  readonly elements: readonly HTMLElement[];
  show(text: string): void;
}

export function approvalDetails(): ApprovalDetails {
  const text = element('pre', {
    class: 'output approval-details',
    tabindex: 0,
    role: 'group',
    'aria-label': words.details,
    dir: 'ltr',
  });
  const strange = element('p', { class: 'approval-note' });
  const length = element('span');
  const toBeginning = plainButton(
    { class: 'link' },
    () => {
      text.scrollIntoView({ block: 'start' });
      text.focus({ preventScroll: true });
    },
    words.toBeginning,
  );
  const long = element('p', { class: 'approval-note' }, length, ' ', toBeginning);
  return {
    elements: [text, strange, long],
    show(next) {
      text.replaceChildren(
        ...textPieces(next).map((piece) =>
          piece.isNamed ? element('span', { class: 'named-character' }, piece.text) : piece.text,
        ),
      );
      text.hidden = next === '';
      const found = strangeWords(next);
      setText(strange, words.strange(found.map(visibleText)));
      strange.hidden = found.length === 0;
      const lines = next.split('\n');
      const rows = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / lineLength)), 0);
      setText(length, words.length(lines.length, next.length));
      long.hidden = rows < longText;
    },
  };
}
