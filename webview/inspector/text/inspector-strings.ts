import { localised } from '../../shared/localisation.ts';
import { compactionsChinese } from './compactions-chinese.ts';
import { compactionsEnglish } from './compactions-english.ts';
import { inspectorChinese } from './inspector-chinese.ts';
import { inspectorEnglish } from './inspector-english.ts';
import { previewChinese } from './preview-chinese.ts';
import { previewEnglish } from './preview-english.ts';
import { schemasChinese } from './schemas-chinese.ts';
import { schemasEnglish } from './schemas-english.ts';

/** Every text of the inspector, in the language of the page. */
export const strings = localised({
  english: { ...inspectorEnglish, ...compactionsEnglish, ...previewEnglish, ...schemasEnglish },
  chinese: {
    ...inspectorChinese,
    ...compactionsChinese,
    ...previewChinese,
    ...schemasChinese,
  },
});
