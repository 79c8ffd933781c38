import type { PropertyValues } from 'lit';
import type { DiffNotification } from '../../../src/protocol/inspector-compactions.ts';
import type { RecordView } from '../../../src/protocol/inspector-records.ts';
import type { InspectorRequest } from '../../../src/protocol/inspector.ts';
import { Component, component } from '../../shared/component.ts';
import type { OpenRows } from '../../shared/host.ts';
import type { MessageMenu } from '../by-hand/message-menu.ts';
import { DiffView } from '../diff/diff-view.ts';
import type { Filter } from '../page/inspector-view-state.ts';

interface DiffPlaceProps {
  readonly record: RecordView;
  /** The diff is requested again when it changes. */
  readonly version: unknown;
  readonly post: (request: InspectorRequest) => void;
  readonly canChange: boolean;
  /** True if messages can be restored, as in a chat. */
  readonly canUndo?: boolean;
  readonly menu?: MessageMenu | undefined;
  readonly open: OpenRows;
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
}

/** Milliseconds to wait on a record before anything about it is requested, because arrow keys may pass many records. */
export const selectionPause = 120;

/** The place of the diff of the selected compaction. */
export class DiffPlace extends Component<DiffPlaceProps> {
  private diff: DiffView | undefined;
  private timer: number | undefined;

  /** Takes an answer if it is about the shown diff. */
  receive(notification: DiffNotification): void {
    if (notification.recordId === this.diff?.recordId) this.diff.receive(notification);
  }

  /** Moves to the next change or to the previous one. */
  step(by: 1 | -1): void {
    this.diff?.step(by);
  }

  handleKey(event: KeyboardEvent): void {
    this.diff?.handleKey(event);
  }

  /** Shows the first message that contains a name. */
  find(name: string): void {
    this.diff?.find(name);
  }

  protected override willUpdate(changes: PropertyValues<this>): void {
    super.willUpdate(changes);
    const before = changes.get('props');
    const {
      record,
      version,
      post,
      canChange,
      canUndo = canChange,
      menu,
      open,
      filter,
      onFilter,
    } = this.props;
    const isOther = this.diff?.isFor(record) !== true;
    if (!isOther && before?.version === version) return;
    window.clearTimeout(this.timer);
    if (isOther) {
      this.diff = new DiffView(record, {
        post,
        open,
        canRestore: canUndo,
        canPin: canChange,
        ...(menu === undefined ? {} : { menu }),
        filter,
        onFilter,
      });
    }
    const { diff } = this;
    if (before === undefined || !isOther) diff?.request();
    else this.timer = window.setTimeout(() => diff?.request(), selectionPause);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    window.clearTimeout(this.timer);
  }

  protected override render(): unknown {
    return this.diff?.element;
  }
}

export const diffPlace = component('cb-diff-place', DiffPlace);

/** The diffs on the page that take answers. */
export function diffPlaces(): readonly DiffPlace[] {
  return [...document.querySelectorAll<DiffPlace>('cb-diff-place')];
}
