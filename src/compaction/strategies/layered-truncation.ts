import { strategySentences } from '../../language/english/strategies-english.ts';
import { blocksOf } from '../messages/exchange.ts';
import { kindOf, textOf, type Message } from '../messages/message.ts';
import { isCut } from '../text/placeholder.ts';
import type { UsageMeter } from '../tokens/usage.ts';
import { defineStrategy, planned, unchanged } from './contract/strategy.ts';
import { WorkingView } from './contract/working-view.ts';

/** Minimum number of removable blocks that stay, unless the target is hard (Suna, `min_groups_to_keep`). */
const fewestBlocks = 5;

export const layeredTruncation = defineStrategy({
  id: 'layered-truncation',
  description:
    "Clips the longest texts (tool results first, then your messages, then the model's) with a smaller limit in each round, and finally drops messages from the middle. Needs no model. Keeps the newest of each kind, whole or with its beginning and end; loses the rest of older long texts until the agent recalls it.",
  needsModel: false,
  options: {
    threshold: {
      type: 'integer',
      default: 4_096,
      minimum: 16,
      maximum: 1_000_000,
      description: 'Messages that exceed this number of tokens are clipped in the first round.',
    },
    rounds: {
      type: 'integer',
      default: 5,
      minimum: 0,
      maximum: 20,
      description: 'Number of times the limit is halved while the messages together are still too large.',
    },
    targetRatio: {
      type: 'number',
      default: 0.6,
      minimum: 0.05,
      maximum: 1,
      description:
        'Target size, as a share of the size that triggers a compaction. The general target applies if it is smaller.',
    },
  },
  async plan(input, { meter }) {
    const { view, options, budget, trigger, protectedIds } = input;
    const known = [input.target, budget.trigger && Math.floor(budget.trigger * options.targetRatio)];
    const sizes = known.filter((size) => size !== undefined);
    const aim = sizes.length > 0 ? Math.min(...sizes) : Math.floor(input.tokens * options.targetRatio);
    if (input.tokens <= aim) return unchanged(strategySentences.say('atTargetSize'));

    const { clipHeads, clipNewest, stripEchoes } = await import('./steps/message-clips.ts');
    const { Clipper } = await import('../text/clip-json.ts');
    const clipper = new Clipper();
    const working = new WorkingView(input, meter);
    const mayBeClipped = (message: Message) => !protectedIds.has(message.id) && !isCut(message);
    const clippable = new Set(view.filter(mayBeClipped).map(({ id }) => id));
    await working.rewrite(stripEchoes(view, mayBeClipped), aim);
    // Each round clips the original messages, not the results of earlier rounds.
    const layers = layersOf(working.messages).map((layer) => ({
      older: layer.slice(0, -1).filter(({ id }) => clippable.has(id)),
      newest: layer.slice(-1).filter(({ id }) => clippable.has(id)),
    }));
    for (let round = 0; round <= options.rounds; round++) {
      const threshold = Math.floor(options.threshold / 2 ** round);
      for (const { older, newest } of layers) {
        if (working.tokens <= aim) break;
        await working.rewrite(await clipHeads(older, threshold, clipper, meter), aim);
        await working.rewrite(clipNewest(newest, aim, clipper), aim);
      }
    }
    if (working.tokens > aim) {
      const fewest = trigger.requirement === 'hard' ? 0 : fewestBlocks;
      await dropMiddle(working, protectedIds, aim, fewest, meter);
    }
    if (!working.isChanged) return unchanged(strategySentences.say('noMessageToClip'));
    const warnings =
      working.tokens > aim ? [strategySentences.say('overAim', { tokens: working.tokens, aim })] : [];
    return planned(working.plan({ warnings }));
  },
});

function layersOf(view: readonly Message[]): readonly (readonly Message[])[] {
  return [
    view.filter((message) => message.role === 'tool'),
    view.filter((message) => kindOf(message) === 'user' || kindOf(message) === 'reminder'),
    view.filter((message) => message.role === 'assistant' && textOf(message.content) !== ''),
  ];
}

/** Removes whole blocks from the middle outwards, of two equally distant the older first. Summaries stay. */
async function dropMiddle(
  working: WorkingView,
  protectedIds: ReadonlySet<string>,
  aim: number,
  fewest: number,
  meter: UsageMeter,
): Promise<void> {
  const view = working.messages;
  const usages = await meter.measureEach(view);
  const blocks = blocksOf(view).filter(({ start, end }) =>
    view.slice(start, end).every(({ id, kind }) => !protectedIds.has(id) && kind !== 'summary'),
  );
  const middle = (blocks.length - 1) / 2;
  const outwards = blocks
    .map((block, index) => ({ block, distance: Math.abs(index - middle) }))
    .toSorted((one, other) => one.distance - other.distance)
    .slice(0, Math.max(0, blocks.length - fewest));
  const leaving: string[] = [];
  let size = working.tokens;
  for (const { block } of outwards) {
    if (size <= aim) break;
    for (let index = block.start; index < block.end; index++) {
      leaving.push(view[index]?.id ?? '');
      size -= usages[index]?.total ?? 0;
    }
  }
  await working.drop(leaving, strategySentences.say('middle'));
}
