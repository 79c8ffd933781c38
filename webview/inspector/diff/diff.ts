import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import type { DiffMatch } from '../../../src/protocol/inspector-compactions.ts';
import type { DiffRowView } from '../../../src/protocol/inspector-records.ts';
import type { InspectorRequest } from '../../../src/protocol/inspector.ts';
import { Component, component } from '../../shared/component.ts';
import type { OpenRows } from '../../shared/host.ts';
import { type VirtualList, virtualList } from '../../shared/virtual-list.ts';
import type { MessageMenu } from '../by-hand/message-menu.ts';
import type { Filter } from '../page/inspector-view-state.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import type { DiffContext, DiffData } from './diff-data.ts';
import { diffHead, type DiffSubject } from './diff-head.ts';
import { diffLine } from './diff-line.ts';
import { type DiffLine, diffLines, keysTo, neededBy, nextChange, passes } from './diff-lines.ts';
import { DiffSearch } from './search-bar.ts';
import { firstPlaceIn, markPlaces } from './search-marks.ts';
import { strip } from './strip.ts';
import { spansOf } from './strip-layout.ts';

const words = inspectorTexts.diff;

export interface DiffOptions {
  readonly post: (request: InspectorRequest) => void;
  readonly open: OpenRows;
  /** True if messages can be restored here while the record is in force. */
  readonly canRestore: boolean;
  readonly canPin: boolean;
  /** Menu of manual actions; absent if no action is possible. */
  readonly menu?: MessageMenu | undefined;
  /** The initial filter. The diff itself keeps later changes to it. */
  readonly filter: Filter;
  readonly onFilter: (filter: Filter) => void;
}

interface DiffProps extends DiffOptions {
  readonly subject: DiffSubject;
  readonly data: DiffData;
}

/** The diff of a compaction, which shows the effect on each message. */
class Diff extends Component<DiffProps> {
  private filter: Filter = {};
  /** The newest rows. */
  private rows: readonly DiffRowView[] | undefined;
  private lines: readonly DiffLine[] = [];
  private spans: ReturnType<typeof spansOf> = [];
  /** True if the lines have to be made again. */
  private isStale = true;
  /** Requests without an answer. */
  private readonly asked = new Set<string>();
  private pointed: string | undefined;
  /** Key of a line with a match to show when its text has arrived. */
  private awaited: string | undefined;
  /** Index of the row where the user is. The row may have been filtered out. */
  private current: number | undefined;
  /** Position of the current row among the changes. */
  private place: number | undefined;
  private isMarking = false;
  private readonly search = new DiffSearch({
    onChange: () => this.requestUpdate(),
    onSearch: (query) => this.props.post({ type: 'search-diff', recordId: this.props.subject.id, query }),
    onShow: (match) => this.showMatch(match),
  });

  protected override willUpdate(changes: PropertyValues<this>): void {
    const { data, filter, open } = this.props;
    const { rows } = data;
    this.search.receive(data.found);
    if (!this.isStale && !changes.has('props')) return;
    this.isStale = false;
    if (changes.has('props') && rows !== this.rows) {
      if (this.rows === undefined) this.filter = filter;
      this.rows = rows;
      // A filter for another record may leave no rows here.
      if (rows?.some((row) => passes(row, this.filter)) === false) this.filter = {};
    }
    this.lines = diffLines(data, this.filter, (key) => open.has(key));
    this.spans = spansOf(rows ?? [], this.lines);
  }

  protected override render(): TemplateResult {
    const { subject, data } = this.props;
    const { rows } = data;
    const note = rows === undefined ? words.loading : this.lines.length === 0 ? words.nothingMatches : '';
    return html`<section class="diff" aria-labelledby="diff-${subject.id}">
      <h3 id="diff-${subject.id}" class="spoken">${words.title}</h3>
      ${diffHead({
        subject,
        rows,
        changes: new Set(this.lines.flatMap(({ row }) => (row.fate === 'keep' ? [] : row.index))).size,
        place: this.place,
        search: this.search,
        filter: this.filter,
        onFilter: this.changeFilter,
        onStep: this.stepBy,
      })}
      <div
        class="diff-body"
        @cb-rows-drawn=${() => this.markSoon()}
        @pointerover=${this.pointAt}
        @pointerleave=${this.pointAt}
        @focusin=${this.focused}
      >
        <div class="diff-rows">
          ${virtualList<DiffLine>({
            items: this.lines,
            label: words.title,
            rowHeight: 25,
            keyOf: ({ key }) => key,
            row: (line) => diffLine(line, this.context()),
          })}
        </div>
        ${rows === undefined ? nothing : strip({ rows, spans: this.spans, onGo: this.goToLine })}
      </div>
      <p class="dim loading" role="status">${note}</p>
    </section>`;
  }

  protected override updated(): void {
    const { post, subject, data } = this.props;
    const { rows, texts } = neededBy(this.lines, this.filter.isLost === true);
    const ask = (key: string, isKnown: boolean, request: InspectorRequest) => {
      if (isKnown) this.asked.delete(key);
      else if (!this.asked.has(key)) {
        this.asked.add(key);
        post(request);
      }
    };
    const { id: recordId } = subject;
    for (const index of rows)
      ask(`sources:${index}`, data.sources.has(index), { type: 'sources', recordId, index });
    for (const messageId of texts)
      ask(`texts:${messageId}`, data.texts.has(messageId), { type: 'texts', recordId, messageId });
    this.markSoon();
  }

