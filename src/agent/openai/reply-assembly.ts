import type { ReportedUsage } from '../../compaction/message.ts';
import type { ModelEvent, ModelReply } from '../model.ts';
import type { Chunk } from './chunk.ts';
import { ReasoningAssembly, type Reasoner } from './returned-reasoning.ts';
import { ToolCallAssembly } from './tool-call-assembly.ts';

/** Puts a reply together from the chunks of a stream. */
export class ReplyAssembly {
  private readonly reasoner: Reasoner;
  private readonly calls = new ToolCallAssembly();
  private readonly items = new ReasoningAssembly();
  private content = '';
  private reasoning = '';
  private usage: ReportedUsage | undefined;
  private reason: string | undefined;

  constructor(reasoner: Reasoner) {
    this.reasoner = reasoner;
  }

  /** Why the model stopped, in the server's word; undefined as long as it has not. */
  get finishReason(): string | undefined {
    return this.reason;
  }

  /** Nothing was said and nothing called so far. */
  get isEmpty(): boolean {
    return this.content === '' && this.calls.isEmpty;
  }

  /** Takes a chunk. @returns what of it can be shown at once */
  add(chunk: Chunk): readonly ModelEvent[] {
    for (const call of chunk.toolCalls) this.calls.add(call);
    this.items.add(chunk.reasoningItems);
    this.reason ??= chunk.finishReason;
    this.usage = chunk.usage ?? this.usage;
    this.content += chunk.text;
    this.reasoning += chunk.reasoning;
    return [
      ...(chunk.reasoning === '' ? [] : [{ type: 'reasoning-delta', text: chunk.reasoning } as const]),
      ...(chunk.text === '' ? [] : [{ type: 'text-delta', text: chunk.text } as const]),
    ];
  }

  finish(): ModelReply {
    const { content, reasoning, usage } = this;
    const toolCalls = this.calls.finish();
    const items = [...this.items.finish(), ...this.calls.extras()];
    return {
      content,
      reasoning,
      toolCalls,
      finishReason: readFinishReason(this.reason, toolCalls.length > 0),
      ...(items.length === 0 ? {} : { reasoningItems: { ...this.reasoner, items } }),
      ...(usage === undefined ? {} : { usage }),
    };
  }
}

function readFinishReason(reason: string | undefined, hasToolCalls: boolean): ModelReply['finishReason'] {
  if (reason === 'length' || isWindowFull(reason)) return 'length';
  // Some servers say `stop` behind tool calls.
  if (hasToolCalls) return 'tool-calls';
  return reason === 'stop' ? 'stop' : 'other';
}

/** Anthropic and Zhipu say `model_context_window_exceeded` where the window, and not the cap, ended the reply. */
export function isWindowFull(reason: string | undefined): boolean {
  return reason === 'model_context_window_exceeded';
}
