import { localised } from '../../shared/localisation.ts';
import { compactionsChinese } from './compactions-chinese.ts';
import { compactionsEnglish } from './compactions-english.ts';
import { inspectorChinese } from './inspector-chinese.ts';
import { inspectorEnglish } from './inspector-english.ts';

/** Every text of the inspector, in the language of the page. */
export const strings = localised({
  english: { ...inspectorEnglish, ...compactionsEnglish },
  chinese: { ...inspectorChinese, ...compactionsChinese },
});
