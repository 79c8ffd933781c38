/**
 * The compaction engine: conversations whose context stays within a budget, with a record of everything that was left
 * out. It runs in any JavaScript runtime, without Node, browser or editor.
 *
 * ```ts
 * import { Conversation, toOpenai, toolResultHiding } from 'context-budget/engine';
 *
 * const conversation = new Conversation({ strategy: toolResultHiding, budget: { window: 128_000 } });
 * await conversation.append({ role: 'user', content: 'Why does the build fail?' });
 * const messages = (await conversation.fit()).map(toOpenai);
 * ```
 *
 * @module
 */
export {
  ChangedHistoryError,
  Conversation,
  type CompactionChoice,
  type ConversationBudget,
  type ConversationSettings,
} from './conversation.ts';
export {
  fromOpenai,
  toOpenai,
  type Identity,
  type OpenaiInput,
  type OpenaiMessage,
  type OpenaiTextPart,
  type OpenaiToolCall,
} from './openai-messages.ts';
export { countTokens, textCounter } from './token-counting.ts';
export type { EncodingName } from '../compaction/tokens/token-counter.ts';
export { readUsage } from '../compaction/tokens/read-usage.ts';
export type { TextCounter } from '../compaction/tokens/token-counter.ts';
export type { Usage } from '../compaction/tokens/usage.ts';

// Messages, and the log that contains them.
export {
  textOf,
  toChatMessage,
  type ChatMessage,
  type Content,
  type ContentPart,
  type Kind,
  type Message,
  type ReportedUsage,
  type ToolCall,
  type ToolSchema,
} from '../compaction/messages/message.ts';
export { TranscriptError } from '../compaction/transcript/transcript.ts';
export type { TranscriptEntry } from '../compaction/transcript/transcript-entry.ts';

// Effects of a compaction.
export type { DiffRow } from '../compaction/records/compaction-diff.ts';
export type {
  CompactionRecord,
  Coverage,
  CoverageCount,
  Reason,
  RecordedAction,
  RecordStatus,
  Trigger,
} from '../compaction/records/record.ts';
export type { CompactionEvent } from '../compaction/service/service-ports.ts';
export type { CancellationSignal } from '../compaction/signals/cancellation.ts';

// Models that write summaries.
export type { SummaryModel, SummaryReply, SummaryRequest } from '../compaction/summary/summary-model.ts';

// Strategies, and the types for writing a strategy.
export { anchoredSummary } from '../compaction/strategies/anchored-summary.ts';
export { budgeted } from '../compaction/strategies/budgeted.ts';
export { chunked } from '../compaction/strategies/chunked.ts';
export { dialogueRetrieval } from '../compaction/strategies/dialogue-retrieval.ts';
export { hidingThenSummary } from '../compaction/strategies/hiding-then-summary.ts';
export { ladder } from '../compaction/strategies/ladder.ts';
export { lastNMessages } from '../compaction/strategies/last-n-messages.ts';
export { layeredTruncation } from '../compaction/strategies/layered-truncation.ts';
export { llmSummary } from '../compaction/strategies/llm-summary.ts';
export { middleTruncation } from '../compaction/strategies/middle-truncation.ts';
export { none } from '../compaction/strategies/none.ts';
export { observationMasking } from '../compaction/strategies/observation-masking.ts';
export { providerNative } from '../compaction/strategies/provider-native.ts';
export { recentWindow } from '../compaction/strategies/recent-window.ts';
export { retrieveFacts } from '../compaction/strategies/retrieve-facts.ts';
export { selective } from '../compaction/strategies/selective.ts';
export { slidingWindow } from '../compaction/strategies/sliding-window.ts';
export { stateSnapshot } from '../compaction/strategies/state-snapshot.ts';
export { toolResultHiding } from '../compaction/strategies/tool-result-hiding.ts';
export { wholeHistory } from '../compaction/strategies/whole-history.ts';
export {
  defineStrategy,
  planned,
  unchanged,
  type PlanResult,
  type Strategy,
  type StrategyInput,
  type StrategyPorts,
} from '../compaction/strategies/contract/strategy.ts';
export type { OptionSchema, OptionsOf } from '../compaction/strategies/contract/options.ts';
export type { Plan, PlannedAction } from '../compaction/records/plan.ts';
