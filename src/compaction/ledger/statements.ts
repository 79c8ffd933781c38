import { clausesOf, isAskingSentence, settlingSentences } from './own-sentences.ts';
import { optionForm } from './option-forms.ts';
import { decisionForms } from './decision-forms.ts';
import { retractionForms } from './retraction-forms.ts';
import { ruleForms } from './rule-forms.ts';
import type { SaidForm } from './said-form.ts';

/** A rule or a decision of the user, with the sentences that limit it. */
export interface Statement {
  readonly text: string;
  readonly kind: 'rule' | 'decision';
  readonly isChoice?: SaidForm['isChoice'];
  /** True for a rule that is limited to the request in its message. */
  readonly isOfRequest?: true;
}

/** The rules and decisions that one typed message states and takes back. */
export interface Statements {
  /** Every sentence that could state a rule or decision. */
  readonly sentences: readonly string[];
  readonly statements: readonly Statement[];
  readonly retraction?: Retraction;
}

export interface Retraction {
  readonly sentence: string;
  /** The statement that is valid instead; absent if the message names none. */
  readonly instead?: Statement;
}

/** Forms in the order in which they are tried. */
export const saidForms: readonly SaidForm[] = [
  ...retractionForms,
  ...ruleForms,
  optionForm,
  ...decisionForms,
];

const mostPerMessage = 12;

/** A sentence that only limits the previous sentence. */
const limiting =
  /^(?:only|unless|except|but|until|otherwise|nur|außer|aber|es sei denn|sonst|除非|但|只有|否则)(?:\b|(?<=\p{Script=Han}))/iu;
/** A limit that does not name its subject. */
const dependent = /^only (?:stop|ask|interrupt)\b/iu;

/**
 * Reads the user's rules and decisions from one typed message, by explicit forms only. Only a model could
 * recognise other statements.
 */
export function statementsIn(text: string): Statements {
  const sentences = settlingSentences(text);
  const statements: Statement[] = [];
  let retraction: Retraction | undefined;
  for (const [index, sentence] of sentences.entries()) {
    if (statements.length >= mostPerMessage) break;
    const form = formOf(sentence);
    if (form === undefined) continue;
    if (form.kind === 'retraction') {
      retraction = retractionAt(sentences, index);
      if (retraction.instead?.text === sentence) statements.push(retraction.instead);
      continue;
    }
    if (limiting.test(sentence) && statements.at(-1)?.text.endsWith(sentence) === true) continue;
    statements.push(statementAt(sentences, index, form, form.kind));
  }
  const { instead } = retraction ?? {};
  if (instead !== undefined && !statements.some((one) => one.text.startsWith(instead.text)))
    statements.push(instead);
  const isAllRules = sentences.every((sentence) => statements.some(({ text }) => text.includes(sentence)));
  return {
    sentences,
    statements: statements.map(({ isOfRequest, ...statement }) =>
      isOfRequest === true && !(isAllRules && isBegun(statement.text))
        ? { ...statement, isOfRequest }
        : statement,
    ),
    ...(retraction !== undefined && { retraction }),
  };
}

/** Words that make a rule outlast its request. */
const lasting = /\b(?:always|never|ever|from now on|at all times)\b/iu;

function statementAt(
  sentences: readonly string[],
  index: number,
  form: SaidForm,
  kind: Statement['kind'],
): Statement {
  const text = withLimits(sentences, index);
  return {
    text,
    kind,
    ...(form.isChoice === true && { isChoice: true }),
    ...(form.isOfRequest === true && !lasting.test(text) && { isOfRequest: true }),
  };
}

/** True if a rule begins at the start of a sentence, and not at the end of a request. */
function isBegun(text: string): boolean {
  const [whole = ''] = clausesOf(text);
  return ruleForms.some(({ pattern }) => pattern.exec(whole)?.index === 0);
}

/** Words that make a sentence uncertain. */
const hedge =
  /\b(?:maybe|perhaps|probably|might|not sure|i(?:['’]m| am) thinking|i (?:guess|wonder|suppose)|saying|(?:it|he|she|they|who) (?:says?|said|tells?|told)|vielleicht|wahrscheinlich)\b|也许|可能/iu;

/** A decision under a condition, which is not final. */
const conditional = /^(?:if|once|in case|falls|sobald)\b|\bif\b.*\bthen\b|^如果/iu;

/** A pronoun in place of the chosen object. Such a sentence alone does not show what the user decided. */
const dangling =
  /^(?!.*["“`#]).*\b(?:use|keep|want|need|with|to|drop|choose|take|adopt) (?:this|that|these|those|it|them|your) ?/iu;

/** Returns the first form that matches a sentence. */
function formOf(sentence: string): SaidForm | undefined {
  if (isAskingSentence(sentence) || hedge.test(sentence) || /[;{}]$/u.test(sentence)) return undefined;
  const [whole = '', ...others] = clausesOf(sentence);
  return saidForms.find(
    ({ kind, pattern, isWhole }) =>
      !(kind === 'decision' && conditional.test(sentence)) &&
      (isWhole === true ? [whole] : [whole, ...others, sentence]).some(
        (clause) => pattern.test(clause) && !(kind === 'decision' && dangling.test(clause)),
      ),
  );
}

function withLimits(sentences: readonly string[], index: number): string {
  const first =
    dependent.test(sentences[index]!) && index > 0 && !isAskingSentence(sentences[index - 1]!)
      ? index - 1
      : index;
  const next = sentences[index + 1];
  const last = next !== undefined && limiting.test(next) && !isAskingSentence(next) ? index + 1 : index;
  return sentences.slice(first, last + 1).join(' ');
}

/** Beginnings of instructions. A sentence after "Scratch that" is a decision only if it begins like this. */
const order =
  /^(?:(?:use|make|keep|set|call|name|switch|take|leave|listen|new plan|plan|nimm|verwende|nutze|mach|lass)\b|用|改|换|还是)/iu;

/** Openings that announce an instruction in any wording. */
const announcing =
  /^(?:(?:ok(?:ay)?|actually|wait), )?(?:on second thou?ghts?|change of plans?|i(?:['’]ve| have)? changed my mind)[,:] \S/iu;

function retractionAt(sentences: readonly string[], index: number): Retraction {
  const sentence = sentences[index]!;
  const rest = clausesOf(sentence).slice(1);
  const isWhole =
    announcing.test(sentence) ||
    rest.some((clause) => order.test(clause) || /\binstead$/iu.test(clause)) ||
    (!isAskingSentence(sentence) &&
      decisionForms.some(({ pattern }) => rest.some((clause) => pattern.test(clause))));
  if (isWhole) return { sentence, instead: { text: sentence, kind: 'decision' } };
  const next = sentences[index + 1];
  if (next === undefined || isAskingSentence(next)) return { sentence };
  const form = formOf(next);
  if (form !== undefined && form.kind !== 'retraction')
    return { sentence, instead: statementAt(sentences, index + 1, form, form.kind) };
  const isOrder = clausesOf(next).some((clause) => order.test(clause));
  return isOrder ? { sentence, instead: { text: next, kind: 'decision' } } : { sentence };
}
