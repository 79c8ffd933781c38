import { shownStrategies } from '../../compaction/records/custom-strategy-title.ts';
import type { RecordingProxy } from '../../agent/governed/asked-changes.ts';
import { nodeSlices } from '../../agent/node-slices.ts';
import type { MarkRequest } from '../../compaction/manual-edits/mark-sentence.ts';
import type { AgentSession } from '../../agent/session/agent-session.ts';
import type { AgentEvent } from '../../agent/session/session-ports.ts';
import { type Budget, shareOf } from '../../compaction/budget/budget.ts';
import { type Kind, kinds, type Message } from '../../compaction/messages/message.ts';
import { reasonText, tierViews, warningTexts } from '../../compaction/records/reason.ts';
import {
  type CompactionRecord,
  filesBackOf,
  rewrittenId,
  shownCoverage,
  undoneTogether,
} from '../../compaction/records/record.ts';
import type { CompactionService } from '../../compaction/service/service.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import type { ToolHistory } from '../../compaction/transcript/transcript-entry.ts';
import {
  messagesOf,
  recordsOf,
  originalOf,
  shownAsSaid,
  type Transcript,
} from '../../compaction/transcript/transcript.ts';
import { manuallyHidden, project, recordsInForce, viewBefore } from '../../compaction/transcript/view.ts';
import type { Exchange } from '../../transcripts/reading/transcript-format.ts';
import type { ToolSet } from '../../transcripts/session/session-event.ts';
import { headOf } from '../../compaction/text/clip.ts';
import type { TriggerRange } from '../../protocol/inspector-budget.ts';
import type { DiffRowView, MessageView, RecordView } from '../../protocol/inspector-records.ts';
import { spanOfDiff } from '../../protocol/inspector-views.ts';
import type { InspectorState, ReportView, UsageView } from '../../protocol/inspector.ts';
import { type Fullness, lastReport } from '../../insights/context-fullness.ts';
import { nextSize, type SizedSession } from '../next-size.ts';
import { generalSettings } from '../settings/general-settings.ts';
import { messageText, MessageViews } from './message-view.ts';
import type { DiffPorts, LaterChanges, MessageDiff, RecordDiff, TextPair } from './record-diff.ts';

import { hostSentences } from '../../language/english/host-english.ts';
import type { Sentence } from '../../language/sentence.ts';
import type { Wording } from '../../language/translated/wording.ts';

/** Facts from another agent's session file that are not messages. */
export interface ForeignSession {
  /** Product name of the agent; undefined for a file of no agent. */
  readonly agent: string | undefined;
  /** The model of the last reply that names its model. */
  readonly model: string | undefined;
  /** The comparison of reported tokens with our count; undefined if the provider reported none. */
  report(): Promise<ReportView | undefined>;
  /** Fill of the agent's context. */
  fullness(): Promise<Fullness>;
}

/** The part of a session that the inspector reads, whether the session is live or read-only. */
export interface InspectedSession extends Pick<AgentSession, 'transcript' | 'title' | 'activity' | 'tools'> {
  /** Facts about another agent's session, opened from its file. */
  readonly foreign?: ForeignSession;
  /** Marks a sentence; absent if sentences cannot be marked. @returns false if the sentence does not exist */
  readonly mark?: ((request: MarkRequest) => Promise<boolean>) | undefined;
  /** The proxy that may compact the conversation; absent without a recording. */
  readonly proxy?: RecordingProxy | undefined;
  /** Absolute folder to which file names are relative, if known. */
  readonly folder?: string | undefined;
  readonly nextRequest?: SizedSession['nextRequest'];
  /** Tools of the session over time; absent if the file does not show when they changed. */
  readonly toolHistory?: ToolHistory | undefined;
  /** Requests that the proxy recorded; absent if there is no recording. */
  readonly exchanges?: readonly Exchange[] | undefined;
  /** All tools of the session; absent if only the tools in its requests are known. */
  readonly toolSet?: (() => Promise<ToolSet>) | undefined;
  /** Compactions of the session, without a forecast if it is read-only. */
  readonly compaction: Pick<CompactionService, 'usage' | 'budget' | 'undoneWith'> &
    Partial<Pick<CompactionService, 'outlook' | 'charged'>>;
}

