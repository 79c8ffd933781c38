import type { InspectorRequest } from '../../../src/protocol/inspector.ts';
import { element, plainButton } from '../../shared/dom.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import type { Call, Range } from './timeline-data.ts';
import type { PointChoice } from './views-panel.ts';

const words = inspectorTexts.byHand;

interface PickedRange {
  readonly calls: readonly Call[];
  /** Indices of the requests whose reply the user hid. */
  readonly hidden: ReadonlySet<number>;
  readonly range: Range | undefined;
  /** False if the session is read-only. */
  readonly canChange: boolean;
}

/** Actions on the selected request or range. */
export class RangeActions {
  readonly element = element('div', { class: 'range-actions' });
  private readonly post: (request: InspectorRequest) => void;
  private readonly onCompare: (from: PointChoice, to: PointChoice) => void;
  private shown = '';

  /** @param onCompare called to compare the context at two points */
  constructor(
    post: (request: InspectorRequest) => void,
    onCompare: (from: PointChoice, to: PointChoice) => void,
  ) {
    this.post = post;
    this.onCompare = onCompare;
  }

  render(picked: PickedRange): void {
    const { calls, range, canChange, hidden } = picked;
    const state = JSON.stringify([range, canChange, calls.length, [...hidden]]);
    if (state === this.shown) return;
    this.shown = state;
    if (range === undefined) {
      this.element.replaceChildren(element('span', { class: 'dim' }, words.hint));
      return;
    }
    const title =
      range.to - range.from === 1
        ? words.request({ number: range.from + 1 })
        : words.requests({ from: range.from + 1, to: range.to });
    const buttons = actionsFor(calls, range, hidden).map(({ label, request }) =>
      plainButton({ class: 'link' }, () => this.post(request), label),
    );
    this.element.replaceChildren(
      element('b', {}, title),
      ...(canChange ? buttons : []),
      this.compareButton(range),
    );
  }

  private compareButton({ from, to }: Range): HTMLElement {
    const isOne = to - from === 1;
    return plainButton(
      { class: 'link' },
      () => this.onCompare({ request: from + 1 }, isOne ? 'now' : { request: to }),
      isOne ? inspectorTexts.views.compareNow : inspectorTexts.views.compareRange,
    );
  }
}

interface RangeAction {
  readonly label: string;
  readonly request: InspectorRequest;
}

function actionsFor(
  calls: readonly Call[],
  range: Range,
  hidden: ReadonlySet<number>,
): readonly RangeAction[] {
  const { from, to } = range;
  const [first, last] = [calls[from], calls[to - 1]];
  if (first === undefined || last === undefined) return [];
  const chosen = calls.slice(from, to).map(({ messageId }, index) => ({
    messageId,
    isHidden: hidden.has(from + index),
  }));
  const idsOf = (isHidden: boolean) =>
    chosen.filter((reply) => reply.isHidden === isHidden).map(({ messageId }) => messageId);
  const [hiddenIds, others] = [idsOf(true), idsOf(false)];
  const [above, below] = [calls[from - 1], calls[to]];
  const action = (label: string, request: InspectorRequest): RangeAction => ({ label, request });
  return [
    ...(hiddenIds.length === 0 ? [] : [action(words.show, { type: 'show', messageIds: hiddenIds })]),
    ...(others.length === 0 ? [] : [action(words.hide, { type: 'hide', selection: { messageIds: others } })]),
    ...(to - from === 1
      ? []
      : [
          action(words.compactRange, {
            type: 'compact-part',
            from: first.firstId ?? first.messageId,
            to: last.messageId,
          }),
        ]),
    ...(above === undefined
      ? []
      : [action(words.compactAbove, { type: 'compact-part', to: above.messageId })]),
    ...(below === undefined
      ? []
      : [action(words.compactBelow, { type: 'compact-part', from: below.firstId ?? below.messageId })]),
    ...(to - from === 1 ? [action(words.goOn, { type: 'rewind', messageId: last.messageId })] : []),
  ];
}
