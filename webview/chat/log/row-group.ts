import type { TemplateResult } from 'lit';
import { repeat } from 'lit/directives/repeat.js';
import type { ChatRow } from '../../../src/protocol/chat-rows.ts';
import { component, Component } from '../../shared/component.ts';
import type { SearchedRow } from './find-matches.ts';
import { assistantRow } from './rows/assistant-row.ts';
import { compactionRowView } from './rows/compaction-row-view.ts';
import { errorRow, hiddenRow } from './rows/end-rows.ts';
import { editsRow } from './rows/file-changes.ts';
import type { HiddenRows } from './rows/message-rows.ts';
import { type RowContext, RowElement } from './rows/row-element.ts';
import { keyOf } from './rows/row-parts.ts';
import { toolRow } from './rows/tool-row.ts';
import { userRow } from './rows/user-row.ts';

/** A row, or a line in place of hidden rows. */
export type LogItem = ChatRow | HiddenRows;

/** Services of the log for its groups. */
export interface GroupContext extends RowContext {
  readonly onShow: (hidden: HiddenRows) => void;
  /** Reports when a group comes near the visible part of the log, and when it leaves. */
  readonly sight: IntersectionObserver;
}

interface GroupProps {
  readonly items: readonly LogItem[];
  /** True for the newest group, which is always drawn. */
  readonly isNewest: boolean;
  /** True if the group is drawn with the log. Others are drawn when they come near. */
  readonly isFirst: boolean;
  readonly context: GroupContext;
}

/** Groups are drawn when they are within this many pixels of the visible part of the log. */
export const nearby = 800;

/** Estimated height of a row that was never drawn, in pixels. */
const rowHeight = 56;

/** Parts of a group that must not be removed while it is out of sight. */
const used = '.approval, .editing, .is-selected, .row[tabindex="0"], :focus';

/** Rows of the log that are drawn together. Only those near the visible part are on the page. */
export class RowGroup extends Component<GroupProps> {
  private isDrawn = false;

  get drawn(): boolean {
    return this.isDrawn;
  }

  /** The rows and their folded texts, in order. A row that is not drawn has only text. */
  *views(): Iterable<SearchedRow> {
    if (this.isDrawn) {
      this.drawNow();
      for (const element of this.rows())
        yield { element, folded: element instanceof RowElement ? element.folded : undefined };
    } else {
      const unfold = () => this.drawNow();
      for (const item of this.props.items) yield { folded: { text: () => plainText(item), unfold } };
    }
  }

  rows(): Iterable<HTMLElement> {
    return this.querySelectorAll<HTMLElement>(':scope > .row');
  }

  /** Draws the rows now, and not after the current task. */
  override drawNow(): void {
    this.show();
    super.drawNow();
    for (const row of this.rows()) if (row instanceof RowElement) row.drawNow();
  }

  /** Called when the group comes near the visible part of the log or leaves it. */
  seen(isNear: boolean): void {
    if (isNear) this.show();
    else if (this.isDrawn && !this.props.isNewest && !this.isNear && !this.isUsed) {
      this.style.height = `${this.getBoundingClientRect().height}px`;
      this.isDrawn = false;
      this.requestUpdate();
    }
  }

  override connectedCallback(): void {
    super.connectedCallback();
    this.classList.add('rows');
    // The rows are drawn after the current task. Until then, this height keeps later groups in place.
    if (!this.hasUpdated && !this.props.isFirst)
      this.style.height = `${this.props.items.length * rowHeight}px`;
    this.props.context.sight.observe(this);
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback();
    this.props.context.sight.unobserve(this);
  }

  protected override willUpdate(): void {
    const { isFirst, isNewest } = this.props;
    if (!this.hasUpdated && isFirst) this.isDrawn = true;
    if (isNewest && !this.isDrawn) this.show();
  }

  protected override render(): unknown {
    const { items, context } = this.props;
    return this.isDrawn ? repeat(items, keyOf, (item) => rowTemplate(item, context)) : '';
  }

  /** The observer may report an earlier position than the present one. */
  private get isNear(): boolean {
    const [own, page] = [this.getBoundingClientRect(), this.closest('.scroller')?.getBoundingClientRect()];
    return page !== undefined && own.bottom > page.top - nearby && own.top < page.bottom + nearby;
  }

  private get isUsed(): boolean {
    const selection = document.getSelection();
    const isSelected = selection?.isCollapsed === false && selection.containsNode(this, true);
    return isSelected || this.querySelector(used) !== null;
  }

  private show(): void {
    if (this.isDrawn) return;
    this.isDrawn = true;
    // Earlier messages are not new, so they are not announced.
    this.ariaLive = 'off';
    this.style.height = '';
    this.requestUpdate();
  }
}

export const rowGroup = component('cb-rows', RowGroup);

function rowTemplate(row: LogItem, context: GroupContext): TemplateResult {
  switch (row.type) {
    case 'user':
      return userRow({ row, context });
    case 'assistant':
      return assistantRow({ row, context });
    case 'tool':
      return toolRow({ row, context });
    case 'compaction':
      return compactionRowView({ row, context });
    case 'edits':
      return editsRow(row, context);
    case 'error':
      return errorRow(row, context);
    case 'hidden':
      return hiddenRow(row, context.onShow);
  }
}

/** Markdown without the marks that are not shown, as far as they are known without drawing it. */
function withoutMarks(markdown: string): string {
  return markdown.replace(/\[([^[\]\n]*)\]\([^()\n]*\)/g, '$1').replace(/[*`]|^#+ /gm, '');
}

/** The text of a row that is not drawn, for searches. */
function plainText(row: LogItem): string {
  switch (row.type) {
    case 'user':
      return row.text;
    case 'assistant':
      return `${withoutMarks(row.markdown)}\n${row.reasoning}`;
    case 'tool':
      return `${row.tool}\n${row.label}\n${row.preview}`;
    case 'edits':
      return row.files.map(({ path }) => path).join('\n');
    case 'error':
      return row.message;
    case 'compaction':
    case 'hidden':
      return '';
  }
}
