import { compactionsPageEnglish } from '../../../src/language/english/compactions-page-english.ts';
import { inspectorPageEnglish } from '../../../src/language/english/inspector-page-english.ts';
import { ledgerPageEnglish } from '../../../src/language/english/ledger-page-english.ts';
import { textsInLanguage } from '../../shared/page-language.ts';

export const inspectorTexts = textsInLanguage('inspectorPage', {
  ...inspectorPageEnglish,
  ...compactionsPageEnglish,
  ...ledgerPageEnglish,
});
