import { html, type TemplateResult } from 'lit';
import type { InspectorRequest, InspectorState } from '../../../src/protocol/inspector.ts';
import { linkButton } from '../../shared/link-button.ts';
import { isEditable } from '../page/inspector-view-state.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import type { Range } from './timeline-layout.ts';
import type { PointChoice, TimelineSlice } from '../state/timeline-state.ts';

const words = inspectorTexts.byHand;

interface ActionsProps {
  readonly timeline: Pick<TimelineSlice, 'calls' | 'hidden'>;
  readonly range: Range;
  readonly session: InspectorState;
  readonly post: (request: InspectorRequest) => void;
  readonly compare: (from: PointChoice, to: PointChoice) => void;
  readonly zoom: (range: Range) => void;
}

/** Actions on the selected requests. */
export function requestActions(props: ActionsProps): TemplateResult {
  const { timeline, range, session, post, compare, zoom } = props;
  const { from, to } = range;
  const isOne = to - from === 1;
  const compared = isOne
    ? linkButton(inspectorTexts.views.compareNow, () => compare({ request: from + 1 }, 'now'))
    : linkButton(inspectorTexts.views.compareRange, () => compare({ request: from + 1 }, { request: to }));
  return html`<div class="timeline-row range-actions">
    <b>${isOne ? words.request({ number: from + 1 }) : words.requests({ from: from + 1, to })}</b>
    ${isEditable(session) ? actionsOn(timeline, range).map(([label, request]) => linkButton(label, () => post(request))) : ''}
    ${compared} ${isOne ? '' : linkButton(inspectorTexts.timeline.zoom, () => zoom(range))}
  </div>`;
}

function actionsOn(
  { calls, hidden }: ActionsProps['timeline'],
  { from, to }: Range,
): readonly (readonly [string, InspectorRequest])[] {
  const chosen = calls.slice(from, to);
  const [first, last, above, below] = [chosen[0], chosen.at(-1), calls[from - 1], calls[to]];
  if (first === undefined || last === undefined) return [];
  const idsOf = (isHidden: boolean) =>
    chosen.filter((_, index) => hidden.has(from + index) === isHidden).map(({ messageId }) => messageId);
  const [hiddenIds, others] = [idsOf(true), idsOf(false)];
  const isOne = chosen.length === 1;
  const actions: readonly (readonly [boolean, string, () => InspectorRequest])[] = [
    [hiddenIds.length > 0, words.show, () => ({ type: 'show', messageIds: hiddenIds })],
    [others.length > 0, words.hide, () => ({ type: 'hide', selection: { messageIds: others } })],
    [
      !isOne,
      words.compactRange,
      () => ({ type: 'compact-part', from: first.firstId ?? first.messageId, to: last.messageId }),
    ],
    [above !== undefined, words.compactAbove, () => ({ type: 'compact-part', to: above?.messageId })],
    [
      below !== undefined,
      words.compactBelow,
      () => ({ type: 'compact-part', from: below?.firstId ?? below?.messageId }),
    ],
    [isOne, words.goOn, () => ({ type: 'rewind', messageId: last.messageId })],
  ];
  return actions.filter(([isThere]) => isThere).map(([, label, request]) => [label, request()]);
}
