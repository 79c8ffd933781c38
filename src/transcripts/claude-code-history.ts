import type { ToolCall } from '../compaction/message.ts';
import { toEntries, type Draft } from './draft.ts';
import type { ForeignCompaction, Imported } from './format.ts';
import { emptyReply, replyDraft, type Reply } from './reply.ts';

interface AnsweredReply extends Reply {
  readonly results: Draft[];
}

interface Boundary {
  /** Items before it. */
  readonly position: number;
  readonly summary: string;
  readonly createdAt: string | undefined;
}

/**
 * Puts a Claude Code session together: a reply whose parts stand on several lines becomes one message, and results
 * follow the reply that called, in the order of its calls, whatever stood in between.
 */
export class ClaudeCodeHistory {
  private readonly items: (Draft | AnsweredReply)[] = [];
  private readonly replies = new Map<string, AnsweredReply>();
  private readonly callers = new Map<string, AnsweredReply>();
  private readonly boundaries: Boundary[] = [];

  add(draft: Draft): void {
    this.items.push(draft);
  }

  /** @param id of the reply, the same on all of its lines; one without has no other lines */
  reply(id: string | undefined, createdAt: string | undefined): AnsweredReply {
    const known = id === undefined ? undefined : this.replies.get(id);
    if (known !== undefined) return known;
    const reply: AnsweredReply = { ...emptyReply(createdAt), results: [] };
    if (id !== undefined) this.replies.set(id, reply);
    this.items.push(reply);
    return reply;
  }

  call(reply: AnsweredReply, call: ToolCall): void {
    reply.calls.push(call);
    this.callers.set(call.id, reply);
  }

  /** A result that nothing called for stays where it is. */
  result(draft: Draft): void {
    const caller = this.callers.get(draft.chat.tool_call_id ?? '');
    if (caller === undefined) this.items.push(draft);
    else caller.results.push(draft);
  }

  compaction(summary: string, createdAt: string | undefined): void {
    this.boundaries.push({ position: this.items.length, summary, createdAt });
  }

  end(): Pick<Imported, 'entries' | 'compactions'> {
    const drafts: Draft[] = [];
    const starts = this.items.map((item) => {
      const start = drafts.length;
      drafts.push(...('chat' in item ? [item] : draftsOf(item)));
      return start;
    });
    const compactions = this.boundaries.map(({ position, summary, createdAt }): ForeignCompaction => ({
      agent: 'claude-code',
      beforeMessageIndex: starts[position] ?? drafts.length,
      summary,
      ...(createdAt !== undefined && { createdAt }),
    }));
    return { entries: toEntries(drafts), compactions };
  }
}

function draftsOf(reply: AnsweredReply): readonly Draft[] {
  const positions = new Map(reply.calls.map(({ id }, index) => [id, index]));
  const positionOf = ({ chat }: Draft) => positions.get(chat.tool_call_id ?? '') ?? 0;
  const results = [...reply.results].sort((one, other) => positionOf(one) - positionOf(other));
  const draft = replyDraft(reply);
  return draft === undefined ? [] : [draft, ...results];
}
