import { ellipsised } from '../text/clip.ts';
import { factText } from './call-facts.ts';

const codeBlock = /```[^]*?(?:```|$)/gu;
/** Longest sentence that is told, in characters. */
const longestTold = 160;
/** A shorter sentence, in characters, says no more than "Done." does; a letter of a script without spaces says more. */
const shortestSentence = 20;
const shortestUnspaced = 8;

/** Forms of what is, was, was done, or was found. */
const finding =
  /\b(?:is|are|was|were|has|have|had|found|made|wrote|built|ran|works?|pass(?:es)?|fails?|[a-z]{3,}[^\We]ed|ist|sind|war|wurden?|habe|hat)\b|[已了是]|完成|修复|发现|通过/u;
/** Forms of what is still to come or not certain, and of what is said to the user. */
const announcement =
  /\b(?:let me|let['’]s|i['’]ll|i will|i['’]m going to|i need to|we need to|i['’]d|you|your|please|if|would|should|could|can|may|might|must|probably|likely|maybe)\b|让我|我来|我将|我会|接下来|请|你|您|如果/iu;

/** The last sentence of a reply that says what was done or found, shortened; undefined if none does for certain. */
export function lastFinding(reply: string): string | undefined {
  const sentences = reply
    .replace(codeBlock, '\n')
    .split('\n')
    .filter((line) => !/^\s*(?:[#|>]|\d{1,3}[.)]\s)/u.test(line))
    .flatMap((line) => {
      const prose = line.replace(/^[\s*•-]+/u, '').replace(/\*\*|__/gu, '');
      return prose.split(/(?<=[.!?])\s+|(?<=[。！？])/u).map((sentence) => sentence.trim());
    });
  const found = sentences.findLast(
    (sentence) =>
      /[.!。！]$/u.test(sentence) &&
      !sentence.endsWith('..') &&
      !/^(?:\p{Ll}|No response requested)/u.test(sentence) &&
      sentence.length >= (/[\u2e80-\uffff]/u.test(sentence) ? shortestUnspaced : shortestSentence) &&
      finding.test(sentence) &&
      !announcement.test(sentence),
  );
  return found && ellipsised(factText(found), longestTold);
}
