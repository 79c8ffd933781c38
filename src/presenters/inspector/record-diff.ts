import { fromFolder } from '../../compaction/text/from-folder.ts';
import { diffOf, type DiffRow } from '../../compaction/records/compaction-diff.ts';
import type { Slices } from '../../compaction/signals/time-slices.ts';
import { factsOfCall } from '../../compaction/ledger/call-facts.ts';
import { shownCommand } from '../../compaction/ledger/call-words.ts';
import { missingFacts } from '../../compaction/ledger/coverage.ts';
import type { Message } from '../../compaction/messages/message.ts';
import type { CompactionRecord } from '../../compaction/records/record.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import { applyRecord } from '../../compaction/transcript/view.ts';
import type { MissingKind } from '../../protocol/inspector-compactions.ts';
import type { DiffRowView, MessageView } from '../../protocol/inspector-records.ts';
import { messageText, MessageViews, shownKind } from './message-view.ts';
import { actionText } from '../../compaction/records/reason.ts';
import { headOf } from '../../compaction/text/clip.ts';
import { wholePath } from '../../compaction/text/file-names.ts';
import type { Sentence } from '../../language/sentence.ts';
import type { Wording } from '../../language/translated/wording.ts';
import type { DescribeCall } from '../../agent/tools/catalogue.ts';
import { shownWords } from '../../transcripts/reading/typed-title.ts';

/** Number of sources of a row that are sent with the diff. The others are sent when the row is unfolded. */
const sourcesShown = 3;
/** Maximum number of files of a row that the filter uses. */
const filesKnown = 200;

/** Marks that later changes set on messages. The diff itself never changes. */
export interface LaterChanges {
  readonly restored: ReadonlySet<string>;
  readonly pins: ReadonlySet<string>;
  /** Ids of messages that the user hid and has not shown again. */
  readonly hidden: ReadonlySet<string>;
  readonly inContext: ReadonlySet<string>;
}

/** The text of a message and of its replacement. */
export interface TextPair {
  readonly before: string;
  /** Text of the replacement; undefined if nothing replaces the message. */
  readonly after: string | undefined;
}

export interface DiffPorts {
  readonly meterOf: () => UsageMeter;
  readonly wording: Wording;
  readonly user: Sentence;
  readonly describeCall: DescribeCall;
  /** Absolute folder; paths are shown relative to it. */
  readonly folder?: string | undefined;
}

type UsedByRow = Pick<DiffRowView, 'kinds' | 'tools' | 'files'>;

interface RowParts {
  readonly row: DiffRow;
  readonly index: number;
  readonly shown: readonly Message[];
  readonly used: UsedByRow;
}

/** The changes to each message of a view, as lines. Immutable. */
export class MessageDiff {
  readonly before: readonly Message[];
  readonly rows: readonly DiffRow[];
  private readonly meterOf: () => UsageMeter;
  private readonly wording: Wording;
  private readonly describeCall: DescribeCall;
  private readonly views: MessageViews;
  /** Id of an earlier or new message → its row. */
  private readonly rowOf = new Map<string, DiffRow>();
  private readonly sourceById = new Map<string, Message>();

  /** @param before the view to which the rows refer */
  constructor(
    before: readonly Message[],
    rows: readonly DiffRow[],
    { meterOf, wording, user, describeCall, folder }: DiffPorts,
  ) {
    this.before = before;
    this.rows = rows;
    this.meterOf = meterOf;
    this.wording = wording;
    this.describeCall = describeCall;
    this.views = new MessageViews(before, user, folder);
    for (const row of this.rows) {
      if (row.output !== undefined) this.rowOf.set(row.output.id, row);
      for (const source of row.sources) {
        this.rowOf.set(source.id, row);
        this.sourceById.set(source.id, source);
      }
    }
  }

  /** All rows, with the first few sources of each. */
  async rowViews(marks: LaterChanges, slices: Slices): Promise<readonly DiffRowView[]> {
    const { rows } = this;
    const shown = rows.map(({ action, sources }) =>
      action.kind === 'keep' ? [] : sources.slice(0, sourcesShown),
    );
    // Counts the messages of all rows with one call of the counter.
    const messages = rows.flatMap(({ sources, output }) => [
      ...sources,
      ...(output === undefined ? [] : [output]),
    ]);
    await this.meterOf().measureEach(messages);
    const views: DiffRowView[] = [];
    for (const [index, row] of rows.entries()) {
      const used = await this.usedBy(row.sources, slices);
      views.push(await this.rowView({ row, index, shown: shown[index] ?? [], used }, marks));
    }
    return views;
  }

  /** All sources of one row; undefined if the row does not exist. */
  async sources(index: number, marks: LaterChanges): Promise<readonly MessageView[] | undefined> {
    const row = this.rows[index];
    return row === undefined ? undefined : this.messageViews(row.sources, marks);
  }

