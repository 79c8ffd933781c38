import type { EditsRow, FileChangeView, ToolRow } from '../../../../src/protocol/chat-rows.ts';
import {
  element,
  type ItemView,
  KeyedList,
  plainButton,
  setAttribute,
  setText,
} from '../../../shared/dom.ts';
import { listed } from '../../../shared/compaction-words.ts';
import { strings } from '../../text/chat-strings.ts';
import { revealed } from '../../text/deceptive-characters.ts';
import type { RowContext } from './row-parts.ts';

/** The files that a turn changed, each with a link to its diff, and a button to undo the changes. */
export function editsRow(row: EditsRow, { post }: RowContext): ItemView<EditsRow> {
  const title = element('span', { class: 'edits-title' });
  const counts = changeCounts(sumOf(row.files));
  const undone = element('span', { class: 'edits-undone' }, strings.editsUndone);
  const undo = plainButton(
    { class: 'link changes-chat' },
    () => post({ type: 'undo-edits', id: row.id }),
    strings.undoEdits,
  );
  const list = changeList((path) => post({ type: 'review', id: row.id, path }));
  const root = element(
    'div',
    { class: 'row edits' },
    element('div', { class: 'edits-head' }, title, counts.element, undone, undo),
    list.element,
  );
  const update = ({ files, isUndone }: EditsRow) => {
    setText(title, strings.filesChanged({ count: files.length }));
    counts.show(sumOf(files));
    undone.hidden = !isUndone;
    undo.hidden = isUndone;
    root.classList.toggle('is-undone', isUndone);
    list.show(files);
  };
  update(row);
  return { element: root, update };
}

/** The files that a call changed: next to its line if the line names the only file, otherwise in a list below it. */
export interface ToolChanges {
  readonly beside: HTMLElement;
  readonly below: HTMLElement;
  show(row: ToolRow): void;
}

export function toolChanges(onReview: (path: string) => void): ToolChanges {
  let path = '';
  const list = changeList(onReview);
  const counts = changeCounts({ added: 0, removed: 0 });
  const beside = plainButton({ class: 'only-change' }, () => onReview(path), counts.element);
  return {
    beside,
    below: list.element,
    show({ label, changes = [] }) {
      const [only] = changes;
      const isNamed = changes.length === 1 && only?.path === label;
      beside.hidden = !isNamed;
      list.element.hidden = isNamed || changes.length === 0;
      list.show(isNamed ? [] : changes);
      if (!isNamed) return;
      ({ path } = only);
      counts.show(only);
      setAttribute(beside, 'title', strings.reviewLabel({ path: revealed(path) }));
    },
  };
}

type ChangedFile = Omit<FileChangeView, 'diff'>;

/** A list of changed files with their changes. Each file has a link to the diff editor. */
interface ChangeList {
  readonly element: HTMLElement;
  show(files: readonly ChangedFile[]): void;
}

function changeList(onReview: (path: string) => void): ChangeList {
  const root = element('ul', { class: 'changes', 'aria-label': strings.changedFiles });
  const files = new KeyedList<ChangedFile>(root, {
    keyOf: ({ path }) => path,
    create: (file) => changedFile(file, onReview),
  });
  return { element: root, show: (next) => files.render(next) };
}

function changedFile(file: ChangedFile, onReview: (path: string) => void): ItemView<ChangedFile> {
  const path = revealed(file.path);
  const word = element('span', { class: 'change-word' });
  const counts = changeCounts(file);
  const update = (next: ChangedFile) => {
    setText(word, strings.changes[next.change]);
    counts.show(next);
  };
  update(file);
  const button = plainButton(
    { class: 'change', title: strings.reviewLabel({ path }) },
    () => onReview(file.path),
    element('span', { class: 'change-path code-line' }, path),
    word,
    counts.element,
  );
  return { element: element('li', {}, button), update };
}

/** The numbers of added and removed lines. */
interface ChangeCounts {
  readonly element: HTMLElement;
  show(counts: LineCounts): void;
}

interface LineCounts {
  readonly added: number;
  readonly removed: number;
}

/** Counts such as `+3 −2`, with words for screen readers. */
export function changeCounts(counts: LineCounts): ChangeCounts {
  const added = element('span', { class: 'added' });
  const removed = element('span', { class: 'removed' });
  const spoken = element('span', { class: 'spoken' });
  const show = (next: LineCounts) => {
    setText(added, strings.added({ count: next.added }));
    setText(removed, strings.removed({ count: next.removed }));
    added.hidden = next.added === 0 && next.removed > 0;
    removed.hidden = next.removed === 0;
    const { added: more, removed: fewer } = next;
    setText(
      spoken,
      listed([
        ...(more > 0 || fewer === 0 ? [strings.linesAdded({ count: more })] : []),
        ...(fewer > 0 ? [strings.linesRemoved({ count: fewer })] : []),
      ]),
    );
  };
  show(counts);
  return {
    element: element(
      'span',
      { class: 'counts' },
      element('span', { 'aria-hidden': 'true' }, added, ' ', removed),
      spoken,
    ),
    show,
  };
}

function sumOf(files: readonly LineCounts[]): LineCounts {
  return {
    added: files.reduce((sum, { added }) => sum + added, 0),
    removed: files.reduce((sum, { removed }) => sum + removed, 0),
  };
}

const markTags = { '+': 'ins', '-': 'del' } as const;

/**
 * The lines of a unified diff without headers. Consecutive lines of one kind are one element, and the signs are part
 * of the text.
 */
export function fileDiff(diff: string): HTMLElement {
  const root = element('div', { class: 'diff-lines' });
  const lines = diff.replace(/\n$/, '').split('\n');
  let run: string[] = [];
  const endRun = () => {
    if (run.length === 0) return;
    const mark = markOf(run[0] ?? '');
    const tag = mark === '+' || mark === '-' ? markTags[mark] : 'span';
    root.append(element(tag, {}, revealed(run.join('\n'))));
    run = [];
  };
  for (const line of lines) {
    if (run.length > 0 && markOf(run[0] ?? '') !== markOf(line)) endRun();
    if (!line.startsWith('@@')) run.push(line);
    else if (root.childElementCount > 0) root.append(element('span', { class: 'diff-gap' }, '⋯'));
  }
  endRun();
  return root;
}

/** Number of added and removed lines in a diff. The diff may be cut off. */
export function shownChanges(diff: string): number {
  return diff.split('\n').filter((line) => line.startsWith('+') || line.startsWith('-')).length;
}

function markOf(line: string): string {
  return line === '' ? ' ' : line.charAt(0);
}
