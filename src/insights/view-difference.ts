import { diffOf, type DiffAction, type DiffRow } from '../compaction/records/compaction-diff.ts';
import type { Message } from '../compaction/messages/message.ts';
import { actionReason } from '../compaction/records/reason.ts';
import type { CompactionRecord, RecordedAction } from '../compaction/records/record.ts';
import type { UsageMeter } from '../compaction/tokens/usage.ts';
import type { TranscriptEntry } from '../compaction/transcript/transcript-entry.ts';
import { project, recordsInForce } from '../compaction/transcript/view.ts';
import { insightsSentences } from '../language/english/insights-english.ts';
import { messagesAlike } from './sent-request.ts';

/** Two moments of a session, each given as the number of transcript entries before it. */
interface ViewSpan {
  readonly from: number;
  readonly to: number;
}

/** The context at two moments, and the change of each message between them. */
interface ViewDifference {
  readonly before: readonly Message[];
  readonly after: readonly Message[];
  readonly rows: readonly DiffRow[];
}

/**
 * Compares the context at any two moments, based on the recorded actions. As in the diff of one compaction, a message
 * and its replacement are one row, even after several compactions.
 *
 * @param span two moments; `from` must not be after `to`
 */
export async function viewDifference(
  entries: readonly TranscriptEntry[],
  span: ViewSpan,
  meter: UsageMeter,
): Promise<ViewDifference> {
  const [before, after] = [span.from, span.to].map((at) => project(entries.slice(0, at))) as [
    readonly Message[],
    readonly Message[],
  ];
  const past = new Past(entries, span);
  const [left, right] = [await tokensOf(before, meter), await tokensOf(after, meter)];
  const actions = actionsBetween(before, after, past).map((action): DiffAction => {
    const { sourceIds, outputId, kind } = action;
    const tokensBefore = sourceIds.reduce((sum, id) => sum + (left.get(id) ?? 0), 0);
    const output = outputId === undefined ? 0 : (right.get(outputId) ?? 0);
    return { ...action, tokensBefore, tokensAfter: kind === 'keep' ? tokensBefore : output };
  });
  return { before, after, rows: diffOf({ actions, outputs: after }, before) };
}

async function tokensOf(view: readonly Message[], meter: UsageMeter): Promise<ReadonlyMap<string, number>> {
  const usages = await meter.measureEach(view);
  return new Map(view.map(({ id }, index) => [id, usages[index]?.total ?? 0]));
}

type Change = Omit<DiffAction, 'tokensBefore' | 'tokensAfter'>;

/** Returns the changes in the order of the later view. Removed messages keep their position. */
function actionsBetween(
  before: readonly Message[],
  after: readonly Message[],
  past: Past,
): readonly Change[] {
  const [placeBefore, idsAfter] = [placesOf(before), new Set(after.map(({ id }) => id))];
  const left = before.filter(({ id }) => !idsAfter.has(id));
  const replacements = new Replacements(
    left,
    after.filter(({ id }) => !placeBefore.has(id)),
    past,
  );
  const gone = left.filter(({ id }) => !replacements.isReplaced(id));
  const changes: Change[] = [];
  let told = 0;
  /** Index in the earlier view. All removed messages before this index were listed. */
  let reached = 0;
  const tellGone = (until: number) => {
    for (let id = gone[told]?.id; id !== undefined && placeBefore.get(id)! < until; id = gone[++told]?.id) {
      addGone(changes, id, past);
      reached = Math.max(reached, placeBefore.get(id)! + 1);
    }
  };
  for (const message of after) {
    const { id } = message;
    const earlier = before[placeBefore.get(id) ?? -1];
    const sourceIds = earlier === undefined ? replacements.sourcesOf(id) : [id];
    const [first] = sourceIds;
    // Messages removed here are listed before messages that were added here.
    tellGone(first === undefined ? reached + 1 : placeBefore.get(first)!);
    for (const source of sourceIds) reached = Math.max(reached, placeBefore.get(source)! + 1);
    changes.push(
      earlier !== undefined && messagesAlike([earlier], [message]) === 1
        ? { kind: 'keep', sourceIds, ...actionReason(insightsSentences.say('viewKept')) }
        : { ...past.changeTo(message, sourceIds), sourceIds, outputId: id },
    );
  }
  tellGone(Infinity);
  return changes;
}

/** Adds a removed message. Neighbours removed for the same reason share one change. */
function addGone(changes: Change[], id: string, past: Past): void {
  const reason = past.reasonGone(id);
  const last = changes.at(-1);
  if (last?.kind === 'drop' && last.reason === reason.reason) {
    changes[changes.length - 1] = { ...last, sourceIds: [...last.sourceIds, id] };
  } else changes.push({ kind: 'drop', sourceIds: [id], ...reason });
}

function placesOf(view: readonly Message[]): ReadonlyMap<string, number> {
  return new Map(view.map(({ id }, index) => [id, index]));
}

