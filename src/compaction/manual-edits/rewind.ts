import { strategySentences } from '../../language/english/strategies-english.ts';
import { removableMessages } from '../messages/protection.ts';
import { rewindId } from '../records/record.ts';
import { planned, type Strategy, unchanged } from '../strategies/contract/strategy.ts';

/** Leaves out a part of the conversation without a summary. Pins, memory and system messages stay. */
export const rewind: Strategy = {
  id: rewindId,
  description: 'Leaves out what came after a message.',
  needsModel: false,
  isExact: true,
  options: {},
  plan({ view, protectedIds }) {
    const ids = removableMessages(view, protectedIds).map(({ id }) => id);
    return Promise.resolve(
      ids.length === 0
        ? unchanged(strategySentences.say('nothingToLeaveOut'))
        : planned({ actions: [{ kind: 'drop', ids, reason: strategySentences.say('leftOut') }] }),
    );
  },
};
