import { randomBytes } from 'node:crypto';
import { isPrompt, type Message, type ReportedUsage, textOf } from '../../compaction/messages/message.ts';
import type { TurnEvent } from '../../transcripts/session/session-event.ts';
import type { AgentSession } from '../session/agent-session.ts';
import type { AgentEvent } from '../session/session-ports.ts';
import type { Attributes, AgentSpan, SpanPlace } from './otlp-span.ts';

/** A session that is observed. */
export interface SpanSource {
  readonly id: string;
  /** Returns the call that started a sub-agent; absent for a chat. */
  readonly startedBy?: () => SpanPlace | undefined;
}

interface SpanPorts {
  readonly now: () => number;
  /** Name of the provider in the conventions. */
  readonly provider: () => string;
  readonly send: (span: AgentSpan) => void;
}

/** An operation that has not ended. */
interface Begun extends SpanPlace {
  readonly parent: string | undefined;
  readonly start: number;
}

interface BegunCall extends Begun {
  readonly key: string;
  readonly name: string;
  readonly json: string;
  readonly isAction?: boolean;
}

interface BegunCompaction extends Begun {
  readonly summaries: { readonly model: string; readonly start: number }[];
  hasAsked: boolean;
}

type PhaseEvent = Extract<AgentEvent, { type: 'compaction-phase' }>;
type Ending = Pick<AgentSpan, 'subject' | 'attributes'> & Partial<Pick<AgentSpan, 'error' | 'content'>>;

/**
 * Turns the events of a session into spans. Each turn is a trace: the turn, its model calls, the calls of tools, and
 * compactions with their requests for summaries. The turn of a sub-agent belongs to the call that started it.
 */
export class SessionSpans {
  private readonly source: SpanSource;
  private readonly ports: SpanPorts;
  private turn: Begun | undefined;
  /** Time at which the model was asked; undefined after its reply. */
  private askedAt: number | undefined;
  private readonly calls = new Map<string, BegunCall>();
  private readonly compactions = new Map<number, BegunCompaction>();

  constructor(source: SpanSource, ports: SpanPorts) {
    this.source = source;
    this.ports = ports;
  }

  /** True if no operation has begun that has not ended. */
  get isIdle(): boolean {
    return this.turn === undefined && this.compactions.size === 0;
  }

  /** Finds a running call by its key. */
  callAt(key: string): SpanPlace | undefined {
    return [...this.calls.values()].find((call) => call.key === key);
  }

  handle(event: AgentEvent, session: Pick<AgentSession, 'transcript' | 'tools'>): void {
    switch (event.type) {
      case 'entry':
        if (event.entry.type === 'message') this.takeMessage(event.entry.message, session);
        return;
      case 'activity':
        if (event.activity === 'waiting') this.askedAt = this.ports.now();
        if (event.activity === 'idle') this.endTurn();
        return;
      case 'turn':
        if (event.turn === undefined) this.beginTurn();
        else this.breakOff(event.turn);
        return;
      case 'action':
        this.restartCalls(({ key }) => key === event.callKey, true);
        return;
      case 'compaction-phase':
        this.takePhase(event);
        return;
    }
  }

  /** Ends a turn that was still running when its window closed. */
  close(): void {
    this.endTurn('stopped');
  }

  private takeMessage(message: Message, session: Pick<AgentSession, 'transcript' | 'tools'>): void {
    if (isPrompt(message)) this.beginTurn();
    else if (message.role === 'assistant' && message.origin === 'model') this.takeReply(message, session);
    else if (message.role === 'tool') this.takeResult(message);
  }

  private takeReply(
    message: Message,
    { transcript, tools }: Pick<AgentSession, 'transcript' | 'tools'>,
  ): void {
    const turn = this.beginTurn();
    const { id, createdAt, modelId = '', usage, interrupted } = message;
    this.askedAt = undefined;
    const position = transcript.view.findLastIndex((other) => other.id === id);
    this.end('chat', this.begin(turn, Date.parse(createdAt)), {
      subject: modelId,
      attributes: { 'gen_ai.request.model': modelId, ...usageAttributes(usage) },
      error: interrupted === true ? 'interrupted' : undefined,
      content: { input: transcript.view.slice(0, position), output: message, tools },
    });
    for (const [index, call] of (message.tool_calls ?? []).entries()) {
      const { name, arguments: json } = call.function;
      // The model may have written any text as a name.
      const isKnown = tools.some((tool) => tool.function.name === name);
      const begun = { ...this.begin(turn), key: `${id}:${index}`, name: isKnown ? name : '_OTHER', json };
      this.calls.set(call.id, begun);
    }
  }

  private takeResult({ tool_call_id: callId = '', content, isError, outcome }: Message): void {
    const call = this.calls.get(callId);
    if (call === undefined) return;
    const error = isError === true ? (outcome?.end ?? 'failed') : undefined;
    this.endCall(callId, call, error, textOf(content));
    // The other calls had to wait for this action.
    if (call.isAction === true) this.restartCalls(() => true);
  }

