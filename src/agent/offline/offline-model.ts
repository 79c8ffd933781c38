import { randomUUID } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { CancellationSignal } from '../../compaction/signals/cancellation.ts';
import { headOf } from '../../compaction/text/clip.ts';
import type { ToolCall } from '../../compaction/messages/message.ts';
import type { SummaryReply, SummaryRequest } from '../../compaction/summary/summary-model.ts';
import { type ChatModel, type ModelEvent, type ModelRequest, throwIfStopped } from '../model/chat-model.ts';
import { offlineFacts } from './offline-facts.ts';
import { extractiveSummary } from './extractive-summary.ts';
import { nextStep } from './next-step.ts';
import { readTurn } from './offline-turn.ts';

export interface OfflineModelOptions {
  /** Tokens of input and output together. */
  readonly window?: number | undefined;
}

const defaultWindow = 32_000;
/** Estimated low, so that a limit on the output holds. */
const charactersPerToken = 3;
/** Words that are handed on at a time. */
const wordsPerDelta = 3;

/**
 * The model that is there when no key is set: no network and no weights. It answers a question by calling the tools
 * it is offered and quoting what they found, and it summarises by choosing sentences and facts. It remembers nothing: what to
 * do follows from the messages of the request alone.
 */
export class OfflineModel implements ChatModel {
  readonly id = 'offline';
  readonly label = 'Offline model';
  readonly readsSources = true;
  readonly window: number;

  constructor(options: OfflineModelOptions = {}) {
    this.window = options.window ?? defaultWindow;
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void, undefined> {
    throwIfStopped(signal);
    const tools = new Set(request.tools.map((tool) => tool.function.name));
    const step = nextStep(readTurn(request.messages), tools);
    if ('calls' in step) {
      const toolCalls = step.calls.map(({ tool, input }): ToolCall => ({
        id: `call_${randomUUID().replaceAll('-', '').slice(0, 24)}`,
        type: 'function',
        function: { name: tool, arguments: JSON.stringify(input) },
      }));
      yield { type: 'end', reply: { content: '', reasoning: '', toolCalls, finishReason: 'tool-calls' } };
      return;
    }
    const longest = (request.maxOutputTokens ?? Number.POSITIVE_INFINITY) * charactersPerToken;
    const content = headOf(step.answer, longest);
    for (const text of piecesOf(content)) {
      await setImmediate();
      throwIfStopped(signal);
      yield { type: 'text-delta', text };
    }
    const finishReason = content === step.answer ? 'stop' : 'length';
    yield { type: 'end', reply: { content, reasoning: '', toolCalls: [], finishReason } };
  }

  async summarise(request: SummaryRequest, signal: CancellationSignal): Promise<SummaryReply> {
    const { concept } = request;
    const content =
      concept === undefined
        ? await extractiveSummary(request, signal)
        : await offlineFacts(request, concept, signal);
    return { content, finishReason: 'stop' };
  }
}

function piecesOf(text: string): readonly string[] {
  return text.match(new RegExp(`(?:\\s*\\S+){1,${wordsPerDelta}}\\s*`, 'guy')) ?? [];
}
