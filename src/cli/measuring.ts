import type { CompactionPorts } from '../compaction/service/compact.ts';
import { type EncodingName, loadEncoding } from '../compaction/tokens/token-counter.ts';
import { UsageMeter } from '../compaction/tokens/usage.ts';
import { chooseModel } from './answering-model.ts';

/** Ports of compactions that are only measured, with a clock of fractions of a millisecond. */
export async function measuringPorts(
  model: { readonly baseUrl: string | undefined; readonly name: string | undefined },
  window: number,
): Promise<CompactionPorts> {
  const choose = await chooseModel({ replies: undefined, ...model }, window);
  let records = 0;
  return {
    meter: await createMeter('o200k_base'),
    model: (name) => choose(name),
    clock: { now: () => performance.timeOrigin + performance.now() },
    nextRecordId: () => `measured-${++records}`,
  };
}

/** A meter that counts on this thread: a command has nothing else to do meanwhile. */
export async function createMeter(encoding: EncodingName): Promise<UsageMeter> {
  const count = await loadEncoding(encoding);
  return new UsageMeter({ count: (texts) => Promise.resolve(texts.map(count)) }, { countsReasoning: true });
}

/** One column of a table: its heading, and on which side its cells line up. */
export interface Column {
  readonly heading: string;
  readonly align: 'left' | 'right';
}

/** Rows of text in aligned columns, the headings first. */
export function tableText(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
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

/** A share between 0 and 1 in per cent; a dash if there is none. */
export function percent(share: number | undefined): string {
  return share === undefined ? '–' : `${Math.floor(share * 1000) / 10} %`;
}
