import { proseSentences } from './own-sentences.ts';

/** Minimum characters of specific and general sentences; weight of a character in unspaced scripts. */
const [leastSpecific, leastGeneral, unspacedWeight] = [20, 40, 2.5];
/** Minimum number of characters of a short result. */
const shortest = 15;
/** Maximum number of characters of a sentence. */
const longest = 300;
/** Minimum number of words of a specific sentence. Shorter sentences are headings. */
const fewestWords = 5;

const link = /\[([^[\]\n]+)\]\([^()\n]+\)/gu;
/** A complete sentence: a capital, code or a script without case at the start, a full stop at the end. */
const whole = /^(?!["“(]?\p{Ll})[\p{L}\d`"“(].*[^.…][.。]["”’)]*$/u;
/** An opening that depends on the text before it. */
const dangling =
  /^(?:(?:this|that|these|those|it|its|they|them|their|he|she|here|both|all|none|neither|either|same|such|one|another|so|but|and|or|nor|also|however|then|otherwise|instead|therefore|thus|hence|which|since then|in particular|in other words|yes|yeah|no|right|well|now|next|still|not|das|dies\w*|aber|und)\b|[A-Z]?[a-z]* ?\(?\d{1,3}[).:]|这|那|它|该|因此|但|所以|以上)/iu;
/** A word before a colon, which introduces a list. */
const label = /^[^.!?。！？`]{1,60}[:：](?=\s|\*|$)/u;
/** A reference to a numbered, listed or displayed item elsewhere. */
const elsewhere =
  /\b(?:issues?|options?|bugs?|problems?|steps?|phases?|points?|items?|findings?|cases?|approach(?:es)?|choices?|variants?|solutions?|questions?|fix(?:es)?|tasks?|parts?|conflicts?|observations?|rules?|tests?|reasons?) (?:#?\d+[a-z]?|\(?[A-Z]\)?)(?![\w.-])|\b(?:above|below|following|former|latter|as follows)\b|[①-⑳]|以上|以下|如下/u;
/** Words for plans, for uncertainty, and for addressing the user. */
const unsettled =
  /\b(?:let me|let['’]s|let us|i['’]?ll|i will|i['’]m \w+ing|i am \w+ing|i can|i need|we need|i['’]d|i apologi[sz]e|i understand|i see|sorry|thank|you|your|please|would|should|could|may|might|must|shall|probably|likely|maybe|perhaps|seems?|ich werde|wir sollten|bitte|sie|du)\b|让我|我来|我将|我会|接下来|请|你|您|如果|可能|应该/iu;
/** Words for states, completed work and findings. */
const finding =
  /\b(?:is|isn['’]t|are|aren['’]t|was|were|has|have|had|i['’]ve|found|made|wrote|built|ran|does|doesn['’]t|did|didn['’]t|works?|pass(?:es)?|fails?|returns?|[a-z]{2,}[^\We]ed|ist|sind|war|wurden?|habe|hat)\b|[已了是]|完成|修复|发现|通过/iu;
/** An opening that asks the reader to do something. */
const imperative =
  /^(?:see|use|try|look|rename|replace|add|run|check|keep|make|note|define|update|set|move|remove|fix|consider|implement|ensure|create|delete|avoid|read|write|open|verify|want|do|don['’]t|never|always|go|start|stop|change|extract|merge|split|drop|skip|pick|let|tell|say|restart|edit|install|call|pass|return|test)\b/iu;
/** A yes, a no or another verdict, alone or with its statement. */
const verdict =
  /^(?:(?:yes|yeah|yep|no|nope|right|correct|exactly|agreed|(?:broadly|mostly|fully) agree|ja|nein|you(?:['’]re| are) right(?![.!]))(?:[,;.!]| [—–-]|$)|(?:no|zero) (?:\w+ )?(?:findings?|issues?|problems?|changes|errors?|bugs?|regressions?)\b|your [\w' -]{1,30}? (?:holds? up|checks? out|(?:is|are) (?:right|correct|accurate|sound|fine))\b)|^(?:是|对|不)[，,。]/iu;
/** The result of a check. It answers only a request to run the check. */
const checked =
  /^(?:all |the )?(?:\w+ )?(?:tests?|lint\w*|build|code|everything)\b.*\b(?:pass(?:es|ed)?|clean|green)\b/iu;
/** An opening that may refer only to the request. */
const referring = /^(?:this|that|these|those|it|they|both|all|none)\b/iu;
/** A verb at the beginning of a sentence that states an outcome: "Pushed successfully." */
const deed =
  /^(?:pushed|committed|merged|fixed|reverted|restored|removed|deleted|renamed|moved|created|added|updated|installed|deployed|published|released|opened|closed|cancell?ed|booked)\b/iu;
/** A line outside prose, or a label. */
const structure = /^\s*(?:#|>|\||[-*+•] |\d{1,3}[.)] |`{3}|~{3}|\*\*[^*]+\*\*:?\s*$)/u;
/** A path, code, a number, or a name that only occurs in code. */
const specific = /`[^`]+`|\d|\w[./_]\w|[a-z][A-Z]/u;

/**
 * Returns the sentence of a reply that answers the request: the first sentence of the first paragraph that
 * states an action or a finding. Undefined without such a sentence, because later sentences may be details.
 */
export function answeringSentence(reply: string): string | undefined {
  const lines = reply.trimStart().split('\n');
  const end = lines.findIndex((line) => line.trim() === '' || structure.test(line));
  const paragraph = (end < 0 ? lines : lines.slice(0, end)).join('\n');
  const sentences = proseSentences(paragraph.replace(link, '$1'));
  return sentences.find((sentence, index) => {
    if (sentence.length <= longest && verdict.test(sentence)) return isWhole(sentence);
    const isClear = !dangling.test(sentence) || (index === 0 && referring.test(sentence));
    const said = sentence.replace(/\byour\b/giu, 'the');
    return isClear && !checked.test(sentence) && (tells(said) || isShort(said));
  });
}

/** True for a short result, such as "Pushed successfully." or "The fix is correct." */
function isShort(sentence: string): boolean {
  const isResult = deed.test(sentence) || /^(?:the|all|both) .* (?:is|are|was|were) /iu.test(sentence);
  return isResult && sentence.length >= shortest && sentence.length < leastGeneral && isStatement(sentence);
}

/** True for a sentence that states an action or a finding and is clear without the other sentences. */
function tells(sentence: string): boolean {
  const isUnspaced = /[\u2e80-\uffff]/u.test(sentence);
  const isSpecific = specific.test(sentence);
  const said = sentence.length * (isUnspaced ? unspacedWeight : 1);
  // A sentence such as "I have the full picture now." states no result.
  if (!isSpecific && /^I\b/u.test(sentence)) return false;
  if (said < (isSpecific ? leastSpecific : leastGeneral) || sentence.length > longest) return false;
  const isNamed = isUnspaced || (isSpecific && sentence.split(' ').length >= fewestWords);
  return (isNamed || finding.test(sentence)) && isStatement(sentence);
}

function isStatement(sentence: string): boolean {
  return isWhole(sentence) && ![label, elsewhere, unsettled, imperative].some((form) => form.test(sentence));
}

/** False for a fragment cut out of a longer text. */
function isWhole(sentence: string): boolean {
  const count = (sign: string) => sentence.split(sign).length - 1;
  if (!whole.test(sentence) || count('`') % 2 === 1 || count('"') % 2 === 1) return false;
  return count('(') === count(')') && count('[') === count(']');
}
