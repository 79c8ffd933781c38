import type { Phrase } from '../records/record.ts';
import { strategySentences } from '../../language/english/strategies-english.ts';
import { callsByResult, type Turn, turnsOf } from '../messages/exchange.ts';
import type { Message } from '../messages/message.ts';
import { removableMessages } from '../messages/protection.ts';
import { isCut, isShortened, referenceTo } from '../text/placeholder.ts';
import { framingTokens, sizeIn, type UsageMeter } from '../tokens/usage.ts';
import { defineStrategy, planned, type StrategyInput, unchanged } from './contract/strategy.ts';
import type { Rewrite } from './contract/rewrite.ts';
import { WorkingView } from './contract/working-view.ts';
import { tailInRoom } from './steps/tail.ts';

export const recentWindow = defineStrategy({
  id: 'recent-window',
  description:
    'Fits the conversation into a fixed budget: drops the oldest turns, then clips tool results, then drops steps from the middle of a turn. Needs no model. Keeps the newest turns whole as long as they fit; loses the oldest until the agent recalls them.',
  needsModel: false,
  options: {
    order: {
      type: 'choice',
      default: 'oldest-turns',
      choices: ['oldest-turns', 'newest-first'],
      description:
        '`oldest-turns` drops whole turns, oldest first, and shortens the last one if dropping it would free more than needed. `newest-first` keeps messages from the newest back until the budget is full, and clips the first that does not fit.',
    },
    budget: {
      type: 'integer',
      default: 58_000,
      minimum: 1,
      maximum: 10_000_000,
      description:
        'Target size in tokens, including tool definitions. The target of the compaction applies if it is smaller.',
    },
  },
  async plan(input, { meter }) {
    const { options, target, tokens } = input;
    const budget = Math.min(options.budget, target ?? options.budget);
    if (tokens <= budget) return unchanged(strategySentences.say('fitsBudget', { budget }));
    const working = new WorkingView(input, meter);
    if (options.order === 'oldest-turns') await dropOldestTurns(input, working, budget, meter);
    else await keepNewest(input, working, budget, meter);
    return working.isChanged
      ? planned(working.plan())
      : unchanged(strategySentences.say('overBudgetIsProtected'));
  },
});

const clipping = () => import('./steps/clip-to-fit.ts');

type Input = Pick<StrategyInput<unknown>, 'view' | 'protectedIds' | 'toolTokens'>;

/** Drops turns that free no more than needed, and shortens the first that would free more. */
async function dropOldestTurns(
  input: Input,
  working: WorkingView,
  budget: number,
  meter: UsageMeter,
): Promise<void> {
  const { view, protectedIds } = input;
  const sizes = await working.sizes();
  const turns = turnsOf(view);
  const newest = turns.at(-1);
  const dropped: string[] = [];
  let excess = working.tokens - budget;
  for (const turn of turns.slice(0, -1)) {
    const leaving = removableMessages(view.slice(turn.start, turn.end), protectedIds);
    const tokens = sizeIn(leaving, sizes);
    if (tokens > excess) {
      await dropAll(working, dropped.splice(0), strategySentences.say('oldestTurns'));
      await shortenTurn(input, turn, working, budget, meter);
      // If the answer alone is too long, the turn is dropped like the turns before it.
      if (working.tokens > budget) dropped.push(...leaving.map(({ id }) => id));
      break;
    }
    dropped.push(...leaving.map(({ id }) => id));
    excess -= tokens;
  }
  await dropAll(working, dropped, strategySentences.say('oldestTurns'));
  if (newest === undefined || working.tokens <= budget) return;
  await shortenTurn(input, newest, working, budget, meter);
  await shortenLastStep(input, newest, working, budget, meter);
}

