import type { PropertyValues } from 'lit';
import { keyed } from 'lit/directives/keyed.js';
import type { DiffNotification } from '../../../src/protocol/inspector-compactions.ts';
import { Component, component } from '../../shared/component.ts';
import { type DiffOptions, shownDiff } from '../diff/diff.ts';
import { noDiffData, receiveDiff } from '../diff/diff-data.ts';
import type { DiffSubject } from '../diff/diff-head.ts';

interface DiffPlaceProps extends Omit<DiffOptions, 'canRestore' | 'canPin'> {
  readonly record: DiffSubject;
  /** The diff is requested again when it changes. */
  readonly version: unknown;
  readonly canChange: boolean;
  /** True if messages can be restored, as in a chat. */
  readonly canUndo?: boolean;
}

/** Milliseconds to wait on a record before anything about it is requested, because arrow keys may pass many records. */
export const selectionPause = 120;

/** The place of the diff of the selected compaction. Keeps the answers about it. */
class DiffPlace extends Component<DiffPlaceProps> {
  private data = noDiffData;
  private timer: number | undefined;

  /** Takes an answer if it is about the shown diff. */
  receive(notification: DiffNotification): void {
    if (notification.recordId !== this.props.record.id) return;
    this.data = receiveDiff(this.data, notification);
    this.requestUpdate();
  }

  protected override willUpdate(changes: PropertyValues<this>): void {
    if (!changes.has('props')) return;
    const before = changes.get('props');
    const { record, version, post } = this.props;
    const isOther = before === undefined || keyOf(before.record) !== keyOf(record);
    if (!isOther && before.version === version) return;
    window.clearTimeout(this.timer);
    if (isOther) this.data = noDiffData;
    const request = () => post({ type: 'diff', recordId: record.id });
    if (before === undefined || !isOther) request();
    else this.timer = window.setTimeout(request, selectionPause);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearTimeout(this.timer);
  }

  protected override render(): unknown {
    const { record, canChange, canUndo = canChange, post, open, menu, filter, onFilter } = this.props;
    const { data } = this;
    const options = { post, open, menu, filter, onFilter, canRestore: canUndo, canPin: canChange };
    return keyed(keyOf(record), shownDiff({ ...options, subject: record, data }));
  }
}

export const diffPlace = component('cb-diff-place', DiffPlace);

/** After an undo, nothing can be restored, so the record has another diff. */
function keyOf({ id, isUndone }: DiffSubject): string {
  return `${id} ${isUndone}`;
}

/** Passes an answer to the diffs on the page. */
export function receiveInDiffs(notification: DiffNotification): void {
  for (const place of document.querySelectorAll<DiffPlace>('cb-diff-place')) place.receive(notification);
}