const you = hostSentences.say('titleYou');

/** The share of the window that each kind may take, from 0 to 1. */
const allottedShares = Object.fromEntries(kinds.map((kind) => [kind, shareOf(kind) / 100])) as Readonly<
  Record<Kind, number>
>;

const messagesAtOnce = 200;

/** Parts of the inspector's state that do not come from the session. */
type InspectorLabels = Pick<
  InspectorState,
  'chatId' | 'otherSessions' | 'messageCount' | 'model' | 'strategy' | 'cost' | 'preview'
>;

const shownEvents: ReadonlySet<AgentEvent['type']> = new Set([
  'entry',
  'title',
  'tools',
  'compaction-start',
  'compaction-end',
]);

/** True if an event changes something that the inspector shows. */
export function isShownIn({ type }: AgentEvent): boolean {
  return shownEvents.has(type);
}

/** A session as the inspector shows it. Full texts are loaded one by one and never sent together. */
export class InspectorModel {
  readonly id: string;
  readonly session: InspectedSession;
  readonly meterOf: () => UsageMeter;
  readonly wording: Wording;
  /** Title of user messages: the user, or the task of a sub-agent. */
  readonly user: Sentence;
  /** The latest diff. Cached because its parts are requested one by one. */
  private lastDiff: RecordDiff | undefined;
  private lastViews: { readonly id: string; readonly diff: Promise<MessageDiff> } | undefined;
  /** Diffs of records that are not in a transcript, by id. */
  private readonly previewed = new Map<string, RecordDiff>();

  constructor({
    id,
    session,
    meterOf,
    wording,
    user = you,
  }: Pick<InspectorModel, 'id' | 'session' | 'meterOf' | 'wording'> & { readonly user?: Sentence }) {
    this.id = id;
    this.session = session;
    this.meterOf = meterOf;
    this.wording = wording;
    this.user = user;
  }

  get transcript(): Transcript {
    return this.session.transcript;
  }

  get meter(): UsageMeter {
    return this.meterOf();
  }

  async state(labels: InspectorLabels): Promise<InspectorState> {
    const { transcript } = this.session;
    const inForce = recordsInForce(transcript.entries);
    const idsInForce = new Set(inForce.map(({ id }) => id));
    const hasProxy = (await this.session.proxy?.isRunning()) === true;
    const records = recordsOf(transcript).map((record): RecordView => {
      const undone = undoneTogether(inForce, record.id);
      const isUndone = record.status === 'applied' && !idsInForce.has(record.id);
      // The client does not send again what its own changes removed.
      const isOfProxy = hasProxy && undone.every(({ requestedStrategy: id }) => id !== rewrittenId);
      const ids = undone.map(({ id }) => id);
      return { ...recordView(record, isUndone, ids, this.wording), ...(isOfProxy && { isOfProxy }) };
    });
    return {
      ...labels,
      sessionId: this.id,
      canMark: this.session.mark !== undefined,
      title: this.session.title,
      agent: this.session.foreign?.agent,
      isCompacting: this.session.activity === 'compacting',
      usage: await this.usage(),
      report: await this.session.foreign?.report(),
      records: records.toReversed(),
    };
  }

  /** The rows of the diff of a record or of two views; undefined if the diff does not exist. */
  async diff(recordId: string): Promise<readonly DiffRowView[] | undefined> {
    const found = await this.messageDiff(recordId);
    const slices = nodeSlices();
    await slices.next();
    return found?.rowViews(this.marks(recordId), slices);
  }

  async sources(recordId: string, index: number): Promise<readonly MessageView[] | undefined> {
    return (await this.messageDiff(recordId))?.sources(index, this.marks(recordId));
  }