/** Finds the messages of the earlier view that new messages of the later view replace. */
class Replacements {
  private readonly sources = new Map<string, string[]>();
  private readonly replaced = new Set<string>();

  /** @param left messages only in the earlier view, in order @param come messages only in the later view */
  constructor(left: readonly Message[], come: readonly Message[], past: Past) {
    const comeFor = new Map<string, string[]>();
    for (const { id } of come) {
      for (const original of past.originalsOf(id)) {
        comeFor.set(original, [...(comeFor.get(original) ?? []), id]);
      }
    }
    for (const { id } of left) {
      const standIns = new Set(past.originalsOf(id).flatMap((original) => comeFor.get(original) ?? []));
      const written = [...standIns].find((standIn) => past.isWritten(standIn));
      // If all messages of a summary are restored, the summary is not paired with any one of them.
      const [only] = standIns.size === 1 ? standIns : [];
      const replacement = written ?? only;
      if (replacement === undefined) continue;
      this.sources.set(replacement, [...(this.sources.get(replacement) ?? []), id]);
      this.replaced.add(id);
    }
  }

  isReplaced(id: string): boolean {
    return this.replaced.has(id);
  }

  sourcesOf(id: string): readonly string[] {
    return this.sources.get(id) ?? [];
  }
}

/** Events of a session up to the later moment, by id of the messages that they concern. */
class Past {
  /** Original messages by id, with the number of entries before each. */
  private readonly said = new Map<string, { readonly message: Message; readonly at: number }>();
  private readonly from: number;
  /** The action that wrote a new message, by id of the message. */
  private readonly writing = new Map<string, RecordedAction>();
  /** Ids of the original messages that a written message replaces. */
  private readonly originals = new Map<string, readonly string[]>();
  /** The last action in force on a message, by id of the message. */
  private readonly changing = new Map<string, RecordedAction>();

  constructor(entries: readonly TranscriptEntry[], { from, to }: ViewSpan) {
    this.from = from;
    const soFar = entries.slice(0, to);
    soFar.forEach((entry, at) => {
      if (entry.type === 'message') this.said.set(entry.message.id, { message: entry.message, at });
      if (entry.type === 'compaction' && entry.record.status === 'applied') this.note(entry.record);
    });
    for (const { actions } of recordsInForce(soFar)) {
      for (const action of actions) {
        if (action.kind !== 'keep') for (const id of action.sourceIds) this.changing.set(id, action);
      }
    }
  }

  private note({ actions }: CompactionRecord): void {
    for (const action of actions) {
      // A hidden or clipped message keeps its id.
      if (action.outputId === undefined || action.sourceIds.includes(action.outputId)) continue;
      this.writing.set(action.outputId, action);
      this.originals.set(
        action.outputId,
        action.sourceIds.flatMap((id) => this.originalsOf(id)),
      );
    }
  }

  /** True for a message that a compaction wrote. */
  isWritten(id: string): boolean {
    return this.writing.has(id);
  }

  originalsOf(id: string): readonly string[] {
    return this.originals.get(id) ?? (this.isWritten(id) ? [] : [id]);
  }

  /** Returns the change that produced a message of the later view. */
  changeTo(
    { id, truncation }: Message,
    sourceIds: readonly string[],
  ): Pick<DiffAction, 'kind' | 'reason' | 'sentence'> {
    const said = this.said.get(id);
    if (said?.message.truncation === truncation && !this.isWritten(id)) {
      const isBack = sourceIds.length > 0 || (said?.at ?? this.from) < this.from;
      return isBack
        ? { kind: 'restore', ...actionReason(insightsSentences.say('viewRestored')) }
        : { kind: 'insert', ...actionReason(insightsSentences.say('viewSaid')) };
    }
    const action = this.writing.get(id) ?? this.changing.get(id);
    if (action === undefined) {
      return { kind: 'insert', ...actionReason(insightsSentences.say('viewSaid')) };
    }
    return { kind: sourceIds.length === 0 ? 'insert' : action.kind, ...reasonOf(action) };
  }

  /** Returns the reason why a message left the context without a replacement. */
  reasonGone(id: string): Pick<RecordedAction, 'reason' | 'sentence'> {
    let last: RecordedAction | undefined;
    const seen = new Set<string>();
    for (let next: string | undefined = id; next !== undefined && !seen.has(next);) {
      seen.add(next);
      const action = this.changing.get(next);
      last = action ?? last;
      next = action?.outputId;
    }
    if (last === undefined) {
      const key = this.isWritten(id) ? 'viewUnwritten' : 'viewArrived';
      return actionReason(insightsSentences.say(key));
    }
    return reasonOf(last);
  }
}

function reasonOf({ reason, sentence }: RecordedAction): Pick<RecordedAction, 'reason' | 'sentence'> {
  return { reason, ...(sentence === undefined ? {} : { sentence }) };
}
