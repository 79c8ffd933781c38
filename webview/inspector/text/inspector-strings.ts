import { localised } from '../../shared/localisation.ts';
import { compactionsChinese } from './compactions-chinese.ts';
import { compactionsEnglish } from './compactions-english.ts';
import { inspectorChinese } from './inspector-chinese.ts';
import { inspectorEnglish } from './inspector-english.ts';
import { ledgerChinese } from './ledger-chinese.ts';
import { ledgerEnglish } from './ledger-english.ts';
import { schemasChinese } from './schemas-chinese.ts';
import { schemasEnglish } from './schemas-english.ts';

/** Every text of the inspector, in the language of the page. */
export const strings = localised({
  english: { ...inspectorEnglish, ...compactionsEnglish, ...ledgerEnglish, ...schemasEnglish },
  chinese: {
    ...inspectorChinese,
    ...compactionsChinese,
    ...ledgerChinese,
    ...schemasChinese,
  },
});
