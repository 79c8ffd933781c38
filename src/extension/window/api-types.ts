/**
 * Types for extensions that use ours: `context-budget/api`. The module exports only types; the API itself comes
 * from `activate()`.
 *
 * ```ts
 * import type { ContextBudgetApi } from 'context-budget/api';
 *
 * const extension = vscode.extensions.getExtension<ContextBudgetApi>('context-budget.context-budget');
 * const api = await extension?.activate();
 * ```
 *
 * @module
 */
export type { ContextBudgetApi } from './api.ts';
export type { RegisteredStrategy } from '../../agent/custom-strategy/registered-strategies.ts';
export type {
  CustomHit,
  CustomInput,
  CustomPorts,
  CustomPrompt,
} from '../../compaction/strategies/contract/custom-strategy.ts';
export type { PhaseEvent } from '../../compaction/service/service-ports.ts';
