import { type ViewPoint, viewPoints } from '../insights/view-points.ts';
import { viewDifference } from '../insights/view-difference.ts';
import { format } from '../insights/export/record-export.ts';
import { type ExitCode, type Io, UsageError } from './command.ts';
import { rowTexts } from './diff-text.ts';
import { readTranscriptInput } from './files.ts';
import { createMeter } from './measuring.ts';

interface ViewDiffOptions {
  readonly id?: string | undefined;
  readonly html?: string | undefined;
  readonly json: boolean;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/**
 * Prints the difference between the context at two points of a transcript. A point is a request's number, or a
 * compaction's id for the context right after it. By default, `to` is the end of the transcript.
 * @throws {UsageError} if a point is missing or unknown, or the options contradict each other
 */
export async function printViews(path: string, options: ViewDiffOptions, io: Io): Promise<ExitCode> {
  if (options.id !== undefined || options.html !== undefined) {
    throw new UsageError('--from does not go with --id or --html.');
  }
  if (options.from === undefined) throw new UsageError('--to requires --from.');
  const { transcript } = await readTranscriptInput(path, io);
  const { entries } = transcript;
  const points = viewPoints(entries);
  const ends = [
    placeOf('from', options.from, points),
    options.to === undefined ? entries.length : placeOf('to', options.to, points),
  ] as const;
  const span = { from: Math.min(...ends), to: Math.max(...ends) };
  const meter = createMeter('o200k_base');
  const { before, after, rows } = await viewDifference(entries, span, meter);
  if (options.json) {
    io.print(
      JSON.stringify(
        rows.map(({ action }) => action),
        null,
        2,
      ),
    );
    return 0;
  }
  const [one, other] = [await meter.measure(before), await meter.measure(after)];
  const messages = `${format(before.length)} → ${format(after.length)} messages`;
  const tokens = `${format(one.total)} → ${format(other.total)} tokens`;
  io.print([`${messages} · ${tokens}`, ...rowTexts(rows)].join('\n'));
  return 0;
}

function placeOf(name: string, text: string, points: readonly ViewPoint[]): number {
  const found = points.find((point) =>
    point.type === 'request'
      ? String(point.number) === text
      : point.type === 'compaction' && point.recordId === text,
  );
  if (found !== undefined) return found.at;
  const requests = points.filter(({ type }) => type === 'request').length;
  const ids = points.flatMap((point) => (point.type === 'compaction' ? [point.recordId] : []));
  const known = [...(requests === 0 ? [] : [`requests 1 to ${requests}`]), ...ids].join(', ');
  throw new UsageError(`--${name} names no point: ${text}. Points: ${known === '' ? 'none' : known}.`);
}