  private restartCalls(fits: (call: BegunCall) => boolean, isAction = false): void {
    for (const [id, call] of this.calls) {
      if (fits(call)) this.calls.set(id, { ...call, start: this.ports.now(), isAction });
    }
  }

  private endCall(id: string, call: BegunCall, error: string | undefined, result?: string): void {
    this.calls.delete(id);
    const { name, json } = call;
    this.end('execute_tool', call, {
      subject: name,
      attributes: { 'gen_ai.tool.name': name, 'gen_ai.tool.type': 'function', 'gen_ai.tool.call.id': id },
      error,
      content: { texts: { 'gen_ai.tool.call.arguments': json, 'gen_ai.tool.call.result': result } },
    });
  }

  private beginTurn(): Begun {
    return (this.turn ??= this.begin(this.source.startedBy?.()));
  }

  /** Ends a turn that was stopped or failed. */
  private breakOff({ outcome, message, sentence }: TurnEvent): void {
    const error = outcome === 'stopped' ? outcome : (sentence?.key ?? outcome);
    // A failed model call leaves no message.
    if (outcome === 'failed' && this.askedAt !== undefined && this.turn !== undefined) {
      this.end('chat', this.begin(this.turn, this.askedAt), { subject: '', attributes: {}, error });
    }
    this.endTurn(error, message);
  }

  private endTurn(error?: string, message?: string): void {
    this.askedAt = undefined;
    for (const [id, call] of this.calls) this.endCall(id, call, 'stopped');
    if (this.turn === undefined) return;
    const subject = this.source.startedBy === undefined ? 'context-budget' : 'sub-agent';
    this.end('invoke_agent', this.turn, {
      subject,
      attributes: { 'gen_ai.agent.name': subject },
      error,
      content: { texts: { 'error.message': message } },
    });
    this.turn = undefined;
  }

  private takePhase(event: PhaseEvent): void {
    if (event.phase === 'before') {
      this.compactions.set(event.compaction, { ...this.begin(this.turn), summaries: [], hasAsked: false });
      return;
    }
    const compaction = this.compactions.get(event.compaction);
    if (compaction === undefined) return;
    if (event.phase === 'summary-start') {
      compaction.hasAsked = true;
      compaction.summaries.push({ model: event.model, start: this.ports.now() });
    } else if (event.phase === 'summary-end') this.endSummary(event, compaction);
    else if (event.phase === 'done') this.endCompaction(event, compaction);
  }

  private endSummary(
    { model, outcome, promptTokens, outputTokens }: Extract<PhaseEvent, { phase: 'summary-end' }>,
    compaction: BegunCompaction,
  ): void {
    const index = compaction.summaries.findIndex((summary) => summary.model === model);
    const [summary] = compaction.summaries.splice(index, 1);
    this.end('chat', this.begin(compaction, summary?.start), {
      subject: model,
      attributes: {
        'gen_ai.request.model': model,
        'gen_ai.usage.input_tokens': promptTokens,
        'gen_ai.usage.output_tokens': outputTokens,
      },
      error: outcome === 'replied' ? undefined : outcome,
    });
  }

  private endCompaction(event: Extract<PhaseEvent, { phase: 'done' }>, compaction: BegunCompaction): void {
    this.compactions.delete(event.compaction);
    const { strategy, status, reason, trigger, tokensBefore, tokensAfter } = event;
    // Automatic attempts without effect stay out of the history, too.
    if (status === 'unchanged' && trigger.source !== 'manual' && !compaction.hasAsked) return;
    const isSuccess = status === 'applied' || status === 'unchanged';
    this.end('compact', compaction, {
      subject: strategy,
      attributes: {
        'context_budget.compaction.strategy': strategy,
        'context_budget.compaction.trigger': trigger.source,
        'context_budget.compaction.status': status,
        'context_budget.compaction.reason': reason?.code,
        'context_budget.compaction.tokens_before': tokensBefore,
        'context_budget.compaction.tokens_after': tokensAfter,
      },
      error: isSuccess ? undefined : (reason?.code ?? status),
    });
  }

  private begin(parent: SpanPlace | undefined, start = this.ports.now()): Begun {
    const trace = parent?.trace ?? randomBytes(16).toString('hex');
    return { trace, span: randomBytes(8).toString('hex'), parent: parent?.span, start };
  }

  private end(operation: AgentSpan['operation'], begun: Begun, ending: Ending): void {
    const { trace, span, parent, start } = begun;
    const attributes = {
      'gen_ai.provider.name': this.ports.provider(),
      'gen_ai.conversation.id': this.source.id,
      ...ending.attributes,
    };
    this.ports.send({ ...ending, operation, trace, span, parent, start, end: this.ports.now(), attributes });
  }
}

function usageAttributes(usage: ReportedUsage | undefined): Attributes {
  return {
    'gen_ai.usage.input_tokens': usage?.inputTokens,
    'gen_ai.usage.output_tokens': usage?.outputTokens,
    'gen_ai.usage.cache_read.input_tokens': usage?.cachedInputTokens,
    'gen_ai.usage.cache_creation.input_tokens': usage?.cacheWriteTokens,
  };
}
