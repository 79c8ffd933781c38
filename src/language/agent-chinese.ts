import { agentSentences } from './agent-english.ts';
import { translations } from './sentence.ts';

/** The sentences of the agent in Simplified Chinese. */
export const agentChinese = translations(agentSentences)({});
