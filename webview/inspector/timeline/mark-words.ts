import type { MarkPoint } from '../../../src/protocol/inspector-timeline.ts';
import { formatCount } from '../../shared/numbers.ts';
import { startName } from '../../shared/compaction-words.ts';
import { strings } from '../text/inspector-strings.ts';

const words = strings.timeline.marks;

/** What happened, with its numbers. */
export function markText(mark: MarkPoint): string {
  switch (mark.type) {
    case 'compaction': {
      const { strategy, status, tokensBefore, tokensAfter } = mark;
      const what =
        status === 'applied'
          ? words.applied(strategy, formatCount(tokensBefore), formatCount(tokensAfter))
          : words.notApplied(strategy, strings.statuses[status]);
      const start = startName(mark.start);
      return start === undefined ? what : words.started(what, start);
    }
    case 'overflow':
      return words.overflow(formatCount(mark.tokens));
    case 'undo':
      return words.undo(mark.compactions, formatCount(mark.compactions));
    case 'restore':
      return words.restore(mark.messages, formatCount(mark.messages));
  }
}

/** The strategy, or the event, without its numbers. */
export function markName(mark: MarkPoint): string {
  return mark.type === 'compaction' ? mark.strategy : strings.timeline.markNames[mark.type];
}
