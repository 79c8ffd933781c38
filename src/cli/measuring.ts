import type { CompactionPorts } from '../compaction/service/compact.ts';
import { encodingCounter } from '../compaction/tokens/token-counter.ts';
import type { EncodingName } from '../compaction/tokens/token-counter.ts';
import { UsageMeter } from '../compaction/tokens/usage.ts';
import { percentText } from '../language/percent.ts';
import { chooseAnsweringModel, type AnsweringModelChoice } from './answering-model.ts';

/** Ports for compactions that are only measured; the clock has sub-millisecond resolution. */
export async function measuringPorts(model: AnsweringModelChoice, window: number): Promise<CompactionPorts> {
  const choose = await chooseAnsweringModel(model, window);
  let records = 0;
  return {
    meter: createMeter('o200k_base'),
    model: (name) => choose(name),
    clock: { now: () => performance.timeOrigin + performance.now() },
    nextRecordId: () => `measured-${++records}`,
  };
}

/** A meter that counts on this thread, because a command has no other work. */
export function createMeter(encoding: EncodingName): UsageMeter {
  return new UsageMeter(encodingCounter(encoding), { countsReasoning: true });
}

/** Column of a table, with its heading and the alignment of its cells. */
export interface Column {
  readonly heading: string;
  readonly align: 'left' | 'right';
}

/** Formats rows in aligned columns below their headings. */
export function alignedTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map(({ heading }, index) =>
    rows.reduce((width, row) => Math.max(width, row[index]?.length ?? 0), heading.length),
  );
  const lineOf = (cells: readonly string[]) =>
    columns
      .map(({ align }, index) => {
        const cell = cells[index] ?? '';
        const width = widths[index] ?? 0;
        return align === 'left' ? cell.padEnd(width) : cell.padStart(width);
      })
      .join('  ')
      .trimEnd();
  return [columns.map(({ heading }) => heading), ...rows].map(lineOf).join('\n');
}

/** Formats a share from 0 to 1 as a percentage, rounded down; undefined as a dash. */
export function percent(share: number | undefined): string {
  return share === undefined ? '–' : percentText(share, 'en', { decimals: 1, roundsDown: true });
}
