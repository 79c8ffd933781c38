import { strategySentences } from '../../language/english/strategies-english.ts';
import { blocksOf, callsByResult } from '../messages/exchange.ts';
import type { Message } from '../messages/message.ts';
import type { PlannedAction } from '../records/plan.ts';
import { hideId } from '../records/record.ts';
import { planned, type Strategy, unchanged } from '../strategies/contract/strategy.ts';
import { imagesMarker, referenceTo } from '../text/placeholder.ts';
import type { UsageMeter } from '../tokens/usage.ts';
import { toModel } from '../../language/sentence.ts';

export interface Hiding {
  /** Selected messages. A call also hides its results, because providers accept neither without the other. */
  readonly messages: readonly string[];
  readonly pictures?: readonly string[];
}

/** Hides exactly what the user selected, calls with their results. A result whose call stays becomes a reference. */
export function hideSelection({ messages, pictures = [] }: Hiding): Strategy {
  const chosen = new Set(messages);
  const withoutPictures = new Set(pictures);
  return {
    id: hideId,
    description: 'Hides what was chosen by hand.',
    needsModel: false,
    isExact: true,
    options: {},
    async plan({ view }, { meter }) {
      const results: Message[] = [];
      const actions = blocksOf(view).flatMap(({ start, end }): readonly PlannedAction[] => {
        const [opening, ...others] = view.slice(start, end);
        if (opening === undefined) return [];
        if (chosen.has(opening.id)) {
          const ids = [opening, ...others].map(({ id }) => id);
          return [{ kind: 'drop', ids, reason: strategySentences.say('hiddenByHand') }];
        }
        results.push(...others.filter(({ id, truncation }) => chosen.has(id) && truncation?.fate !== 'hide'));
        return [opening, ...others].flatMap((message) =>
          withoutPictures.has(message.id) && !chosen.has(message.id) ? hidePictures(message) : [],
        );
      });
      actions.push(...(await hideResults(view, results, meter)));
      return actions.length === 0 ? unchanged(strategySentences.say('nothingToHide')) : planned({ actions });
    },
  };
}

async function hideResults(
  view: readonly Message[],
  results: readonly Message[],
  meter: UsageMeter,
): Promise<readonly PlannedAction[]> {
  const calls = callsByResult(view);
  const usages = await meter.measureEach(results);
  return results.map(({ id, name }, index) => {
    const tokens = usages[index]?.total ?? 0;
    const tool = calls.get(id)?.function.name ?? name ?? 'the tool';
    return {
      kind: 'hide',
      id,
      placeholder: referenceTo(id, tool, tokens, toModel`Hidden by the user.`),
      originalTokens: tokens,
      reason: strategySentences.say('hiddenByHand'),
    };
  });
}

function hidePictures({ id, content }: Message): readonly PlannedAction[] {
  if (content === null || typeof content === 'string') return [];
  const texts = content.filter((part) => part.text !== undefined);
  const count = content.length - texts.length;
  if (count === 0) return [];
  const note = { type: 'text', text: imagesMarker(count) };
  const reason = strategySentences.say('pictureHidden');
  return [{ kind: 'clip', id, content: [...texts, note], originalTokens: 0, reason }];
}
