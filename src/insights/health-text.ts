import { chineseGroups, chineseSentences } from './health-text-chinese.ts';
import { englishGroups, englishSentences, type SentenceKey } from './health-text-english.ts';

/**
 * A sentence by its key, and what is put in: tokens and other counts as they are, shares between 0 and 1, names of
 * strategies and of groups of the allocation.
 */
export interface Sentence {
  readonly key: SentenceKey;
  readonly values: Readonly<Record<string, number | string>>;
}

export function sentence(key: SentenceKey, values: Sentence['values'] = {}): Sentence {
  return { key, values };
}

interface HealthTexts {
  readonly sentences: Readonly<Record<SentenceKey, string>>;
  /** By the groups of the allocation. */
  readonly groups: Readonly<Record<string, string>>;
  readonly betweenGroups: string;
  /** Stands between a number and its sign, and does not break. */
  readonly percentGap: string;
}

const english: HealthTexts = {
  sentences: englishSentences,
  groups: englishGroups,
  betweenGroups: ', ',
  percentGap: '\u00a0',
};
const chinese: HealthTexts = {
  sentences: chineseSentences,
  groups: chineseGroups,
  betweenGroups: '、',
  percentGap: '',
};

/** Simplified Chinese and what is read as it, as the pages have it. */
const simplifiedChinese = /^zh(?:-(?:cn|sg|hans)\b.*)?$/i;
/** Values that name groups of the allocation, in a list where there are several. */
const groupValues: ReadonlySet<string> = new Set(['groups', 'largest']);
const betweenNames = ', ';

/**
 * A sentence with its values put in.
 *
 * @param language BCP 47; numbers are written as it writes them, and where there are no sentences in it, they are in
 *   English
 */
export function sentenceText({ key, values }: Sentence, language = 'en'): string {
  const texts = simplifiedChinese.test(language) ? chinese : english;
  return texts.sentences[key].replace(/\{(\w+)\}/gu, (whole, name: string) => {
    const value = values[name];
    if (value === undefined) return whole;
    if (typeof value === 'string') return groupValues.has(name) ? groupNames(value, texts) : value;
    if (!name.endsWith('Share')) return value.toLocaleString(language);
    const share = (100 * value).toLocaleString(language, { maximumFractionDigits: 0 });
    return `${share}${texts.percentGap}%`;
  });
}

function groupNames(listed: string, { groups, betweenGroups }: HealthTexts): string {
  return listed
    .split(betweenNames)
    .map((group) => groups[group] ?? group)
    .join(betweenGroups);
}
