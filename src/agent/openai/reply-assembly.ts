import type { ReportedUsage } from '../../compaction/messages/message.ts';
import type { ModelEvent, ModelReply } from '../model/chat-model.ts';
import { KeyForms, KeyRedactor } from '../network/key-redactor.ts';
import { checkReply } from './reply-limits.ts';
import type { Chunk } from './stream-events.ts';
import { ReasoningAssembly, type Reasoner } from './returned-reasoning.ts';
import { ToolCallAssembly } from './tool-call-assembly.ts';

/** Assembles a reply from the chunks of a stream. Removes the key, which some gateways return. */
export class ReplyAssembly {
  private readonly reasoner: Reasoner;
  private readonly key: KeyForms;
  private readonly textRedactor: KeyRedactor;
  private readonly reasoningRedactor: KeyRedactor;
  private readonly calls = new ToolCallAssembly();
  private readonly items = new ReasoningAssembly();
  private content = '';
  private reasoning = '';
  private usage: ReportedUsage | undefined;
  private reason: string | undefined;

  constructor(reasoner: Reasoner, key = new KeyForms(undefined)) {
    this.reasoner = reasoner;
    this.key = key;
    this.textRedactor = new KeyRedactor(key);
    this.reasoningRedactor = new KeyRedactor(key);
  }

  /** Reason why the model stopped, in the server's words; undefined before that. */
  get finishReason(): string | undefined {
    return this.reason;
  }

  get isEmpty(): boolean {
    return this.content === '' && this.calls.isEmpty;
  }

  /** @returns the events that can be shown now @throws {ReplyLimitError} if the reply exceeds a limit */
  add(chunk: Chunk): readonly ModelEvent[] {
    for (const call of chunk.toolCalls) this.calls.add(call);
    this.items.add(chunk.reasoningItems);
    this.reason ??= chunk.finishReason;
    this.usage = chunk.usage ?? this.usage;
    const events = this.show(
      this.reasoningRedactor.push(chunk.reasoning),
      this.textRedactor.push(chunk.text),
    );
    checkReply('reasoning', this.reasoning.length);
    checkReply('text', this.content.length);
    return events;
  }

  /** Ends the reply. @returns events with the text that was held back because a key could begin in it */
  end(): readonly ModelEvent[] {
    return this.show(this.reasoningRedactor.end(), this.textRedactor.end());
  }

  private show(reasoning: string, text: string): readonly ModelEvent[] {
    this.reasoning += reasoning;
    this.content += text;
    return [
      ...(reasoning === '' ? [] : [{ type: 'reasoning-delta', text: reasoning } as const]),
      ...(text === '' ? [] : [{ type: 'text-delta', text } as const]),
    ];
  }

  finish(): ModelReply {
    const { content, reasoning, usage } = this;
    const toolCalls = this.key.redactJson(this.calls.finish());
    const items = this.key.redactJson([...this.items.finish(), ...this.calls.extras()]);
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
  // Some servers report `stop` after tool calls.
  if (hasToolCalls) return 'tool-calls';
  return reason === 'stop' ? 'stop' : 'other';
}

/** True if the reply ended because the window is full, and not because of the cap (Anthropic, Zhipu). */
export function isWindowFull(reason: string | undefined): boolean {
  return reason === 'model_context_window_exceeded';
}
