import type { AgentSession } from '../../agent/session.ts';
import { diffOf, type DiffRow } from '../../compaction/diff.ts';
import type { Message } from '../../compaction/message.ts';
import type { CompactionRecord } from '../../compaction/record.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import { messagesOf, recordsOf, type Transcript } from '../../compaction/transcript.ts';
import { recordsInForce, viewBefore } from '../../compaction/view.ts';
import type {
  DiffRowView,
  InspectorState,
  MessageView,
  RecordView,
  UsageView,
} from '../protocol/inspector.ts';
import { messageText, MessageViews, shownKind } from './message-view.ts';

/** Sources of a row that are sent with the diff; the others when somebody unfolds the row. */
const sourcesShown = 3;
/** Names that the state shows beside the numbers. */
export interface InspectorLabels {
  readonly sessionId: string;
  readonly model: string;
  readonly strategy: string;
}

/** What the inspector shows of a session. Full texts are looked up one by one, never sent whole. */
export class InspectorModel {
  private readonly session: AgentSession;
  private readonly meterOf: () => UsageMeter;

  constructor(session: AgentSession, meterOf: () => UsageMeter) {
    this.session = session;
    this.meterOf = meterOf;
  }

  async state(labels: InspectorLabels): Promise<InspectorState> {
    const { transcript, compaction } = this.session;
    const inForce = new Set(recordsInForce(transcript.entries).map(({ id }) => id));
    const records = recordsOf(transcript).map((record): RecordView => {
      const undone = compaction.undoneWith(record.id).map(({ id }) => id);
      return recordView(record, record.status === 'applied' && !inForce.has(record.id), undone);
    });
    return {
      ...labels,
      title: this.session.title,
      isCompacting: this.session.activity === 'compacting',
      usage: await this.usage(),
      records: records.toReversed(),
    };
  }

  /** The rows of a diff; undefined where the session has no such record. */
  async diff(recordId: string): Promise<readonly DiffRowView[] | undefined> {
    const found = this.find(recordId);
    if (found === undefined) return undefined;
    const { rows, views } = found;
    return Promise.all(
      rows.map(async (row, index): Promise<DiffRowView> => {
        const isKept = row.action.kind === 'keep';
        const shown = isKept ? [] : row.sources.slice(0, sourcesShown);
        const kinds: Partial<Record<MessageView['kind'], number>> = {};
        for (const source of row.sources) {
          const kind = shownKind(source);
          kinds[kind] = (kinds[kind] ?? 0) + 1;
        }
        const [output] =
          row.output === undefined ? [] : await this.messageViews([row.output], views, new Set());
        return {
          index,
          fate: row.action.kind,
          reason: row.action.reason,
          sources: await this.messageViews(shown, views, found.restored),
          sourceCount: row.sources.length,
          kinds,
          output,
          tokensBefore: row.action.tokensBefore,
          tokensAfter: row.action.tokensAfter,
        };
      }),
    );
  }

  /** All messages of one row. */
  async sources(recordId: string, index: number): Promise<readonly MessageView[] | undefined> {
    const found = this.find(recordId);
    const row = found?.rows[index];
    return found === undefined || row === undefined
      ? undefined
      : this.messageViews(row.sources, found.views, found.restored);
  }

  /**
   * What a message was before a compaction and what stands for it after.
   *
   * @param longest characters of either text; the rest is cut off
   */
  texts(
    recordId: string,
    messageId: string,
    longest = Number.POSITIVE_INFINITY,
  ): { readonly before: string; readonly after: string | undefined } | undefined {
    const row = this.find(recordId)?.rows.find(
      ({ sources, output }) => sources.some(({ id }) => id === messageId) || output?.id === messageId,
    );
    if (row === undefined) return undefined;
    const source = row.sources.find(({ id }) => id === messageId);
    const before = source === undefined ? '' : messageText(source).slice(0, longest);
    if (row.action.kind === 'keep') return { before, after: before };
    const after = row.output === undefined ? undefined : messageText(row.output).slice(0, longest);
    return { before, after };
  }

  private async usage(): Promise<UsageView> {
    const { compaction, transcript } = this.session;
    const { total, byKind } = await compaction.usage();
    const { window, trigger, target, reservedOutput, isApproximate = false } = compaction.budget;
    return {
      tokens: total,
      byKind,
      window,
      trigger,
      target,
      reserved: reservedOutput,
      isApproximate,
      reported: reportedIn(transcript),
    };
  }

  private find(recordId: string):
    | {
        readonly rows: readonly DiffRow[];
        readonly views: MessageViews;
        readonly restored: ReadonlySet<string>;
      }
    | undefined {
    const { transcript } = this.session;
    const record = recordsOf(transcript).find(({ id }) => id === recordId);
    if (record === undefined) return undefined;
    const before = viewBefore(transcript.entries, recordId);
    return {
      rows: diffOf(record, before),
      views: new MessageViews(before),
      restored: restoredSince(transcript, recordId),
    };
  }

  private async messageViews(
    messages: readonly Message[],
    views: MessageViews,
    restored: ReadonlySet<string>,
  ): Promise<readonly MessageView[]> {
    const usages = await this.meterOf().measureEach(messages);
    return messages.map((message, index) =>
      views.view(message, usages[index]?.total ?? 0, restored.has(message.id)),
    );
  }
}

function recordView(record: CompactionRecord, isUndone: boolean, undone: readonly string[]): RecordView {
  const { id, createdAt, trigger, requestedStrategy, actualStrategy, status, before, after } = record;
  return {
    id,
    createdAt,
    trigger: trigger.source,
    requestedStrategy,
    actualStrategy,
    status,
    reason: record.reason?.message,
    tokensBefore: before.tokens,
    tokensAfter: after.tokens,
    byKindBefore: before.byKind,
    byKindAfter: after.byKind,
    tiers: record.tiers,
    coverage: record.coverage,
    cost: record.cost,
    summaryModel: record.summary?.model,
    durationMs: record.durationMs,
    warnings: record.warnings,
    isUndone,
    undoneWith: undone.filter((other) => other !== id),
  };
}

/** The provider's last word on size, unless a compaction has changed the view since. */
function reportedIn(transcript: Transcript): UsageView['reported'] {
  const { entries } = transcript;
  for (let index = entries.length - 1; index >= 0; index--) {
    const entry = entries[index];
    if (entry === undefined || entry.type === 'undo' || entry.type === 'restore') return undefined;
    if (entry.type === 'compaction' && entry.record.status === 'applied') return undefined;
    if (entry.type !== 'message' || entry.message.usage === undefined) continue;
    const { inputTokens, outputTokens } = entry.message.usage;
    return {
      tokens: inputTokens + outputTokens,
      messagesSince: messagesOf({ entries: entries.slice(index + 1) }).length,
    };
  }
  return undefined;
}

/** Messages that were brought back after a record. */
function restoredSince({ entries }: Transcript, recordId: string): ReadonlySet<string> {
  const index = entries.findIndex((entry) => entry.type === 'compaction' && entry.record.id === recordId);
  return new Set(
    entries.slice(index + 1).flatMap((entry) => (entry.type === 'restore' ? entry.messageIds : [])),
  );
}