  /** Moves to the next change or to the previous one, and continues at the other end. */
  readonly stepBy = (by: 1 | -1): void => {
    const next = nextChange(this.lines, this.current, by);
    if (next === undefined) return;
    this.place = next.place;
    this.current = this.lines[next.line]?.row.index;
    this.requestUpdate();
    void this.list?.reveal(next.line, { focus: true, align: 'center' });
  };

  /** Handles F7 to move between changes, as in VS Code, and Ctrl+F or ⌘F to search. */
  handleKey(event: KeyboardEvent): void {
    const isFind = event.key.toLowerCase() === 'f' && (event.ctrlKey || event.metaKey) && !event.altKey;
    if (event.key !== 'F7' && !isFind) return;
    event.preventDefault();
    // VS Code around the page uses the same keys.
    event.stopPropagation();
    if (event.key === 'F7') this.stepBy(event.shiftKey ? -1 : 1);
    else this.querySelector<HTMLInputElement>('[type=search]')?.select();
  }

  /** Shows the first message that contains a name. */
  find(name: string): void {
    this.search.find(name);
  }

  private get list(): VirtualList<DiffLine> | null {
    return this.querySelector('cb-virtual-list');
  }

  private context(): DiffContext {
    const { subject, data, post, canRestore, canPin, menu } = this.props;
    return {
      recordId: subject.id,
      texts: data.texts,
      canRestore: canRestore && !subject.isUndone,
      canPin,
      menu,
      pointed: this.pointed,
      post,
      toggle: this.toggle,
      goTo: this.goTo,
    };
  }

  private readonly goToLine = (line: number): void => {
    void this.list?.reveal(line, { align: 'center' });
  };

  private readonly toggle = (key: string): void => {
    const { open } = this.props;
    const isOpen = !open.has(key);
    open.set(key, isOpen);
    // Opening a summary also shows all messages that it replaces.
    if (isOpen && key.startsWith('output:')) open.set(key.replace('output', 'more'), true);
    this.drawLines();
  };

  private readonly goTo = (key: string): void => {
    const line = this.lines.findIndex((one) => one.key === key);
    if (line >= 0) void this.list?.reveal(line, { focus: true, align: 'center' });
  };

  private readonly changeFilter = (filter: Filter): void => {
    this.filter = filter;
    this.place = undefined;
    this.props.onFilter(filter);
    this.drawLines();
  };

  private readonly pointAt = ({ target }: Event): void => {
    const line = (target as Element).closest('.diff-row')?.querySelector<HTMLElement>('[data-key]');
    const pointed = line?.dataset['key'];
    if (pointed === this.pointed) return;
    this.pointed = pointed;
    this.requestUpdate();
  };

  private readonly focused = (event: FocusEvent): void => {
    const row = (event.target as Element).closest<HTMLElement>('.diff-row');
    if (row !== null) this.current = Number(row.dataset['index']);
  };

  /** Opens all lines around a message so that it is visible. */
  private showMatch(match: DiffMatch): void {
    const { data, open } = this.props;
    const row = data.rows?.[match.index];
    if (row === undefined) return;
    if (!passes(row, this.filter)) this.changeFilter({});
    const keys = keysTo(row, match);
    this.awaited = keys.at(-1);
    for (const key of keys) if (!open.has(key)) open.set(key, true);
    this.drawLines();
  }

  private drawLines(): void {
    this.isStale = true;
    this.requestUpdate();
  }

  /** Marks matches once after several changes. */
  private markSoon(): void {
    if (this.isMarking) return;
    this.isMarking = true;
    requestAnimationFrame(() => {
      this.isMarking = false;
      markPlaces(this, this.search.query);
      void this.showAwaited();
    });
  }

  /** Shows the awaited line. The text of a message arrives after its line was opened. */
  private async showAwaited(): Promise<void> {
    const key = this.awaited;
    const at = key === undefined ? -1 : this.lines.findIndex((line) => line.key === key);
    if (key === undefined || at < 0) return;
    const button = this.querySelector(`[data-key="${CSS.escape(key)}"]`);
    if (button === null) {
      await this.list?.reveal(at, { align: 'center' });
      return;
    }
    button.scrollIntoView({ block: 'nearest' });
    const place = firstPlaceIn(button.parentElement!);
    const box = place?.startContainer.parentElement?.closest('pre');
    if (place === undefined || !(box instanceof HTMLElement)) return;
    this.awaited = undefined;
    const { top } = place.getBoundingClientRect();
    box.scrollTop += top - box.getBoundingClientRect().top - box.clientHeight / 3;
    box.scrollIntoView({ block: 'nearest' });
  }

  static override styles = css`
    cb-diff {
      display: block;
    }
    .diff-body {
      display: grid;
      grid-template-columns: minmax(0, 1fr) 12px;
      gap: 10px;
    }
    .loading {
      padding: 8px 0;
      &:empty {
        display: none;
      }
    }
    @media (max-width: 480px) {
      .diff-body {
        grid-template-columns: minmax(0, 1fr);
      }
    }
  `;
}

export const shownDiff = component('cb-diff', Diff);
export type { Diff };
