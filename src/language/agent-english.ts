import { catalogue } from './sentence.ts';

/** Sentences of the agent: approvals, tools, edits, commands, providers and sub-agents. */
export const agentSentences = catalogue('agent', {});
