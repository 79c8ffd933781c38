import { type Content, type Message, textOf, type ToolCall } from '../../messages/message.ts';
import { type PlannedClip, type PlannedRewrite, rewrittenBy } from '../../records/plan.ts';
import type { Phrase } from '../../records/record.ts';
import { textOfCut } from '../../text/clip.ts';
import { type CutOf, learnCut } from '../../text/known-cuts.ts';
import type { Usage } from '../../tokens/usage.ts';

/** Shorter text or arguments for one message. Missing fields stay unchanged. */
export interface Rewrite {
  /** `hide` and `offload` need the placeholder as content. */
  readonly kind: 'hide' | 'offload' | 'clip';
  readonly id: string;
  readonly content?: Content;
  /** A cut of the message's own text, in place of `content`. The cut can be counted before it is written. */
  readonly cut?: CutOf | undefined;
  readonly toolCalls?: readonly ToolCall[];
  readonly reason: Phrase;
}

/** A message after one or more rewrites. Text is written on demand, because many rewrites are only tried. */
export class RewrittenMessage {
  readonly original: Message;
  readonly originalTokens: number;
  readonly usage: Usage;
  private readonly rewrite: Rewrite;
  private made: PlannedRewrite | PlannedClip | undefined;

  constructor(
    rewrite: Rewrite,
    before: { readonly message: Message; readonly usage: Usage },
    earlier: RewrittenMessage | undefined,
    usage: Usage,
  ) {
    this.original = earlier?.original ?? before.message;
    this.originalTokens = earlier?.originalTokens ?? before.usage.total;
    this.rewrite = earlier === undefined ? rewrite : bothOf(earlier.rewrite, rewrite);
    this.usage = usage;
  }

  get action(): PlannedRewrite | PlannedClip {
    return (this.made ??= actionOf(this.rewrite, this.originalTokens));
  }

  get message(): Message {
    const message = rewrittenBy(this.action, this.original);
    const { cut } = this.rewrite;
    if (cut !== undefined) learnCut(message, cut);
    return message;
  }
}

function bothOf(earlier: Rewrite, later: Rewrite): Rewrite {
  if (later.kind !== 'clip') return later;
  const hasContent = later.content !== undefined || later.cut !== undefined;
  const { content, cut } = hasContent ? later : earlier;
  const toolCalls = later.toolCalls ?? (earlier.kind === 'clip' ? earlier.toolCalls : undefined);
  return {
    ...later,
    ...(content === undefined ? {} : { content }),
    cut,
    ...(toolCalls === undefined ? {} : { toolCalls }),
  };
}

function actionOf(rewrite: Rewrite, originalTokens: number): PlannedRewrite | PlannedClip {
  const { kind, id, toolCalls, reason } = rewrite;
  const content = contentOf(rewrite);
  if (kind !== 'clip') return { kind, id, placeholder: textOf(content ?? null), originalTokens, reason };
  return {
    kind,
    id,
    ...(content === undefined ? {} : { content }),
    ...(toolCalls === undefined ? {} : { toolCalls }),
    originalTokens,
    reason,
  };
}

function contentOf({ content, cut }: Rewrite): Content | undefined {
  return cut === undefined ? content : textOfCut(cut);
}
