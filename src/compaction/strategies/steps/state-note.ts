import { strategySentences } from '../../../language/english/strategies-english.ts';
import { renderState } from '../../ledger/state-lines.ts';
import { workState } from '../../ledger/work-state.ts';
import { blocksOf } from '../../messages/exchange.ts';
import { isSystem, type Message } from '../../messages/message.ts';
import { indexById } from '../../messages/message-index.ts';
import { summaryText } from '../../summary/summary-form.ts';
import type { UsageMeter } from '../../tokens/usage.ts';
import type { StrategyInput } from '../contract/strategy.ts';
import type { WorkingView } from '../contract/working-view.ts';

/** Share of the freed tokens that the note may take. */
const noteShare = 0.25;

/** Inserts a note about the state of the work after the last changed message, where the cache ends anyway. */
export async function noteState(
  input: Pick<StrategyInput<unknown>, 'view' | 'history' | 'tokens' | 'tagSuffix' | 'isPart'>,
  working: WorkingView,
  room: number,
  meter: UsageMeter,
): Promise<void> {
  if (input.isPart === true) return;
  const after = lastChanged(input.view, working.messages);
  await dropStateNotes(working);
  if (after === undefined) return;
  const state = workState(input.history);
  const told = renderState(state, input.tagSuffix);
  if (told === '') return;
  const text = summaryText(told, input.tagSuffix);
  const tokens = await meter.countText(text);
  const freed = input.tokens - working.tokens;
  if (tokens > freed * noteShare || working.tokens + tokens > room) return;
  await working.insert(after, { text, carried: { state } }, strategySentences.say('whereItStands'));
}

/** Removes earlier notes, because newer text contains the state. */
export function dropStateNotes(working: WorkingView): Promise<void> {
  const notes = working.messages.filter(isStateNote).map(({ id }) => id);
  return working.drop(notes, strategySentences.say('olderState'));
}

function isStateNote({ kind, carried }: Message): boolean {
  return kind === 'summary' && carried?.state !== undefined && carried.ledger === undefined;
}

/** Finds the last message of the last changed block; undefined if the note would be first or last. */
function lastChanged(before: readonly Message[], after: readonly Message[]): string | undefined {
  const places = indexById(after);
  const changed = before.findLast((message) => {
    const place = places.get(message.id);
    return place !== undefined && after[place] !== message && !isStateNote(message);
  });
  const place = changed && places.get(changed.id);
  const block = blocksOf(after).find(({ end }) => place !== undefined && end > place);
  const last = block && after[block.end - 1];
  return last === undefined || isSystem(last) || block?.end === after.length ? undefined : last.id;
}
