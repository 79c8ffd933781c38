import { localised } from '../../shared/localisation.ts';
import { chineseStrings } from './chat-chinese.ts';
import { englishStrings } from './chat-english.ts';

/** Every text of the chat. */
export const strings = localised({ english: englishStrings, chinese: chineseStrings });
