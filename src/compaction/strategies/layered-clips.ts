import { clipJson, clipText } from '../clip-text.ts';
import { headOf } from '../clip.ts';
import { textOf, type Message } from '../message.ts';
import { clipMarker } from '../placeholder.ts';
import type { UsageMeter } from '../tokens/usage.ts';
import { withText } from './text-clips.ts';
import type { Rewrite } from './working-view.ts';

/** Characters that an older text keeps for each token of the limit it went over: Suna, `_compress_message`. */
const charactersPerToken = 3;
/** Characters that the newest text of its kind keeps at most, and for each token of the target: Suna, `safe_truncate`. */
const longestNewest = 100_000;
const newestPerToken = 2;

/** Cuts what is longer than a limit, in tokens, to its beginning, with a hint how to get the rest; JSON stays JSON. */
export async function clipHeads(
  messages: readonly Message[],
  limit: number,
  meter: UsageMeter,
): Promise<readonly Rewrite[]> {
  const usages = await meter.measureEach(messages);
  return messages.flatMap((message, index) => {
    const text = textOf(message.content);
    const longest = limit * charactersPerToken;
    if ((usages[index]?.total ?? 0) <= limit || text.length <= longest) return [];
    return [
      clipOf(
        message,
        clipJson(text, longest, message.id) ?? headWithHint(message, longest),
        'long, and older',
      ),
    ];
  });
}

function headWithHint({ id, content }: Message, longest: number): string {
  const text = textOf(content);
  const head = headOf(text, longest);
  return `${head}${clipMarker(id)(text.length - head.length)}`;
}

/**
 * Cuts the newest text of its kind to head and tail, where it alone would fill what there is.
 *
 * @param aim size that all messages together should have, in tokens
 */
export function clipNewest(messages: readonly Message[], aim: number): readonly Rewrite[] {
  const longest = Math.min(longestNewest, aim * newestPerToken);
  return messages.flatMap((message) => {
    const text = textOf(message.content);
    const marker = clipMarker(message.id);
    if (text.length <= longest || longest <= marker(text.length).length) return [];
    return [clipOf(message, clipText(text, longest, message.id), 'long, the newest of its kind')];
  });
}

function clipOf(message: Message, text: string, reason: string): Rewrite {
  return { kind: 'clip', id: message.id, content: withText(message.content, text), reason };
}
