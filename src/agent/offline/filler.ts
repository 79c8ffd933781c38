/** Matches a path, an identifier, a number or quoted text. */
const specific = /`[^`]+`|["“«][^"“”«»]+["”»]|\d|\w[./_]\w|[a-z][A-Z]|\b[A-Z]{2,}\b/u;

/** Matches the beginning of a sentence that only announces the next step. */
const announcement =
  /^(?:(?:ok(?:ay)?|now|next|first|then|great|good|perfect|excellent|alright|sure|certainly|so|finally)\b[,.!:]?\s+)*(?:let me|let's|let us|i(?:'ll|’ll| will| need to| should| want to| am going to|'m going to|’m going to)|now i|looking at|checking|time to)\b|^(?:好的|好|现在|首先|接下来)?[，,]?(?:让我|我来|我将|我会|我们来|我先|接下来)/iu;

/** What is said to a person and says nothing of the work. */
const courtesy =
  /\b(?:how (?:can|may) i (?:help|assist)|what (?:would you like|can i do)|let me know|feel free|anything else|happy to help|glad to help|hope (?:this|that) helps|you(?:'re|’re| are) (?:absolutely |completely )?(?:right|welcome)|thank(?:s| you))\b|有什么.{0,8}(?:帮|协助)|请告诉我|还有.{0,6}(?:需要|问题)吗/iu;

/** Thinking that was given up in the middle. */
const givenUp =
  /^(?:wait|hmm*|hm|oops|actually|等等|等一下|不对)(?:[,.:!…，。]|\s*[-–—])|\b(?:wait|hmm+),|(?:…|\.\.\.)$/iu;

/** That something is done, without a word of what. */
const doneAgain =
  /\b(?:complete[d]?|done|successful(?:ly)?|works?|working|fixed|finished|ready|good|correct|passed|passes?)\b/iu;
const mostWordsOfDone = 6;

/** True if a sentence tells nobody anything who was not there: an announcement, a courtesy, a thought given up, or a half. */
export function isFiller(sentence: string): boolean {
  if (courtesy.test(sentence) || givenUp.test(sentence) || isHalf(sentence)) return true;
  if (specific.test(sentence)) return false;
  const words = sentence.split(/\s+/u);
  return announcement.test(sentence) || (words.length <= mostWordsOfDone && doneAgain.test(sentence));
}

/** True if it leads to something that does not follow, or was cut out of the middle of something. */
function isHalf(sentence: string): boolean {
  if (/[:：,，(]$/u.test(sentence) || /^[,.;:)\]}>]/u.test(sentence)) return true;
  const count = (sign: string) => sentence.split(sign).length - 1;
  if (count('`') % 2 === 1 || count('"') % 2 === 1) return true;
  return count('(') !== count(')') || count('[') !== count(']');
}
