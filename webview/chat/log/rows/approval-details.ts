import { listed } from '../../../shared/compaction-words.ts';
import type { ShownReach, CommandTermsView, FileChangeView } from '../../../../src/protocol/chat-rows.ts';
import { element, freshId, type ItemView, plainButton, setText } from '../../../shared/dom.ts';
import { strings } from '../../text/chat-strings.ts';
import { strangeWords, textPieces, revealed } from '../../text/deceptive-characters.ts';
import { changeCounts, fileDiff, shownChanges } from './file-changes.ts';

const words = strings.approval;

/** Number of lines above which a text may not fit into the visible part of the chat. */
const longText = 16;
/** Number of characters in a line of a narrow side bar. */
const lineLength = 60;

/** The whole text that would run, without inner scrolling. It ends right above the answers. */
interface ApprovalDetails {
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
      setText(strange, words.strange({ names: listed(found.map(revealed)) }));
      strange.hidden = found.length === 0;
      const lines = next.split('\n');
      const rows = lines.reduce((sum, line) => sum + Math.max(1, Math.ceil(line.length / lineLength)), 0);
      setText(length, words.length({ lines: lines.length, characters: next.length }));
      long.hidden = rows < longText;
    },
  };
}

const reaches = ['sandbox', 'network', 'everything'] as const satisfies readonly ShownReach[];

/** The place where a command would run, and a field to change it. */
interface ApprovalTerms {
  readonly element: HTMLElement;
  /** The user's choice; undefined if the place cannot be changed. */
  readonly reach: ShownReach | undefined;
  show(terms: CommandTermsView | undefined): void;
}

/** @param onChoice called when the choice changes */
export function approvalTerms(onChoice: () => void): ApprovalTerms {
  const select = element(
    'select',
    { class: 'field', 'aria-label': words.whereItRuns },
    ...reaches.map((reach) => element('option', { value: reach }, words.reach[reach])),
  );
  const risk = element('p', { class: 'approval-note' });
  const reason = element('p', { class: 'approval-note' });
  const root = element('div', { class: 'approval-terms', id: freshId() }, reason, select, risk);
  let hasChoice = false;
  const showRisk = (none: CommandTermsView['withoutSandbox']) => {
    const reach = reaches.find((each) => each === select.value) ?? 'everything';
    const text = none === undefined ? words.risk[reach] : words.withoutSandbox[none];
    setText(risk, text);
    risk.hidden = text === '';
  };
  select.addEventListener('change', () => {
    showRisk(undefined);
    onChoice();
  });
  return {
    element: root,
    get reach() {
      return hasChoice ? reaches.find((reach) => reach === select.value) : undefined;
    },
    show(terms) {
      root.hidden = terms === undefined;
      hasChoice = terms !== undefined && terms.withoutSandbox === undefined;
      select.hidden = !hasChoice;
      select.value = terms?.reach ?? 'sandbox';
      const asks = terms?.networkReason;
      setText(reason, asks === undefined ? '' : requestForNetwork(asks));
      reason.hidden = asks === undefined;
      showRisk(terms?.withoutSandbox);
    },
  };
}

/** A planned change to a file, line by line, with a link to the whole diff. */
export function approvalFile(
  file: FileChangeView,
  onReview: (path: string) => void,
): ItemView<FileChangeView> {
  const path = revealed(file.path);
  const word = element('span', { class: 'change-word' });
  const counts = changeCounts(file);
  const lines = element('div');
  const cutOff = element('p', { class: 'cut-off' }, strings.cutOff);
  const review = plainButton(
    { class: 'link', 'aria-label': strings.reviewLabel({ path }), title: strings.reviewLabel({ path }) },
    () => onReview(file.path),
    strings.review,
  );
  const update = (next: FileChangeView) => {
    setText(word, strings.changes[next.change]);
    counts.show(next);
    lines.replaceChildren(...(next.diff === '' ? [] : [fileDiff(next.diff)]));
    cutOff.hidden = shownChanges(next.diff) >= next.added + next.removed;
  };
  update(file);
  const head = element(
    'div',
    { class: 'approval-file-head' },
    element('span', { class: 'change-path code-line' }, path),
    word,
    counts.element,
    review,
  );
  return { element: element('li', { class: 'approval-file' }, head, lines, cutOff), update };
}

export function isSameChange(shown: FileChangeView, next: FileChangeView): boolean {
  return (
    shown.change === next.change &&
    shown.added === next.added &&
    shown.removed === next.removed &&
    shown.diff === next.diff
  );
}

function requestForNetwork(reason: string): string {
  return reason === ''
    ? words.asksForNetwork
    : words.asksForNetworkBecause({ reason: revealed(reason.replace(/\s+/g, ' ')) });
}
