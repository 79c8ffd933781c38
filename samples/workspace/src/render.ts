import type { Day, Note } from './note.ts';
import type { Finding } from './store.ts';
import { daysBetween, formatDay } from './when.ts';

/** How notes are shown: with colours for a terminal, without for a pipe. */
export interface Style {
  readonly colours: boolean;
  /** Width in columns to which a text is cut. Undefined cuts nothing. */
  readonly width: number | undefined;
  readonly today: Day;
}

const escape = '\u001b[';

/** Shows notes as a table: id, due day, tags, text. Columns that no note has are left out. */
export function renderNotes(notes: readonly Note[], style: Style): string {
  const rows = notes.map((note) => ({
    id: note.id,
    due: note.due === null ? '' : dueLabel(note.due, style.today),
    tags: note.tags.map((tag) => `#${tag}`).join(' '),
    note,
  }));
  const width = (column: 'id' | 'due' | 'tags'): number =>
    Math.max(0, ...rows.map((row) => columnsOf(row[column])));
  const widths = { id: width('id'), due: width('due'), tags: width('tags') };
  return rows
    .map(({ id, due, tags, note }) => {
      const cells = [
        paint(pad(id, widths.id), 'yellow', style),
        paint(pad(due, widths.due), isOverdue(note, style.today) ? 'red' : 'cyan', style),
        paint(pad(tags, widths.tags), 'green', style),
      ].filter((_cell, index) => [widths.id, widths.due, widths.tags][index]! > 0);
      const used = Object.values(widths).reduce((sum, columns) => sum + (columns > 0 ? columns + 2 : 0), 0);
      const left = style.width === undefined ? Infinity : Math.max(20, style.width - used);
      return [...cells, cut(firstLine(note.text), left)].join('  ').trimEnd();
    })
    .join('\n');
}

/** Tells what was wrong with a log. */
export function renderFindings(findings: readonly Finding[]): string {
  return findings
    .map(({ line, bytes, damage, savedTo }) => {
      const fate = savedTo === undefined ? 'left as it is' : `set aside in ${savedTo}`;
      return `line ${line}: ${damage}, ${bytes} bytes, ${fate}`;
    })
    .join('\n');
}

function dueLabel(due: Day, today: Day): string {
  const days = daysBetween(today, due);
  if (days === 0) return 'due today';
  if (days === 1) return 'due tomorrow';
  if (days < 0) return `overdue ${-days} ${days === -1 ? 'day' : 'days'}`;
  return `due ${formatDay(due, today)}`;
}

function isOverdue({ due }: Note, today: Day): boolean {
  return due !== null && due < today;
}

function firstLine(text: string): string {
  const [first = '', ...rest] = text.split('\n');
  return rest.length === 0 ? first : `${first} …`;
}

/** Cuts a text that is too wide and says so with an ellipsis. */
function cut(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let kept = '';
  let used = 1;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += columnsOf(segment);
    if (used > columns) break;
    kept += segment;
  }
  return `${kept}…`;
}

function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - columnsOf(text)));
}

// TODO: flags and families of emoji are drawn one column wide here, two by most terminals. Only looks suffer.

/** Characters that a terminal draws two columns wide. */
const wide =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\u3000-\u303f\uff01-\uff60]|\p{Emoji_Presentation}/u;

function columnsOf(text: string): number {
  let columns = 0;
  for (const { segment } of new Intl.Segmenter().segment(text)) columns += wide.test(segment) ? 2 : 1;
  return columns;
}

const colours = { red: 31, green: 32, yellow: 33, cyan: 36 };

function paint(text: string, colour: keyof typeof colours, { colours: isOn }: Style): string {
  return isOn && text.trim() !== '' ? `${escape}${colours[colour]}m${text}${escape}0m` : text;
}
