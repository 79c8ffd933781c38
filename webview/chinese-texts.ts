import { bothPagesChinese } from '../src/language/chinese/both-pages-chinese.ts';
import { chatPageChinese } from '../src/language/chinese/chat-page-chinese.ts';
import { compactionsPageChinese } from '../src/language/chinese/compactions-page-chinese.ts';
import { inspectorPageChinese } from '../src/language/chinese/inspector-page-chinese.ts';
import { ledgerPageChinese } from '../src/language/chinese/ledger-page-chinese.ts';
import { strategyTitlesChinese } from '../src/language/chinese/strategy-titles-chinese.ts';
import type { PageTables } from './shared/page-language.ts';

/** The Chinese texts of all pages: a script that only a page in Chinese loads, before its own. */
const chinese: PageTables = {
  bothPages: bothPagesChinese,
  strategyTitles: strategyTitlesChinese.table,
  chatPage: chatPageChinese,
  inspectorPage: { ...inspectorPageChinese, ...compactionsPageChinese, ...ledgerPageChinese },
};

Object.assign(globalThis, { translation: chinese });
