import type { BarMark, Segment } from './stacked-bar.ts';
import { element, type ItemView, KeyedList, setAttribute, setText } from './dom.ts';

/** A line across a bar, with a word above it if there is room. */
export interface LabelledMark extends BarMark {
  readonly label?: string;
  /** True if the label ends at its mark, to leave room for the label of the next mark. */
  readonly endsAtMark?: boolean;
}

interface BarContent {
  readonly segments: readonly Segment[];
  readonly marks?: readonly LabelledMark[];
  /** The size that stands for the full width. */
  readonly scale: number;
}

type PlacedSegment = Segment & { readonly share: number };
type PlacedMark = LabelledMark & { readonly share: number };

/** A stacked bar. It is hidden from screen readers, because the element around it names its numbers. */
export class StackedBar {
  readonly element: HTMLElement;
  private readonly segments: KeyedList<PlacedSegment>;
  private readonly marks: KeyedList<PlacedMark>;

  constructor() {
    const segments = element('div', { class: 'bar-segments' });
    const marks = element('div', { class: 'bar-marks' });
    this.element = element('div', { class: 'bar', 'aria-hidden': 'true' }, segments, marks);
    this.segments = new KeyedList<PlacedSegment>(segments, {
      keyOf: ({ name }) => name,
      create: segmentView,
      isSame: (shown, { share }) => shown.share === share,
    });
    this.marks = new KeyedList<PlacedMark>(marks, {
      keyOf: ({ name }) => name,
      create: markView,
      isSame: (shown, { share, label }) => shown.share === share && shown.label === label,
    });
  }

  render({ segments, marks = [], scale }: BarContent): void {
    const shareOf = (size: number) => (scale > 0 ? Math.min(1, Math.max(0, size / scale)) : 0);
    this.segments.render(segments.map((segment) => ({ ...segment, share: shareOf(segment.size) })));
    this.marks.render(marks.map((mark) => ({ ...mark, share: shareOf(mark.at) })));
  }
}

function segmentView(segment: PlacedSegment): ItemView<PlacedSegment> {
  const part = element('i', { class: `kind kind-${segment.name}` });
  const update = ({ share }: PlacedSegment) => {
    part.style.width = `${share * 100}%`;
  };
  update(segment);
  return { element: part, update };
}

function markView(mark: PlacedMark): ItemView<PlacedMark> {
  const label = element('span', { class: 'mark-label' });
  const line = element('span', { class: `mark mark-${mark.name}` }, label);
  const update = ({ share, label: text, endsAtMark = false }: PlacedMark) => {
    line.style.left = `${share * 100}%`;
    // Shifted by its position on the bar, a label never extends beyond the bar.
    label.style.transform = `translateX(${endsAtMark ? -100 : -share * 100}%)`;
    setText(label, text ?? '');
    setAttribute(label, 'hidden', text === undefined);
  };
  update(mark);
  return { element: line, update };
}
