import { strategySentences } from '../../language/english/strategies-english.ts';
import { throwIfCancelled, type CancellationSignal } from '../signals/cancellation.ts';
import { headAndTail } from '../text/clip.ts';
import { isSystem, type Message, textOf, withoutOriginal } from '../messages/message.ts';
import { removableMessages } from '../messages/protection.ts';
import type { Passage } from '../retrieval/passages.ts';
import { framed, type TagSuffix } from '../quoting/session-tags.ts';
import type { CarriedText } from '../messages/ledger.ts';
import { summaryText } from '../summary/summary-form.ts';
import { sum, type UsageMeter } from '../tokens/usage.ts';
import { turnsOf } from '../messages/exchange.ts';
import { defineStrategy, planned, unchanged } from './contract/strategy.ts';
import { toModel } from '../../language/sentence.ts';

/** Maximum characters of a request, from both ends, that are used for the search. */
const longestQuery = 2_000;
const longestLabel = 200;
const slack = 8;

const opening = toModel`Passages of earlier messages, chosen for the request: `;
const explanation = toModel`The rest of them is no longer in context; recall returns all of a message by its id.`;

export const dialogueRetrieval = defineStrategy({
  id: 'dialogue-retrieval',
  description:
    'Hides everything before the newest turn and brings back the passages that best match the newest request. Needs no model. Keeps system messages, earlier summaries, the newest turn and what its request asks about; loses the rest of the conversation until the agent searches for it.',
  needsModel: false,
  options: {
    topK: {
      type: 'integer',
      default: 8,
      minimum: 1,
      maximum: 100,
      description:
        'Number of passages brought back. One of them is always the last message before the request.',
    },
    passageTokens: {
      type: 'integer',
      default: 400,
      minimum: 50,
      maximum: 10_000,
      description: 'Maximum size of a passage, in tokens.',
    },
  },
  outdatedFor(view) {
    if (!view.some(isRetrieved)) return undefined;
    const request = view[turnsOf(view).at(-1)?.start ?? 0];
    const headline = headlineFor(textOf(request?.content ?? null));
    return view.some((message) => headlineOf(message) === headline) ? undefined : request?.id;
  },
  async plan(input, { meter }, signal) {
    const { view, history, protectedIds, options, target, trigger } = input;
    const start = turnsOf(view).at(-1)?.start ?? 0;
    const request = textOf(view[start]?.content ?? null);
    const headline = headlineFor(request);
    const leaving = removableMessages(view.slice(0, start), protectedIds).filter(
      (message) => message.kind !== 'summary' || isRetrieved(message),
    );
    const isCurrent = leaving.some((message) => headlineOf(message) === headline);
    if (leaving.every((message) => isRetrieved(message)) && (isCurrent || leaving.length === 0)) {
      return unchanged(strategySentences.say('onlyNewestTurn'));
    }

    const ids = new Set(leaving.map(({ id }) => id));
    const stays = new Set(view.filter(({ id }) => !ids.has(id)).map(({ id }) => id));
    const { withoutLookups } = await import('../retrieval/passages.ts');
    // Text that was too long for the view is too long to be searched at every compaction.
    const sources = withoutLookups(history)
      .filter((message) => !stays.has(message.id) && !isSystem(message) && message.kind === undefined)
      .map(withoutOriginal);
    const { total: leavingTokens } = sum(await meter.measureEach(leaving));
    const mustReach = trigger.requirement === 'hard' ? target : undefined;
    const room = Math.min(
      leavingTokens - 1,
      mustReach === undefined ? Number.POSITIVE_INFINITY : mustReach - (input.tokens - leavingTokens),
    );
    const found = await retrieve(sources, request, options, meter, signal);
    const passages = await render(headline, found, room, input.tagSuffix, meter);
    if (passages !== undefined) {
      const reason = strategySentences.say('replacedByPassages');
      return planned({ actions: [{ kind: 'summarise', ids: [...ids], ...passages, reason }] });
    }
    if (mustReach === undefined) {
      return unchanged(strategySentences.say('passagesNotSmaller'));
    }
    return planned({
      actions: [{ kind: 'drop', ids: [...ids], reason: strategySentences.say('beforeNewestTurn') }],
      warnings: [strategySentences.say('noRoomForPassages', { count: ids.size })],
    });
  },
});

interface Found {
  readonly ranked: readonly Passage[];
  readonly inOrder: readonly Passage[];
}

/** Finds the best passages for a request, or else the newest. Includes the last passage, to which "do it" may refer. */
async function retrieve(
  sources: readonly Message[],
  request: string,
  options: { readonly topK: number; readonly passageTokens: number },
  meter: UsageMeter,
  signal: CancellationSignal,
): Promise<Found> {
  const { indexedPassages } = await import('../retrieval/kept-index.ts');
  const { passages, index } = await indexedPassages(sources, options.passageTokens, meter, () => {
    throwIfCancelled(signal);
  });
  const matching = index.search(
    headAndTail(request, longestQuery, () => '\n'),
    options.topK,
  );
  const [best, ...others] = matching;
  const newest = passages.slice(-options.topK).reverse();
  const wanted = best === undefined ? newest : [best, ...newest.slice(0, 1), ...others];
  const ranked = [...new Set(wanted)].slice(0, options.topK);
  const chosen = new Set(ranked);
  return { ranked, inOrder: passages.filter((passage) => chosen.has(passage)) };
}

/** Writes the message that replaces the removed messages; undefined if no passage fits. */
async function render(
  headline: string,
  { ranked, inOrder }: Found,
  room: number,
  tagSuffix: TagSuffix,
  meter: UsageMeter,
): Promise<CarriedText | undefined> {
  const { cleaned } = await import('../summary/summary-request.ts');
  const title = opening + cleaned(headline, tagSuffix);
  const frame = summaryText(`${title}\n${explanation}`, tagSuffix);
  const [frameTokens = 0, ...sizes] = await meter.countTexts([
    frame,
    ...ranked.map((passage) => `\n${passageText(passage, cleaned(passage.text, tagSuffix), tagSuffix)}`),
  ]);
  let left = room - frameTokens - slack;
  const fitting = new Set(
    ranked.filter((_passage, rank) => {
      const size = sizes[rank] ?? 0;
      const fits = size <= left;
      if (fits) left -= size;
      return fits;
    }),
  );
  if (fitting.size === 0) return undefined;
  const texts = inOrder
    .filter((passage) => fitting.has(passage))
    .map((passage) => passageText(passage, cleaned(passage.text, tagSuffix), tagSuffix));
  return {
    text: summaryText([title, explanation, ...texts].join('\n'), tagSuffix),
    carried: { request: headline },
  };
}

function passageText({ messageId, role }: Passage, text: string, tagSuffix: TagSuffix): string {
  return framed('passage', tagSuffix, text, { id: messageId, role });
}

/** Returns the ends of a request on one line, by which the next run recognises the request. */
function headlineFor(request: string): string {
  return headAndTail(request.replace(/\s+/gu, ' ').trim(), longestLabel, () => ' … ');
}

/** Opening of the message in earlier versions, which had no marks. */
const earlierOpening = `<conversation_summary>\n${opening}`;

function headlineOf({ kind, content, carried }: Message): string | undefined {
  if (kind !== 'summary') return undefined;
  if (carried?.request !== undefined) return carried.request;
  const text = textOf(content);
  return text.startsWith(earlierOpening) ? text.slice(earlierOpening.length).split('\n', 1)[0] : undefined;
}

function isRetrieved(message: Message): boolean {
  return headlineOf(message) !== undefined;
}
