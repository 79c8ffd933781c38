import { pageTexts } from '../../../src/language/page-texts.ts';
import { chatPageChinese } from '../../../src/language/chinese/chat-page-chinese.ts';
import { chatPageEnglish } from '../../../src/language/english/chat-page-english.ts';
import { pageLanguage } from '../../shared/page-language.ts';

export const strings = pageTexts(pageLanguage, chatPageEnglish, chatPageChinese);
