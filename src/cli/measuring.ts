import type { CompactionPorts } from '../compaction/service/compact.ts';
import { encodingCounter } from '../compaction/tokens/token-counter.ts';
import type { EncodingName } from '../compaction/tokens/token-counter.ts';
import { UsageMeter } from '../compaction/tokens/usage.ts';
import { percentText } from '../language/percent.ts';
import { chooseAnsweringModel, type AnsweringModelChoice } from './answering-model.ts';

/** Creates ports for compactions that are only measured. The clock has sub-millisecond resolution. */
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

/** Creates a meter that counts on this thread, because a command has no other work. */
export function createMeter(encoding: EncodingName): UsageMeter {
  return new UsageMeter(encodingCounter(encoding), { countsReasoning: true });
}

/**
 * Formats rows in columns below their headings.
 *
 * @param left number of leading columns that are aligned to the left
 */
export function alignedTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  left: number,
): string {
  const lines = [headings, ...rows];
  const widths = headings.map((_heading, index) => Math.max(...lines.map((row) => row[index]?.length ?? 0)));
  const lineOf = (cells: readonly string[]) =>
    cells.map((cell, index) => (index < left ? cell.padEnd(widths[index]!) : cell.padStart(widths[index]!)));
  return lines.map((row) => lineOf(row).join('  ').trimEnd()).join('\n');
}

/** Formats a share from 0 to 1 as a percentage, rounded down; undefined as a dash. */
export function percent(share: number | undefined): string {
  return share === undefined ? '–' : percentText(share, 'en', { decimals: 1, roundsDown: true });
}
