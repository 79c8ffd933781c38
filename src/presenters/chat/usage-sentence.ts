import { hostSentences } from '../../language/english/host-english.ts';
import type { Sentence } from '../../language/sentence.ts';
import type { Meter } from '../../protocol/chat.ts';

/** A size at which an automatic compaction starts, in tokens, and the name of its sentence. */
interface Start {
  readonly key: 'beginsAt' | 'compactsAt' | 'asksAt';
  readonly tokens: number;
}

/** Sizes at which automatic compactions start, in ascending order. */
export function startsOf({ background, trigger, asks }: Meter): readonly Start[] {
  return [
    ...(background === undefined ? [] : [{ key: 'beginsAt', tokens: background } as const]),
    ...(trigger === undefined
      ? []
      : [{ key: asks === true ? 'asksAt' : 'compactsAt', tokens: trigger } as const]),
  ];
}

/** Sentence about the fill of the window and the sizes at which compactions start. */
export function usageSentence({ tokens, window, background, trigger, asks }: Meter): Sentence {
  if (window === undefined) return hostSentences.say('usageWithoutWindow', { tokens });
  const usage = { tokens, window, share: tokens / window };
  if (trigger === undefined) return hostSentences.say('usage', usage);
  if (asks === true) return hostSentences.say('usageAsks', { ...usage, trigger });
  if (background === undefined) return hostSentences.say('usageCompacts', { ...usage, trigger });
  return hostSentences.say('usageBegins', { ...usage, background, trigger });
}
