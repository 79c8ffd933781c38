import type { DiffMatch } from '../../../src/protocol/inspector-compactions.ts';
import type { DiffRowView, MessageView } from '../../../src/protocol/inspector-records.ts';
import type { Filter } from '../page/inspector-view-state.ts';
import type { DiffData } from './diff-data.ts';

/**
 * A line of the diff:
 * - `fold`: kept messages, folded
 * - `pair`: a message and its replacement
 * - `head`: what became of several messages, or an inserted message
 * - `message`: one of several messages
 * - `more`: unfolds the rest of several messages
 */
export interface DiffLine {
  readonly type: 'fold' | 'pair' | 'head' | 'message' | 'more';
  /** Key by which the page remembers that the line is open. */
  readonly key: string;
  readonly row: DiffRowView;
  /** The message on the left, or, in a line of type `head`, the one on the right. */
  readonly message?: MessageView | undefined;
  /** Positions of the messages among the sources of the row for which the line stands. */
  readonly from: number;
  readonly to: number;
  /** Number of lines below a head that belong to it; the last of these lines. */
  readonly below?: number;
  readonly isLast?: boolean;
  readonly isOpen: boolean;
}

/** True if the filter lets the row through. */
export function passes(row: DiffRowView, filter: Filter): boolean {
  const { kinds, output, tools = [], files = [], lostCount = 0 } = row;
  const { fate, kind, tool, file, isLost = false } = filter;
  return (
    (fate === undefined || fate === row.fate) &&
    (!isLost || lostCount > 0) &&
    (tool === undefined || tools.includes(tool)) &&
    (file === undefined || files.some((path) => path.toLowerCase().includes(file.toLowerCase()))) &&
    (kind === undefined || (kinds[kind] ?? 0) > 0 || output?.kind === kind)
  );
}

/** The lines of the rows that pass the filter, with the messages of open rows. */
export function diffLines(
  { rows = [], sources }: DiffData,
  filter: Filter,
  isOpen: (key: string) => boolean,
): readonly DiffLine[] {
  return rows
    .filter((row) => passes(row, filter))
    .flatMap((row) => {
      const all = sources.get(row.index) ?? row.sources;
      return isPair(row)
        ? [{ ...lineOf('pair', `row:${row.index}`, row, isOpen), message: row.sources[0], to: 1 }]
        : row.fate === 'keep'
          ? keptLines(row, all, isOpen)
          : blockLines(row, all, filter.isLost === true, isOpen);
    });
}

/** True for a message next to its replacement. */
function isPair({ fate, sourceCount, sources }: DiffRowView): boolean {
  return fate !== 'keep' && fate !== 'summarise' && sourceCount === 1 && sources.length === 1;
}

function keptLines(
  row: DiffRowView,
  all: readonly MessageView[],
  isOpen: (key: string) => boolean,
): readonly DiffLine[] {
  const fold = lineOf('fold', `row:${row.index}`, row, isOpen);
  if (!fold.isOpen) return [{ ...fold, to: row.sourceCount }];
  return [fold, ...all.map((message, at) => messageOf(message, at, row, isOpen))];
}

function blockLines(
  row: DiffRowView,
  all: readonly MessageView[],
  onlyLost: boolean,
  isOpen: (key: string) => boolean,
): readonly DiffLine[] {
  const head = { ...lineOf('head', `output:${row.index}`, row, isOpen), message: row.output };
  const rest = { ...lineOf('more', `more:${row.index}`, row, isOpen), to: row.sourceCount };
  const shown = onlyLost || rest.isOpen ? all : row.sources;
  const messages = shown
    .map((message, at) => messageOf(message, at, row, isOpen))
    .filter(({ message }) => !onlyLost || message?.isLost === true);
  const hasMore = !onlyLost && row.sources.length < row.sourceCount;
  const below = [...messages, ...(hasMore ? [{ ...rest, from: shown.length }] : [])];
  return [
    { ...head, below: below.length },
    ...below.map((line, index) => ({ ...line, isLast: index === below.length - 1 })),
  ];
}

function messageOf(
  message: MessageView,
  at: number,
  row: DiffRowView,
  isOpen: (key: string) => boolean,
): DiffLine {
  const line = lineOf('message', `row:${row.index}:${message.id}`, row, isOpen);
  return { ...line, message, from: at, to: at + 1 };
}

function lineOf(
  type: DiffLine['type'],
  key: string,
  row: DiffRowView,
  isOpen: (key: string) => boolean,
): DiffLine {
  return { type, key, row, from: 0, to: 0, isOpen: isOpen(key) };
}

/** Rows whose sources, and messages whose texts, the lines need from the extension. */
export function neededBy(
  lines: readonly DiffLine[],
  onlyLost: boolean,
): { readonly rows: readonly number[]; readonly texts: readonly string[] } {
  const rows = new Set<number>();
  const texts = new Set<string>();
  for (const { type, row, isOpen, message } of lines) {
    if (row.sources.length < row.sourceCount) {
      if ((isOpen && (type === 'fold' || type === 'more')) || (onlyLost && type === 'head'))
        rows.add(row.index);
    }
    if (isOpen && message !== undefined) texts.add(message.id);
  }
  return { rows: [...rows], texts: [...texts] };
}

/** Keys of the lines to open so that a message's text is visible, outermost first. */
export function keysTo(
  row: DiffRowView,
  { messageId, side }: Pick<DiffMatch, 'messageId' | 'side'>,
): string[] {
  const { index, fate, sources } = row;
  const message = `row:${index}:${messageId}`;
  if (fate === 'keep') return [`row:${index}`, message];
  if (isPair(row)) return [`row:${index}`];
  if (side === 'after') return [`output:${index}`];
  return sources.some(({ id }) => id === messageId) ? [message] : [`more:${index}`, message];
}

/** The index of the first line of the next or the previous changed row, counted from a row; continues at the other end. */
export function nextChange(
  lines: readonly DiffLine[],
  current: number | undefined,
  by: 1 | -1,
): { readonly line: number; readonly place: number } | undefined {
  const changes = [...new Set(lines.filter(({ row }) => row.fate !== 'keep').map(({ row }) => row.index))];
  const found =
    by > 0
      ? changes.findIndex((index) => index > (current ?? -1))
      : changes.findLastIndex((index) => index < (current ?? Infinity));
  const place = found >= 0 ? found : by > 0 ? 0 : changes.length - 1;
  const index = changes[place];
  const line = lines.findIndex(({ row }) => row.index === index);
  return index === undefined ? undefined : { line, place };
}
