import type { Reason, ReasonCode, Tier } from '../compaction/records/record.ts';

/** A text in the language of whoever reads it; the same text where there is no translation. */
export type Translate = (english: string) => string;

/** What reasons of a code are about, for those whose sentence nobody has translated. */
export const reasonSubjects: Readonly<Record<ReasonCode, string>> = {
  'nothing-to-do': 'There was nothing to do',
  'invalid-plan': 'The plan is not valid',
  'invalid-view': 'The result is not valid',
  'protected-changed': 'Something protected would change',
  'order-changed': 'The order would change',
  'prefix-changed': 'What stands before the first change would change',
  'change-not-permitted': 'A message would say something else',
  'not-smaller': 'The result is not smaller',
  'over-target': 'The result is over the target',
  'summary-empty': 'The summary cannot be used',
  'summary-whitespace': 'The summary cannot be used',
  'summary-reasoning-only': 'The summary cannot be used',
  'summary-cut-off': 'The summary cannot be used',
  'summary-unclosed': 'The summary cannot be used',
  'summary-inflated': 'The summary cannot be used',
  'no-model': 'There is no model',
  'spending-limit': 'The limit for automatic summaries is reached',
  'model-failed': 'The summarising model failed',
  'no-native-compaction': 'The provider cannot compact',
  'strategy-failed': 'The strategy failed',
  'custom-missing': 'The custom strategy cannot be found',
  'custom-failed': 'The custom strategy failed',
  'custom-timeout': 'The custom strategy took too long',
  'custom-invalid': 'The answer of the custom strategy cannot be used',
  'base-changed': 'The conversation changed',
  exhausted: 'There is no room left',
  cancelled: 'It was stopped',
};

/**
 * The sentence of a reason. Where nobody has translated it, because it is a provider's or a custom strategy's own, it
 * says in the reader's language at least what it is about.
 */
export function reasonText({ code, message }: Reason, translate: Translate): string {
  const known = translate(message);
  if (known !== message) return known;
  const labelled = `${reasonSubjects[code]}: ${message}`;
  const translated = translate(labelled);
  return translated === labelled ? message : translated;
}

/** The strategies that were tried, each with its reason for a reader. */
export function tierTexts(tiers: readonly Tier[], translate: Translate): readonly Tier[] {
  return tiers.map(({ reason, ...tier }) =>
    reason === undefined ? tier : { ...tier, reason: { ...reason, message: reasonText(reason, translate) } },
  );
}
