import {
  type Kind,
  kinds,
  type NextSize,
  type CompactionForecast,
  type RowFate,
  type Trigger,
  type TriggerStart,
} from '../../src/protocol/engine-terms.ts';
import { formatCount } from './numbers.ts';
import { bothPagesEnglish } from '../../src/language/english/both-pages-english.ts';
import { strategyTitles, titleIn } from '../../src/language/english/strategy-titles-english.ts';
import { textsInLanguage } from './page-language.ts';

const words = textsInLanguage('bothPages', bothPagesEnglish);

export const listSeparator = words.betweenNames;

/** Joins names or parts with the separator of the page's language. */
export function listed(parts: readonly string[]): string {
  return parts.join(listSeparator);
}

/** Names of the kinds of content that take tokens. */
export const kindNames: Readonly<Record<Kind, string>> = words.kinds;

/** Names for the fates of messages, in one or two words. */
export const fateWords: Readonly<Record<RowFate, string>> = words.fates;

/** The name of a fate with a capital letter, for use outside a sentence. */
export function fateName(fate: RowFate): string {
  const word = fateWords[fate];
  return `${word.charAt(0).toUpperCase()}${word.slice(1)}`;
}

/** Names of manual changes by strategy id. */
const byHandNames: Readonly<Record<string, string>> = {
  hide: words.byHand.hide,
  rewind: words.byHand.rewind,
};

/** True if a strategy is a manual change. */
export function isByHand(strategy: string): boolean {
  return Object.hasOwn(byHandNames, strategy);
}

/** The title of a strategy or of a manual change. */
export function strategyName(strategy: string): string {
  return byHandNames[strategy] ?? titleOfStrategy(strategy);
}

interface NotedFacts {
  readonly actualStrategy: string;
  readonly isEdited?: boolean | undefined;
  readonly part?: { readonly messages: number; readonly rewinds: boolean } | undefined;
  readonly filesBack?: { readonly files: number; readonly tokens: number } | undefined;
}

/** Short notes on a compaction: the chosen part, an edited summary, restored files. */
export function compactionNotes({
  actualStrategy,
  part,
  isEdited,
  filesBack,
}: NotedFacts): readonly string[] {
  const { byHand, filesCameBack } = words;
  return [
    ...(part?.rewinds === true && !isByHand(actualStrategy) ? [lowered(byHand.rewind)] : []),
    ...(part === undefined ? [] : [byHand.part({ count: part.messages })]),
    ...(isEdited === true ? [byHand.edited] : []),
    ...(filesBack === undefined ? [] : [filesCameBack({ count: filesBack.files, tokens: filesBack.tokens })]),
  ];
}

function lowered(text: string): string {
  return `${text.charAt(0).toLowerCase()}${text.slice(1)}`;
}

interface Started extends Pick<Trigger, 'source' | 'tokens'> {
  readonly start?: TriggerStart | undefined;
  readonly threshold?: number | undefined;
  /** Our count of the request, if it differs from the provider's. */
  readonly counted?: number | undefined;
}

/** The start of a compaction in one or two words; undefined if it was not recorded or the user started it. */
export function startName(start: TriggerStart | undefined): string | undefined {
  return start === undefined ? undefined : words.trigger.starts[start];
}

/** A sentence about the start of a compaction and its reason; undefined in the same cases as `startName`. */
export function startSentence({
  source,
  tokens,
  start,
  threshold,
  counted = tokens,
}: Started): string | undefined {
  if (start === undefined) return undefined;
  const { size: one, sizes } = words.trigger;
  const size = counted === tokens ? one({ tokens }) : sizes({ tokens, counted });
  if (start === 'early') return words.trigger.early({ size });
  if (threshold === undefined) return undefined;
  const limit = formatCount(threshold);
  if (start === 'background') return words.trigger.background({ size, from: limit });
  switch (source) {
    case 'ratio':
    case 'reserve':
    case 'tokens':
    case 'messages':
    case 'turns':
    case 'overflow':
      return words.trigger[source]({ size, limit });
    default:
      return undefined;
  }
}

/**
 * Sentences about the next automatic compactions, in order. Every display of compaction sizes uses this function or
 * its forecast.
 */
export function outlookSentences(outlook: CompactionForecast): readonly string[] {
  const { trigger, background, isUnderWay, asks, messagesLeft, turnsLeft } = outlook;
  return [
    ...(outlook.isPaused === true ? [words.outlook.isPaused] : []),
    ...(isUnderWay === true ? [words.outlook.isUnderWay] : []),
    ...(background === undefined ? [] : [words.outlook.begins({ tokens: background })]),
    ...(trigger === undefined
      ? []
      : [(asks === true ? words.outlook.asks : words.outlook.compacts)({ tokens: trigger })]),
    ...(outlook.shortensEarly === true ? [words.outlook.shortensEarly] : []),
    // The message that exceeds the limit starts the compaction.
    ...(messagesLeft === undefined
      ? []
      : [
          messagesLeft === 0
            ? words.outlook.nextMessage
            : words.outlook.messages({ messages: messagesLeft + 1 }),
        ]),
    ...(turnsLeft === undefined
      ? []
      : [turnsLeft === 0 ? words.outlook.nextTurn : words.outlook.turns({ turns: turnsLeft + 1 })]),
  ];
}

/** Provider's count minus the sum of the kinds, in tokens. May be negative. */
export function beyondCount({ tokens, byKind }: NextSize): number {
  return tokens - kinds.reduce((sum, kind) => sum + byKind[kind], 0);
}

/** A sentence about the difference to the provider's count; undefined if there is no difference or no report. */
export function beyondCountSentence(size: NextSize): string | undefined {
  const beyond = beyondCount(size);
  if (beyond === 0) return undefined;
  return (beyond > 0 ? words.countsMore : words.countsFewer)({ tokens: Math.abs(beyond) });
}

const titles = textsInLanguage('strategyTitles', strategyTitles.english);

/** The title of a strategy in the language of the page, or its id if this version does not know the strategy. */
export function titleOfStrategy(id: string): string {
  return titleIn(titles, id);
}
