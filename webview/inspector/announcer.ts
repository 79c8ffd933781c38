import type { InspectorState } from '../../src/protocol/inspector.ts';
import type { RecordView } from '../../src/protocol/inspector-records.ts';
import { element, setText } from '../shared/dom.ts';
import { formatCount } from '../shared/numbers.ts';
import { strings } from './text/inspector-strings.ts';

const spoken = strings.announced;

/** Tells a screen reader what happened to the session, whichever tab is shown: once, when it is done. */
export class Announcer {
  readonly element = element('p', { class: 'spoken', role: 'status' });
  private shown: InspectorState | undefined;

  render(state: InspectorState): void {
    const { shown } = this;
    this.shown = state;
    // What another session did before is no news.
    if (shown?.sessionId !== state.sessionId) setText(this.element, '');
    else if (newestId(shown) !== newestId(state)) setText(this.element, outcomeOf(state.records[0]));
    else if (undoneOf(shown) < undoneOf(state)) setText(this.element, spoken.undone);
    else if (state.isCompacting && !shown.isCompacting) setText(this.element, strings.compacting);
  }
}

function newestId({ records }: InspectorState): string | undefined {
  return records[0]?.id;
}

function undoneOf({ records }: InspectorState): number {
  return records.filter(({ isUndone }) => isUndone).length;
}

function outcomeOf(record: RecordView | undefined): string {
  if (record === undefined) return '';
  const { status, actualStrategy, requestedStrategy, tokensBefore, tokensAfter } = record;
  return status === 'applied'
    ? spoken.applied(actualStrategy, formatCount(tokensBefore), formatCount(tokensAfter))
    : strings.sentence(strings.outcomes[status](requestedStrategy));
}
