import type { ContextBudgetApi } from 'context-budget/api';
import * as vscode from 'vscode';
import { longestFirst } from './longest-first.ts';

/** Offers the strategy as long as this extension is active. */
export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const contextBudget = vscode.extensions.getExtension<ContextBudgetApi>('context-budget.context-budget');
  const api = await contextBudget?.activate();
  if (api?.version !== 1) return;
  context.subscriptions.push(
    api.registerStrategy(longestFirst),
    api.onCompactionPhase((event) => {
      if (event.phase === 'done') console.log(`Compaction ${event.compaction}: ${event.status}`);
    }),
  );
}
