import { localised } from '../../shared/localisation.ts';
import { chineseStrings } from './strings-chinese.ts';
import { englishStrings } from './strings-english.ts';

/** Every text of the Ledger tab. */
export const strings = localised({ english: englishStrings, chinese: chineseStrings });