  /** The text of a message on the left of a diff, and its replacement. Both are cut after `longest` characters. */
  async texts(
    recordId: string,
    messageId: string,
    longest = Number.POSITIVE_INFINITY,
  ): Promise<TextPair | undefined> {
    return (await this.messageDiff(recordId))?.texts(messageId, longest);
  }

  /** Finds the diff of a record or of two views by id. */
  async messageDiff(id: string): Promise<MessageDiff | undefined> {
    const span = spanOfDiff(id);
    if (span === undefined) return this.recordDiff(id);
    if (this.lastViews?.id !== id) {
      const ports = this.diffPorts();
      const { entries } = this.session.transcript;
      this.lastViews = {
        id,
        diff: import('./view-comparison.ts').then(async ({ viewsDiff }) =>
          viewsDiff(entries, span, await ports),
        ),
      };
    }
    return this.lastViews.diff;
  }

  /** Changes of an applied or tried compaction; undefined if the session has no such record. */
  async recordDiff(recordId: string): Promise<RecordDiff | undefined> {
    const previewed = this.previewed.get(recordId);
    if (previewed !== undefined) return previewed;
    if (this.lastDiff?.record.id === recordId) return this.lastDiff;
    const { transcript } = this.session;
    const record = recordsOf(transcript).find(({ id }) => id === recordId);
    if (record === undefined) return undefined;
    const before = viewBefore(transcript.entries, recordId);
    await nodeSlices().next();
    this.lastDiff = await this.diffOf(record, before);
    return this.lastDiff;
  }

  /** Makes a diff available for a record that is in no transcript. @param before the view that the record changes */
  async preview(record: CompactionRecord, before: readonly Message[]): Promise<void> {
    this.previewed.set(record.id, await this.diffOf(record, before));
  }

  marks(id: string): LaterChanges {
    const { transcript } = this.session;
    const span = spanOfDiff(id);
    return {
      restored: span === undefined ? restoredSince(transcript, id) : backSince(transcript, span.to),
      pins: transcript.pins,
      hidden: new Set(manuallyHidden(transcript.entries).keys()),
      inContext: new Set(transcript.view.map(({ id }) => id)),
    };
  }

  /** A batch of the original messages as lines, starting at a position. */
  async messages(from: number): Promise<readonly MessageView[]> {
    return this.viewsOf(messagesOf(this.transcript).slice(from, from + messagesAtOnce));
  }

  /** Lines for some original messages of the session. */
  async viewsOf(messages: readonly Message[]): Promise<readonly MessageView[]> {
    const { meterOf, wording, user, transcript } = this;
    const { describeCall } = await import('../../agent/tools/catalogue.ts');
    const views = new MessageViews(messagesOf(transcript), user, this.session.folder);
    const usages = await meterOf().measureEach(messages);
    return messages.map((message, index) =>
      views.view(message, { tokens: usages[index]?.total ?? 0, isRestored: false }, describeCall, wording),
    );
  }

  /** The text of a message, cut after `longest` characters; undefined if no message has the id. */
  text(messageId: string, longest: number): string | undefined {
    const message = originalOf(this.session.transcript, messageId);
    return message === undefined ? undefined : headOf(messageText(message), longest);
  }

  private async usage(): Promise<UsageView> {
    const { compaction, foreign, transcript } = this.session;
    const { tokens, byKind } = await nextSize(this.session);
    const { budget } = compaction;
    const { window, isApproximate = false } = budget;
    const report = lastReport(transcript);
    return {
      tokens,
      byKind,
      allotted: allottedShares,
      window,
      ...(foreign === undefined
        ? { ...compaction.outlook?.(), target: budget.target, reserved: budget.reservedOutput }
        : { trigger: budget.thresholds.tokens, reserved: 0, fullness: await foreign.fullness() }),
      triggerRange: triggerRange(budget),
      isApproximate,
      reported: report && { tokens: report.tokens, messagesSince: report.since.length },
    };
  }

