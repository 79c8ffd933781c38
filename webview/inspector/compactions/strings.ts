import { localised } from '../../shared/localisation.ts';
import { chineseStrings } from './strings-chinese.ts';
import { englishStrings } from './strings-english.ts';

/** Every text that the Compactions tab has beside the shared ones. */
export const compactionStrings = localised({ english: englishStrings, chinese: chineseStrings });
