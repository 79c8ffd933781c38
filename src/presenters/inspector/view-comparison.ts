import { sum, type UsageMeter } from '../../compaction/tokens/usage.ts';
import { type ToolHistory, toolsAt } from '../../compaction/transcript/transcript-entry.ts';
import type { TranscriptEntry } from '../../compaction/transcript/transcript-entry.ts';
import { project } from '../../compaction/transcript/view.ts';
import { viewDifference } from '../../insights/view-difference.ts';
import { viewPoints } from '../../insights/view-points.ts';
import type {
  PointSpan,
  PointView,
  ViewDifferenceView,
  ViewSizeView,
} from '../../protocol/inspector-views.ts';
import { type DiffPorts, MessageDiff } from './record-diff.ts';

/** The differences between the contexts at two points, message by message, as lines. */
export async function viewsDiff(
  entries: readonly TranscriptEntry[],
  span: PointSpan,
  ports: DiffPorts,
): Promise<MessageDiff> {
  const { before, rows } = await viewDifference(entries, span, ports.meterOf());
  return new MessageDiff(before, rows, ports);
}

/** The points of a session that can be compared, oldest first. */
export function pointViews(entries: readonly TranscriptEntry[]): readonly PointView[] {
  return viewPoints(entries).map((point): PointView => {
    const { at } = point;
    switch (point.type) {
      case 'now':
        return { type: 'now', at };
      case 'request':
        return { type: 'request', number: point.number, at, createdAt: timeOf(entries[at]) };
      case 'compaction': {
        const { recordId, strategy } = point;
        return { type: 'compaction', recordId, strategy, at, createdAt: timeOf(entries[at - 1]) };
      }
      default:
        return { type: point.type, at, createdAt: timeOf(entries[at - 1]) };
    }
  });
}

function timeOf(entry: TranscriptEntry | undefined): string | undefined {
  if (entry?.type === 'message') return entry.message.createdAt;
  return entry?.type === 'compaction' ? entry.record.createdAt : entry?.createdAt;
}

/** Sizes of the context at two points, the earlier one first, with the tools of each. */
export async function viewSizes(
  { entries, tools }: { readonly entries: readonly TranscriptEntry[]; readonly tools: ToolHistory },
  span: PointSpan,
  meter: UsageMeter,
): Promise<ViewDifferenceView> {
  const [from, to] = [span.from, span.to]
    .map((at) => Math.min(at, entries.length))
    .toSorted((one, other) => one - other) as [number, number];
  const sizeAt = async (at: number): Promise<ViewSizeView> => {
    const view = project(entries.slice(0, at));
    const schemas = await meter.measureTools(toolsAt(tools, at));
    const { total: tokens, byKind } = sum([schemas, await meter.measure(view)]);
    return { messages: view.length, tokens, byKind };
  };
  return { from, to, before: await sizeAt(from), after: await sizeAt(to) };
}