  private async diffOf(record: CompactionRecord, before: readonly Message[]): Promise<RecordDiff> {
    const [{ RecordDiff }, ports] = await Promise.all([import('./record-diff.ts'), this.diffPorts()]);
    return new RecordDiff(record, before, ports);
  }

  private async diffPorts(): Promise<DiffPorts> {
    const { describeCall } = await import('../../agent/tools/catalogue.ts');
    const { meterOf, wording, user } = this;
    return { meterOf, wording, user, describeCall, folder: this.session.folder };
  }
}

/** A record with its sentences in the reader's language. */
export function recordView(
  record: CompactionRecord,
  isUndone: boolean,
  undone: readonly string[],
  wording: Wording,
): RecordView {
  const { id, createdAt, trigger, status, before, after } = record;
  return {
    id,
    createdAt,
    trigger: trigger.source,
    triggerTokens: trigger.tokens > 0 ? trigger.tokens : undefined,
    start: trigger.start,
    threshold: trigger.threshold,
    focus: record.focus,
    ...shownStrategies(record),
    status,
    reason: record.reason && reasonText(record.reason, wording),
    tokensBefore: before.tokens,
    tokensAfter: after.tokens,
    byKindBefore: before.byKind,
    byKindAfter: after.byKind,
    tiers: tierViews(record.tiers, wording),
    coverage: shownCoverage(record),
    cost: record.cost,
    target: record.target,
    summaryModel: record.summary?.model,
    quotes: record.summary?.quotes,
    isEdited: record.isEdited,
    filesBack: filesBackOf(record),
    part: partView(record),
    durationMs: record.durationMs,
    warnings: warningTexts(record, wording),
    isUndone,
    undoneWith: undone.filter((other) => other !== id),
  };
}

/** The part that the user chose, which covers the sources of all actions between its ends. */
function partView({ part, actions }: CompactionRecord): RecordView['part'] {
  if (part === undefined) return undefined;
  const ids = actions.flatMap(({ sourceIds }) => sourceIds);
  const messages = ids.indexOf(part.lastId) - ids.indexOf(part.firstId) + 1;
  return { messages: Math.max(1, messages), rewinds: part.rewinds === true };
}

/** Messages that were restored after a record. */
function restoredSince({ entries }: Transcript, recordId: string): ReadonlySet<string> {
  const index = entries.findIndex((entry) => entry.type === 'compaction' && entry.record.id === recordId);
  return new Set(
    entries.slice(index + 1).flatMap((entry) => (entry.type === 'restore' ? entry.messageIds : [])),
  );
}

/** Messages that are unchanged in context now but were not after the first `at` entries. */
function backSince(transcript: Transcript, at: number): ReadonlySet<string> {
  const entries = transcript.entries.slice(0, at);
  const then = shownAsSaid({ entries, view: project(entries) });
  return new Set([...shownAsSaid(transcript)].filter((id) => !then.has(id)));
}

const { minimum, maximum } = generalSettings.triggerRatio;

/** Range for the trigger: above the target and below the room for the reply. Undefined if the window is unknown. */
export function triggerRange({ window, target = 0, thresholds }: Budget): TriggerRange | undefined {
  const { reserve, ratio, tokens = Infinity } = thresholds;
  if (window === undefined || reserve === undefined || ratio === undefined) return undefined;
  const aboveTarget = (Math.floor((target / window) * 100) + 1) / 100;
  const belowRoom = Math.floor((Math.min(reserve, tokens) / window) * 100) / 100;
  const least = Math.max(minimum, aboveTarget);
  return {
    ratio: Math.round((ratio / window) * 1_000) / 1_000,
    least,
    most: Math.max(least, Math.min(maximum, belowRoom)),
    leastReason: aboveTarget > minimum ? 'target' : 'setting',
    mostReason: belowRoom >= maximum ? 'setting' : tokens < reserve ? 'tokens' : 'reserve',
  };
}