/** Hides the results of all steps except the last. Then drops steps from the request to the last, oldest first. */
async function shortenTurn(
  { view, protectedIds }: Input,
  turn: Turn,
  working: WorkingView,
  budget: number,
  meter: UsageMeter,
): Promise<void> {
  const isAsked = view[turn.start]?.role === 'user';
  const middle = turn.blocks.slice(isAsked ? 1 : 0, -1);
  const steps = middle.map(({ start, end }) => removableMessages(view.slice(start, end), protectedIds));
  await shortenResults(steps.flat(), view, working, budget, meter);
  if (working.tokens <= budget) return;

  const sizes = await working.sizes();
  const dropped: string[] = [];
  let excess = working.tokens - budget;
  for (const messages of steps) {
    if (excess <= 0) break;
    dropped.push(...messages.map(({ id }) => id));
    excess -= sizeIn(messages, sizes);
  }
  await dropAll(working, dropped, strategySentences.say('middleOfTurn'));
}

/** Clips the last step of the newest turn until it fits, or drops the step as a last measure. */
async function shortenLastStep(
  { view, protectedIds }: Input,
  turn: Turn,
  working: WorkingView,
  budget: number,
  meter: UsageMeter,
): Promise<void> {
  const last = turn.blocks.at(-1);
  if (last === undefined || working.tokens <= budget) return;
  const messages = removableMessages(view.slice(last.start, last.end), protectedIds);
  if (messages.length === 0) return;
  const tokens = sizeIn(messages, await working.sizes());
  const room = tokens - (working.tokens - budget);
  const { clipTogether } = await clipping();
  const clips = await clipTogether(messages, room, strategySentences.say('largerThanRoom'), meter);
  if (clips !== undefined) await working.rewrite(clips);
  else
    await dropAll(
      working,
      messages.map(({ id }) => id),
      strategySentences.say('largerThanRoom'),
    );
}

/** Hides results, oldest first, and clips the last one needed to reach the budget. */
async function shortenResults(
  messages: readonly Message[],
  view: readonly Message[],
  working: WorkingView,
  budget: number,
  meter: UsageMeter,
): Promise<void> {
  const calls = callsByResult(view);
  const sizes = await working.sizes();
  const results = messages
    .filter((message) => message.role === 'tool' && !isShortened(message))
    .map((message) => {
      const tokens = sizes.get(message.id) ?? 0;
      const tool = calls.get(message.id)?.function.name ?? 'the tool';
      return { message, tokens, placeholder: referenceTo(message.id, tool, tokens) };
    });
  const left = await meter.countTexts(results.map(({ placeholder }) => placeholder));
  const { clipMessageText } = await clipping();
  const rewrites: Rewrite[] = [];
  let excess = working.tokens - budget;
  for (const [index, { message, tokens, placeholder }] of results.entries()) {
    if (excess <= 0) break;
    const { id } = message;
    const room = tokens - framingTokens - excess;
    excess -= Math.max(0, tokens - framingTokens - (left[index] ?? 0));
    const clipped = excess < 0 && !isCut(message) ? await clipMessageText(message, room, meter) : undefined;
    rewrites.push({
      kind: clipped === undefined ? 'hide' : 'clip',
      id,
      content: clipped ?? placeholder,
      reason: strategySentences.say('oldToolResult'),
    });
  }
  await working.rewrite(rewrites);
}

/** Keeps the newest blocks that fit, and as much as possible of the next block. */
async function keepNewest(
  { view, protectedIds, toolTokens }: Input,
  working: WorkingView,
  budget: number,
  meter: UsageMeter,
): Promise<void> {
  const sizes = await working.sizes();
  const { start, left, next } = tailInRoom(view, protectedIds, budget - toolTokens, sizes);
  if (next === undefined) return;
  const messages = view.slice(next.start, next.end);
  const isClippable = messages[0]?.role === 'user' || next.isExchange;
  const clips = isClippable
    ? await (await clipping()).clipTogether(messages, left, strategySentences.say('firstNotToFit'), meter)
    : undefined;
  const end = clips === undefined ? start : next.start;
  const leaving = removableMessages(view.slice(0, end), protectedIds);
  await working.rewrite(clips ?? []);
  await dropAll(
    working,
    leaving.map(({ id }) => id),
    strategySentences.say('olderThanFits'),
  );
}

async function dropAll(working: WorkingView, ids: readonly string[], reason: Phrase): Promise<void> {
  const left = new Set(working.messages.map(({ id }) => id));
  await working.drop(
    ids.filter((id) => left.has(id)),
    reason,
  );
}
