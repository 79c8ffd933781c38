import { chineseEngineSentences } from '../../insights/chinese-engine-sentences.ts';
import { sentenceLookup, type SentenceTable } from '../../insights/known-sentences.ts';
import { agentSentences } from './chinese-agent.ts';
import { messageTitles } from './chinese-message-titles.ts';
import { modelSentences } from './chinese-models.ts';
import { settingSentences } from './chinese-settings.ts';

/** What code says that does not know the editor, in Simplified Chinese. */
export const chineseSentences: SentenceTable = {
  ...chineseEngineSentences,
  ...agentSentences,
  ...messageTitles,
  ...modelSentences,
  ...settingSentences,
};

/** Puts a finished English sentence into Simplified Chinese; undefined where nobody has translated it. */
export const inChinese = sentenceLookup(chineseSentences);
