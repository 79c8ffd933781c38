import { textOf, type ToolCall } from '../../../compaction/messages/message.ts';
import { tasksEndedIn } from './claude-code-ends.ts';
import {
  type Draft,
  emptyReply,
  type ForeignCompaction,
  type Imported,
  positive,
  type Reply,
  replyDraft,
  toEntries,
} from '../../reading/transcript-format.ts';
import { fieldsOf } from '../../reading/fields.ts';

interface AnsweredReply extends Reply {
  readonly results: Draft[];
  /** The reply, until another part arrives. */
  draft?: Draft | undefined;
  /** The reply and its results, until another part or result arrives. */
  drafts?: readonly Draft[] | undefined;
}

interface Boundary {
  /** Number of items before the compaction. */
  readonly position: number;
  readonly summary: string;
  readonly createdAt: string | undefined;
  /** Id of the first row that was kept in the agent's view. */
  readonly keptFrom: unknown;
  readonly stated: Pick<ForeignCompaction, 'trigger' | 'tokensBefore'>;
}

/**
 * Assembles a Claude Code session. The parts of a reply on several lines become one message, and results follow their
 * reply in the order of its calls.
 */
export class ClaudeCodeHistory {
  /** Items in file order; undefined replaces a result that was moved after its call. */
  private readonly items: (Draft | AnsweredReply | undefined)[] = [];
  private readonly replies = new Map<string, AnsweredReply>();
  private readonly callers = new Map<string, AnsweredReply>();
  private readonly boundaries: Boundary[] = [];
  /** Results that precede their call. */
  private readonly early = new Map<string, { readonly position: number; readonly draft: Draft }>();
  /** Id of a row → index of the item that contains the row, or of the first item after the row. */
  private readonly positions = new Map<unknown, number>();
  private keptFrom: unknown;
  private stated: Boundary['stated'] = {};

  /** @param id the next row's id */
  line(id: unknown): void {
    if (typeof id === 'string') this.positions.set(id, this.items.length);
  }

  /** @param metadata metadata of the compaction whose summary follows */
  boundary(metadata: unknown): void {
    const { trigger, preTokens, preservedSegment } = fieldsOf(metadata);
    this.keptFrom = fieldsOf(preservedSegment)['headUuid'];
    this.stated = {
      trigger: trigger === 'auto' ? 'automatic' : trigger === 'manual' ? trigger : undefined,
      tokensBefore: positive(preTokens),
    };
  }

  add(draft: Draft): void {
    const endedTasks = tasksEndedIn(textOf(draft.chat.content));
    this.items.push(endedTasks.length === 0 ? draft : { ...draft, endedTasks });
  }

  /** @param id id of the reply, the same on all of its lines; a reply without an id has one line */
  reply(id: string | undefined, createdAt: string | undefined): AnsweredReply {
    const known = id === undefined ? undefined : this.replies.get(id);
    if (known !== undefined) {
      known.draft = undefined;
      known.drafts = undefined;
      return known;
    }
    const reply: AnsweredReply = { ...emptyReply(createdAt), results: [] };
    if (id !== undefined) this.replies.set(id, reply);
    this.items.push(reply);
    return reply;
  }

  call(reply: AnsweredReply, call: ToolCall): void {
    reply.calls.push(call);
    this.callers.set(call.id, reply);
    const early = this.early.get(call.id);
    if (early === undefined) return;
    this.early.delete(call.id);
    this.items[early.position] = undefined;
    reply.results.push(early.draft);
  }

  /** Adds a result. Without a matching call, it stays in its place. */
  result(draft: Draft): void {
    const id = draft.chat.tool_call_id ?? '';
    const caller = this.callers.get(id);
    if (caller !== undefined) {
      caller.results.push(draft);
      caller.drafts = undefined;
    } else {
      this.early.set(id, { position: this.items.length, draft });
      this.items.push(draft);
    }
  }

  compaction(summary: string, createdAt: string | undefined): void {
    const { keptFrom, stated } = this;
    this.boundaries.push({ position: this.items.length, summary, createdAt, keptFrom, stated });
    this.keptFrom = undefined;
    this.stated = {};
  }

  /** Finds the end of the files, plans and reminders that the program adds after a summary, in the same compaction. */
  private endOfAttached(position: number): number {
    let end = position;
    for (let item = this.items[end]; item !== undefined && 'chat' in item; item = this.items[end]) {
      if (item.origin !== 'harness') break;
      end++;
    }
    return end;
  }

  end(): Pick<Imported, 'entries' | 'compactions'> {
    const drafts: Draft[] = [];
    const starts = this.items.map((item) => {
      const start = drafts.length;
      if (item !== undefined) drafts.push(...('chat' in item ? [item] : (item.drafts ??= draftsOf(item))));
      return start;
    });
    const compactions = this.boundaries.map(
      ({ position, summary, createdAt, keptFrom, stated }): ForeignCompaction => {
        const kept = this.positions.get(keptFrom);
        const end = this.endOfAttached(position);
        const first = kept !== undefined && kept < position ? kept : position;
        return {
          agent: 'claude-code',
          beforeMessageIndex: starts[end] ?? drafts.length,
          summary,
          ...stated,
          keptFromIndex: first < end ? (starts[first] ?? drafts.length) : undefined,
          createdAt,
        };
      },
    );
    return { entries: toEntries(drafts), compactions };
  }
}

function draftsOf(reply: AnsweredReply): readonly Draft[] {
  const positions = new Map(reply.calls.map(({ id }, index) => [id, index]));
  const positionOf = ({ chat }: Draft) => positions.get(chat.tool_call_id ?? '') ?? 0;
  const results = [...reply.results].sort((one, other) => positionOf(one) - positionOf(other));
  const draft = (reply.draft ??= replyDraft(reply));
  return draft === undefined ? [] : [draft, ...results];
}
