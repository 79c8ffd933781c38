import { type Sentence, SentenceError, type StoredSentence } from '../../language/sentence.ts';
import type { Wording } from '../../language/translated/wording.ts';
import { remembered } from '../messages/remembered.ts';
import type {
  CompactionRecord,
  Phrase,
  Reason,
  ReasonCode,
  RecordedAction,
  RecordedText,
  Tier,
} from './record.ts';

/** A compaction that cannot go on, with a reason fit for the record. */
export class CompactionFailure extends Error {
  override readonly name = 'CompactionFailure';
  readonly phrase: Phrase;
  /** The steps that were tried before, if there were several. */
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

/** Text of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Anything that was thrown, in words for people. */
export function phraseOf(error: unknown): Phrase {
  if (error instanceof CompactionFailure) return error.phrase;
  return error instanceof SentenceError ? error.sentence : messageOf(error);
}

/** A phrase in English, or in the words of its author. */
export function englishOf(phrase: Phrase): string {
  return typeof phrase === 'string' ? phrase : phrase.english;
}

/** A phrase for the person who reads it; the words of others as they are. */
export function phraseText(phrase: Phrase, wording: Wording): string {
  return typeof phrase === 'string' ? phrase : wording.text(phrase);
}

/** A reason as a record stores it. */
export function reasonOf(code: ReasonCode, phrase: Phrase): Reason {
  return { code, ...recordedText(phrase) };
}

/** The reason of an action as a record stores it. */
export function actionReason(phrase: Phrase): ActionReason {
  return typeof phrase === 'string' ? { reason: phrase } : reasonOfSentence(phrase);
}

type ActionReason = Pick<RecordedAction, 'reason' | 'sentence'>;

/** Many actions share a reason. */
const reasonOfSentence = remembered((phrase: Sentence): ActionReason => {
  const { message, ...sentence } = recordedText(phrase);
  return { reason: message, ...sentence };
});

/** Warnings as a record stores them, each once. */
export function recordedWarnings(
  phrases: readonly Phrase[],
): Pick<CompactionRecord, 'warnings' | 'warningSentences'> {
  const texts = [...new Map(phrases.map((phrase) => [englishOf(phrase), recordedText(phrase)])).values()];
  const warnings = texts.map(({ message }) => message);
  return texts.some(({ sentence }) => sentence !== undefined)
    ? { warnings, warningSentences: texts.map(({ sentence }) => sentence ?? null) }
    : { warnings };
}

/** A recorded reason for the person who reads it; as it is stored if others worded it. */
export function reasonText(reason: RecordedText, wording: Wording): string {
  return wording.stored(reason.sentence, reason.message);
}

/** The reason of a recorded action for the person who reads it. */
export function actionText(
  { reason, sentence }: Pick<RecordedAction, 'reason' | 'sentence'>,
  wording: Wording,
): string {
  return wording.stored(sentence, reason);
}

/** The warnings of a record for the person who reads them. */
export function warningTexts(
  { warnings, warningSentences = [] }: Pick<CompactionRecord, 'warnings' | 'warningSentences'>,
  wording: Wording,
): readonly string[] {
  return warnings.map((warning, index) => wording.stored(warningSentences[index] ?? undefined, warning));
}

/** The strategies that were tried, each with its reason in the reader's language. */
export function tierViews(tiers: readonly Tier[], wording: Wording): readonly Tier[] {
  return tiers.map(({ reason, ...tier }) =>
    reason === undefined
      ? tier
      : { ...tier, reason: { code: reason.code, message: reasonText(reason, wording) } },
  );
}

/** A phrase as it is stored. */
export function recordedText(phrase: Phrase): RecordedText {
  if (typeof phrase === 'string') return { message: phrase };
  const { key, values, english } = phrase;
  const sentence: StoredSentence = { key, values };
  return { message: english, sentence };
}