  /** Lines for some messages of the earlier view. */
  async messageViews(messages: readonly Message[], marks: LaterChanges): Promise<readonly MessageView[]> {
    const usages = await this.meterOf().measureEach(messages);
    return messages.map((message, index) => {
      const isRestored = marks.restored.has(message.id);
      const tokens = usages[index]?.total ?? 0;
      return {
        ...this.views.view(message, { tokens, isRestored }, this.describeCall, this.wording),
        isPinned: marks.pins.has(message.id) || undefined,
        isHidden: marks.hidden.has(message.id) || undefined,
        isInContext: marks.inContext.has(message.id) || undefined,
        isLost: this.lostIn.has(message.id) || undefined,
      };
    });
  }

  /** Ids of the messages with a fact that the view after the change lacks. */
  protected get lostIn(): ReadonlySet<string> {
    return noIds;
  }

  /** The texts of a message and its replacement, cut after `longest` characters; undefined if neither exists. */
  texts(messageId: string, longest: number): TextPair | undefined {
    const row = this.rowOf.get(messageId);
    if (row === undefined) return undefined;
    const source = this.sourceById.get(messageId);
    const before = source === undefined ? '' : headOf(messageText(source), longest);
    if (row.action.kind === 'keep') return { before, after: before };
    return { before, after: row.output && headOf(messageText(row.output), longest) };
  }

  /** The kinds, tools and files of some messages. */
  private async usedBy(messages: readonly Message[], slices: Slices): Promise<UsedByRow> {
    const kinds: Partial<Record<MessageView['kind'], number>> = {};
    const tools = new Set<string>();
    const files = new Set<string>();
    for (const message of messages) {
      if (slices.isOver) await slices.next();
      const kind = shownKind(message);
      kinds[kind] = (kinds[kind] ?? 0) + 1;
      const used = this.views.usedBy(message);
      for (const tool of used.tools) tools.add(tool);
      for (const file of used.files) if (files.size < filesKnown) files.add(file);
    }
    return { kinds, tools: [...tools], files: [...files] };
  }

  private async rowView(
    { row: { action, sources, output }, index, shown, used }: RowParts,
    marks: LaterChanges,
  ): Promise<DiffRowView> {
    const hiddenCount = sources.filter(({ id }) => marks.hidden.has(id)).length;
    const lostCount = sources.filter(({ id }) => this.lostIn.has(id)).length;
    const usages = await this.meterOf().measureEach(sources);
    const [outputView] = output === undefined ? [] : await this.messageViews([output], noLaterChanges);
    return {
      index,
      fate: action.kind,
      reason: actionText(action, this.wording),
      sources: await this.messageViews(shown, marks),
      sourceCount: sources.length,
      hiddenCount: hiddenCount || undefined,
      lostCount: lostCount || undefined,
      strip: sources.map((source, place) => [shownKind(source), usages[place]?.total ?? 0]),
      ...used,
      output: outputView,
      tokensBefore: action.tokensBefore,
      tokensAfter: action.tokensAfter,
    };
  }
}

const noIds: ReadonlySet<string> = new Set();

/** Marks of messages on the right, which cannot be restored or pinned. */
export const noLaterChanges: LaterChanges = {
  restored: new Set(),
  pins: new Set(),
  hidden: new Set(),
  inContext: new Set(),
};

/** The changes of one compaction to each message, as lines. Immutable, like the record and the view before it. */
export class RecordDiff extends MessageDiff {
  readonly record: CompactionRecord;
  private lost: ReadonlySet<string> | undefined;

  /** @param before the view for which the record was made */
  constructor(record: CompactionRecord, before: readonly Message[], ports: DiffPorts) {
    super(before, diffOf(record, before), ports);
    this.record = record;
  }

  protected override get lostIn(): ReadonlySet<string> {
    return (this.lost ??= lostMessages(this.before, this.record));
  }
}

/** Ids of the last messages with each file and command that a compaction lost, and of lost typed messages. */
function lostMessages(before: readonly Message[], record: CompactionRecord): ReadonlySet<string> {
  const missing = missingFacts(before, applyRecord(before, record), record.folder);
  const pathOf = (path: string) => wholePath(path, record.folder);
  const wanted = new Set([...missing.files.map(pathOf), ...missing.commands]);
  const lost = new Set(missing.userMessages);
  for (const message of before.toReversed()) {
    const facts = (message.tool_calls ?? []).flatMap((call) => {
      const { filesModified, filesRead, commands } = factsOfCall(call);
      return [...[...filesModified, ...filesRead].map(pathOf), ...commands];
    });
    // Not `some`, because every fact of the message is found with it.
    if (facts.filter((fact) => wanted.delete(fact)).length > 0) lost.add(message.id);
  }
  return lost;
}

/** Maximum characters of the name of a missing typed message. */
const namedCharacters = 160;

/** Names of the facts that a compaction lost. Typed messages are named by their first words. */
export function missingNames({
  record,
  before,
}: {
  readonly record: CompactionRecord;
  readonly before: readonly Message[];
}): Readonly<Record<MissingKind, readonly string[]>> {
  const missing = missingFacts(before, applyRecord(before, record), record.folder);
  const ids = new Set(missing.userMessages);
  const userMessages = before
    .filter(({ id }) => ids.has(id))
    .map((message) => headOf(shownWords(message).replace(/\s+/gu, ' ').trim(), namedCharacters));
  const files = missing.files.map((path) => fromFolder(path, record.folder));
  return { ...missing, files, commands: missing.commands.map(shownCommand), userMessages };
}
