import { strategyTitlesChinese } from '../../src/language/strategy-titles-chinese.ts';
import { strategyTitles, titleIn } from '../../src/language/strategy-titles-english.ts';
import { localised } from './localisation.ts';

const titles = localised({ english: strategyTitles.english, chinese: strategyTitlesChinese.table });

/** The title of a strategy in the language of the page; its id if this version does not know it. */
export function titleOfStrategy(id: string): string {
  return titleIn(titles, id);
}
