import { localised } from '../../shared/localisation.ts';
import { chineseStrings } from './strings-chinese.ts';
import { englishStrings } from './strings-english.ts';

/** Every text of the What-if tab. */
export const whatIfStrings = localised({ english: englishStrings, chinese: chineseStrings });
