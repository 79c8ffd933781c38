import { element } from '../../dom.ts';
import { visibleText } from '../visible-text.ts';

const markTags = { '+': 'ins', '-': 'del' } as const;

/** Lines of a unified diff without headers. Runs of one sort are one element; the signs stay in the text. */
export function fileDiff(diff: string): HTMLElement {
  const root = element('div', { class: 'diff-lines' });
  const lines = diff.replace(/\n$/, '').split('\n');
  let run: string[] = [];
  const endRun = () => {
    if (run.length === 0) return;
    const mark = markOf(run[0] ?? '');
    const tag = mark === '+' || mark === '-' ? markTags[mark] : 'span';
    root.append(element(tag, {}, visibleText(run.join('\n'))));
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

/** Lines that come or go which a diff shows. Fewer than there are where it was cut off. */
export function shownChanges(diff: string): number {
  return diff.split('\n').filter((line) => line.startsWith('+') || line.startsWith('-')).length;
}

function markOf(line: string): string {
  return line === '' ? ' ' : line.charAt(0);
}
