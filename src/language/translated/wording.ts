import {
  englishFormat,
  fillIn,
  type Format,
  type Sentence,
  SentenceError,
  type StoredSentence,
} from '../sentence.ts';
import { type Language, shownLanguage } from '../shown-language.ts';

/** Turns sentences into text in the user's language. */
export interface Wording {
  readonly language: Language;
  /** The text of a sentence; in English if it is not translated. */
  text(sentence: Sentence): string;
  /**
   * The text of a sentence that was read from a file.
   *
   * @param stored the text stored with it, shown if the sentence is missing or not translated
   */
  stored(sentence: StoredSentence | undefined, stored: string): string;
  /** The message of an error: translated if it has a sentence, otherwise unchanged. */
  error(error: unknown): string;
}

function wording(language: Language, textOf: (sentence: StoredSentence, english: string) => string): Wording {
  return {
    language,
    text: (sentence) => textOf(sentence, sentence.english),
    stored: (sentence, stored) => (sentence === undefined ? stored : textOf(sentence, stored)),
    error: (error) => {
      if (error instanceof SentenceError) return textOf(error.sentence, error.message);
      return error instanceof Error ? error.message : String(error);
    },
  };
}

export const englishWording: Wording = wording(englishFormat.language, (_sentence, english) => english);

/** The wording for a language. Loads its tables unless it is English. @param tag BCP 47, as VS Code states it */
export async function wordingFor(tag: string): Promise<Wording> {
  const language = shownLanguage(tag);
  if (language === 'en') return englishWording;
  const { chineseTemplates } = await import('../chinese/chinese.ts');
  const textOf = (sentence: StoredSentence, english: string): string => {
    const template = chineseTemplates.get(sentence.key);
    return template === undefined ? english : fillIn(template, sentence.values, format);
  };
  const format: Format = {
    language,
    separator: '、',
    sentence: (sentence) => textOf(sentence, sentence.english),
  };
  return wording(language, textOf);
}
