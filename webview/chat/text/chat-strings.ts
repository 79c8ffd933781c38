import { chatPageEnglish } from '../../../src/language/english/chat-page-english.ts';
import { textsInLanguage } from '../../shared/page-language.ts';

export const strings = textsInLanguage('chatPage', chatPageEnglish);
