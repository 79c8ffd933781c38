import { type Sentence, SentenceError, type StoredSentence } from '../../language/sentence.ts';
import type { Wording } from '../../language/translated/wording.ts';
import { memoised } from '../messages/memoise.ts';
import type {
  CompactionRecord,
  Phrase,
  Reason,
  ReasonCode,
  RecordedAction,
  RecordedText,
  Tier,
} from './record.ts';

/** Error that ends a compaction, with a reason for the record. */
export class CompactionFailure extends Error {
  override readonly name = 'CompactionFailure';
  readonly phrase: Phrase;
  readonly tiers: readonly Tier[];
  readonly code: ReasonCode;

  constructor(
    code: ReasonCode,
    phrase: Phrase,
    options: { readonly cause?: unknown; readonly tiers?: readonly Tier[] } = {},
  ) {
    super(englishOf(phrase), options);
    this.code = code;
    this.phrase = phrase;
    this.tiers = options.tiers ?? [];
  }

  get reason(): Reason {
    return reasonOf(this.code, this.phrase);
  }
}

export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns a phrase for the user for any thrown value. */
export function phraseOf(error: unknown): Phrase {
  if (error instanceof CompactionFailure) return error.phrase;
  return error instanceof SentenceError ? error.sentence : messageOf(error);
}

/** Returns a phrase in English. Text that is not ours stays unchanged. */
export function englishOf(phrase: Phrase): string {
  return typeof phrase === 'string' ? phrase : phrase.english;
}

export function phraseText(phrase: Phrase, wording: Wording): string {
  return typeof phrase === 'string' ? phrase : wording.text(phrase);
}

export function reasonOf(code: ReasonCode, phrase: Phrase): Reason {
  return { code, ...recordedText(phrase) };
}

export function actionReason(phrase: Phrase): ActionReason {
  return typeof phrase === 'string' ? { reason: phrase } : reasonOfSentence(phrase);
}

type ActionReason = Pick<RecordedAction, 'reason' | 'sentence'>;

/** Cached, because many actions share a reason. */
const reasonOfSentence = memoised((phrase: Sentence): ActionReason => {
  const { message, ...sentence } = recordedText(phrase);
  return { reason: message, ...sentence };
});

/** Returns warnings in the form that records store, each once. */
export function recordedWarnings(
  phrases: readonly Phrase[],
): Pick<CompactionRecord, 'warnings' | 'warningSentences'> {
  const texts = [...new Map(phrases.map((phrase) => [englishOf(phrase), recordedText(phrase)])).values()];
  const warnings = texts.map(({ message }) => message);
  return texts.some(({ sentence }) => sentence !== undefined)
    ? { warnings, warningSentences: texts.map(({ sentence }) => sentence ?? null) }
    : { warnings };
}

export function reasonText(reason: RecordedText, wording: Wording): string {
  return wording.stored(reason.sentence, reason.message);
}

export function actionText(
  { reason, sentence }: Pick<RecordedAction, 'reason' | 'sentence'>,
  wording: Wording,
): string {
  return wording.stored(sentence, reason);
}

export function warningTexts(
  { warnings, warningSentences = [] }: Pick<CompactionRecord, 'warnings' | 'warningSentences'>,
  wording: Wording,
): readonly string[] {
  return warnings.map((warning, index) => wording.stored(warningSentences[index] ?? undefined, warning));
}

/** Returns the strategies that were tried, each with its reason in the reader's language. */
export function tierViews(tiers: readonly Tier[], wording: Wording): readonly Tier[] {
  return tiers.map(({ reason, ...tier }) =>
    reason === undefined
      ? tier
      : { ...tier, reason: { code: reason.code, message: reasonText(reason, wording) } },
  );
}

export function recordedText(phrase: Phrase): RecordedText {
  if (typeof phrase === 'string') return { message: phrase };
  const { key, values, english } = phrase;
  const sentence: StoredSentence = { key, values };
  return { message: english, sentence };
}
