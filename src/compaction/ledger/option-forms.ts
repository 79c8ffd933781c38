import { type Message, textOf } from '../messages/message.ts';
import { inQuotes } from '../quoting/quoted.ts';
import { ellipsised } from '../text/clip.ts';
import { clausesOf, isAskingSentence } from './own-sentences.ts';
import type { SaidForm } from './said-form.ts';

const noun =
  '(?:option|approach|variant|alternative|solution|proposal|version|plan|recommendation|suggestion)';
const label = '(?:#?\\d{1,2}|[a-h]|one|two|three|four|five)';
const named = `(?:the )?${noun}s? ${label}\\b(?! or\\b)(?:(?: and | ?& ?)${label}\\b)?|the (?:first|second|third|fourth|fifth) (?:one|${noun})\\b`;
const choosing =
  "(?:let['’]?s (?:just )?(?:do|try|go (?:with|for)|use|take|pick|implement|(?:start|proceed|continue) with)|i(?:['’](?:d|ll)| would| will)? (?:also )?(?:prefer|like|choose|pick|want|say|take|go (?:with|for))|(?:do|use|take|pick|choose|implement|apply|create|try)|(?:go|going) (?:with|for)|(?:go ahead|proceed|continue) with)";
const liking = '(?:is|looks|sounds|seems) (?:fine|good|great|better|best|the best(?: one)?|ok(?:ay)?)';

/** The user's choice of an option from a reply. The choice is a decision if the reply identifies the option. */
export const optionForm: SaidForm = {
  kind: 'decision',
  isChoice: true,
  pattern: new RegExp(
    `^${choosing} (?:${named})|^${choosing} ${label}$|^(?:i think )?(?:${named})(?: (?:please|it is|then|works|${liking}))?$|^(?:i think )?[a-h][.)]? ${liking}$|^i think [a-h]\\)?$`,
    'iu',
  ),
  examples: ['Option 2.', 'I prefer the first one.', 'Great, implement solution 1 and 2', 'let’s do 1'],
};

/** The labels for each place in a list. */
const places: readonly string[][] = [
  'first one',
  'second two',
  'third three',
  'fourth four',
  'fifth five',
].map((words, index) => [...words.split(' '), `${index + 1}`, 'abcde'[index]!]);
const anyLabel = /#?\d{1,2}|\b(?:[a-h]|one|two|three|four|five|first|second|third|fourth|fifth)\b/giu;

/** Beginning of a line that lists an option. */
const listed = new RegExp(
  `^[\\s#>*_|•-]*(?:(?<noun>${noun})\\s+)?[#(]?(?<label>\\d{1,2}|[a-h]|one|two|three|four|five)(?:[).:：]|[*_]*\\s+[—–-])[*_]*\\s*\\S`,
  'iu',
);
/** Maximum length of the quoted line of an option, in characters. */
const longestOption = 160;

/**
 * Adds the chosen options to a choice, as the reply lists them.
 *
 * @returns undefined unless the last reply with options shows for certain which line was chosen
 */
export function withOptions(choice: string, replies: readonly Message[]): string | undefined {
  const clause = clausesOf(choice).find((one) => optionForm.pattern.test(one)) ?? '';
  const chosen =
    optionForm.pattern
      .exec(clause)?.[0]
      .replace(/\bthe (\w+) one\b/iu, '$1')
      .match(anyLabel) ?? [];
  const lines = chosen.map((name) => optionLine(name.replace('#', '').toLowerCase(), replies));
  if (lines.length === 0 || lines.includes(undefined)) return undefined;
  return `${choice}${saidBefore}${(lines as readonly string[]).map((line) => inQuotes(line)).join(', ')})`;
}

function optionLine(name: string, replies: readonly Message[]): string | undefined {
  const names = /^(?:[a-h]|\d+)$/u.test(name)
    ? [name]
    : (places.find((place) => place.includes(name)) ?? [name]);
  for (const reply of replies.toReversed()) {
    const found = textOf(reply.content)
      .split('\n')
      .flatMap((line) => {
        const groups = listed.exec(line)?.groups;
        const isNamed = groups?.noun !== undefined;
        const isOf = groups !== undefined && names.includes(groups.label!.toLowerCase());
        return isOf && (isNamed || !isAskingSentence(line.trim())) ? [{ line, isNamed }] : [];
      });
    const sure = found.find(({ isNamed }) => isNamed) ?? (found.length === 1 ? found[0] : undefined);
    if (sure !== undefined)
      return ellipsised(sure.line.replace(/^[\s>#*•-]+|[*_`#|]+/gu, '').trim(), longestOption);
    if (found.length > 0) return undefined;
  }
  return undefined;
}

const saidBefore = " (of the assistant's reply: ";

/** Removes the added options from a choice. Other sentences stay unchanged. */
export function typedChoice(fact: string): string {
  const at = fact.endsWith('”)') ? fact.indexOf(saidBefore) : -1;
  return at < 0 ? fact : fact.slice(0, at);
}
