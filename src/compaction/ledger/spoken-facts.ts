import { factText } from './fact-text.ts';

const rule =
  /\b(?:must(?: not|n't)?|never|always|do not|don't|only|avoid|make sure|ensure|instead of|prefer|no need to|without)\b|不要|不能|不准|禁止|必须|务必|总是|永远|只能|只用|确保|请勿|应该|优先/iu;
const choice =
  /\b(?:let's (?:use|go|do|keep|make)|we(?:'ll| will) (?:use|go|keep)|i(?:'ll| will) (?:use|go with|keep)|decided|decision|chose|choose|go(?:ing)? with|settled on|switch(?:ed|ing)? to|agreed)\b|决定|改用|采用|选择|就用|改成/iu;
/** Longest sentence, in characters, that is still a rule and no story. */
const longestSentence = 240;
const sentencesPerMessage = 8;
/** Of a longer message only its beginning and end are read, in characters each: the rest is pasted material. */
const searchedCharacters = 4_000;

/** Sentences of a person that set a rule. */
export function constraintsIn(text: string): readonly string[] {
  return sentencesOf(text)
    .filter((sentence) => rule.test(sentence) && !/[?？]$/u.test(sentence))
    .slice(0, sentencesPerMessage);
}

/** Sentences in which something is decided. */
export function decisionsIn(text: string): readonly string[] {
  return sentencesOf(text)
    .filter((sentence) => choice.test(sentence) && !/[?？]$/u.test(sentence))
    .slice(0, sentencesPerMessage);
}

function sentencesOf(text: string): readonly string[] {
  const searched =
    text.length <= 2 * searchedCharacters
      ? text
      : `${text.slice(0, searchedCharacters)}\n${text.slice(-searchedCharacters)}`;
  return searched
    .replace(/```[\s\S]*?(?:```|$)/gu, '\n')
    .split(/(?<=[.!?])\s+|(?<=[。！？])|\n+/u)
    .map((sentence) => factText(sentence.replace(/^[-*#>\d.)\s]+/u, '')))
    .filter((sentence) => sentence.length >= 8 && sentence.length <= longestSentence);
}
