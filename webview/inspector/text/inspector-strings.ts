import { pageTexts } from '../../../src/language/page-texts.ts';
import { compactionsPageChinese } from '../../../src/language/chinese/compactions-page-chinese.ts';
import { compactionsPageEnglish } from '../../../src/language/english/compactions-page-english.ts';
import { inspectorPageChinese } from '../../../src/language/chinese/inspector-page-chinese.ts';
import { inspectorPageEnglish } from '../../../src/language/english/inspector-page-english.ts';
import { ledgerPageChinese } from '../../../src/language/chinese/ledger-page-chinese.ts';
import { ledgerPageEnglish } from '../../../src/language/english/ledger-page-english.ts';
import { pageLanguage } from '../../shared/page-language.ts';

export const inspectorTexts = pageTexts(
  pageLanguage,
  { ...inspectorPageEnglish, ...compactionsPageEnglish, ...ledgerPageEnglish },
  { ...inspectorPageChinese, ...compactionsPageChinese, ...ledgerPageChinese },
);
