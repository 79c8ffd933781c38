/** Tools over the sessions that agents held in a folder, in the order in which they are offered. */
export const contextToolNames = ['recall', 'search_history', 'what_was_lost', 'context_usage'] as const;
export type ContextToolName = (typeof contextToolNames)[number];

/** The name of a tool as the editor's language models know it. */
export function languageModelToolName(name: ContextToolName): string {
  return `contextBudget_${name}`;
}
