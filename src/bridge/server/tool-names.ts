/** Tools for the sessions that agents held in a folder, in the order in which they are listed. */
export const contextToolNames = ['recall', 'search_history', 'what_was_lost', 'context_usage'] as const;
export type ContextToolName = (typeof contextToolNames)[number];

/** Returns the name of a tool for the editor's language models. */
export function languageModelToolName(name: ContextToolName): string {
  return `contextBudget_${name}`;
}
