import { css, html, nothing, type PropertyValues, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import {
  type ArchiveHit,
  type FactFilter,
  type FactKind,
  factKindOf,
  type FactView,
  heldNoLonger,
  mostPlaces,
  placesAtOnce,
  presenceNames,
} from '../../../src/protocol/inspector-ledger.ts';
import { Component, component } from '../../shared/component.ts';
import { CoalescedRequest } from '../../shared/host.ts';
import { iconTemplate } from '../../shared/icons.ts';
import { type VirtualList, virtualList } from '../../shared/virtual-list.ts';
import { linkButton } from '../../shared/link-button.ts';
import { isEditable } from '../page/inspector-view-state.ts';
import type { TabProps } from '../state/page-state.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { factKindList } from './fact-kinds.ts';
import { factRow } from './fact-row.ts';
import { factKey, type FactsAnswers, isSameFilter, type KnownFacts } from '../state/facts-answers.ts';
import { saidMessage } from './said-message.ts';

const words = inspectorTexts.ledger;

/** Number of facts that are requested at first, and when the end of the list is reached. */
const factsAtOnce = 100;
/** Number of matches that each "Show more" adds. */
const moreHits = 50;
/** Milliseconds after the last key before a search starts. */
const keyPause = 250;

interface FactsProps extends TabProps {
  readonly answers: FactsAnswers;
}

/** A row of the list: a fact, the name of the facts that follow, or the place where more facts are requested. */
type Item = FactView | { readonly head: string; readonly isGone: boolean } | 'more';

/** The tab about what the session knows: which facts are still in context, which are gone, and where they came from. */
class FactsTab extends Component<FactsProps> {
  private filter: FactFilter = { text: '' };
  private isSearchOpen = false;
  /** Keys of unfolded facts and of messages that a search found, and ids of unfolded sources. */
  private open: ReadonlySet<string> = new Set();
  private wantedFacts = factsAtOnce;
  private wantedHits = placesAtOnce;
  private timer: number | undefined;
  private items: readonly Item[] = [];
  /** Position of the portion that was requested last. */
  private awaited = 0;
  /** Place and key of the focused fact before an update. */
  private focused: readonly [place: number, key: string] | undefined;
  private readonly askFacts = new CoalescedRequest(() => this.post(0));
  private readonly askHits = new CoalescedRequest(() => {
    const most = this.wantedHits === placesAtOnce ? {} : { most: this.wantedHits };
    this.props.page.post({ type: 'archive-search', query: this.filter.text, ...most });
  });

  static override styles = css`
    cb-facts {
      display: grid;
      grid-template-columns: minmax(0, 1fr);
      gap: 8px 24px;
      @media (min-width: 760px) {
        grid-template-columns: 250px minmax(0, 1fr);
        > .facts-top,
        > .facts-search {
          grid-column: 1 / -1;
        }
      }
      .facts-top,
      .facts-search {
        display: flex;
        align-items: center;
        flex-wrap: wrap;
        gap: 6px 12px;
        > :first-child {
          flex: 1 1 220px;
        }
      }
      .facts-search > .field {
        flex: 0 1 360px;
      }
      vscode-dropdown {
        min-width: 0;
        max-width: 100%;
      }
      h3 {
        padding: 6px 4px 1px;
        color: var(--dim);
        font-size: 1em;
        font-weight: 400;
        &.is-gone {
          color: var(--warning-words);
        }
      }
    }
  `;

  protected override willUpdate(changes: PropertyValues<this>): void {
    super.willUpdate(changes);
    if (!changes.has('props')) return;
    const { session } = this.props;
    const before = changes.get('props')?.session;
    if (before?.sessionId !== session.sessionId) {
      this.askFacts.forget();
      this.askHits.forget();
      this.open = new Set();
      [this.wantedFacts, this.wantedHits] = [factsAtOnce, placesAtOnce];
    }
    if (before !== session) this.refresh();
    const key = this.querySelector<HTMLElement>('.fact-row:focus')?.dataset['key'];
    const place = this.items.findIndex((item) => isFact(item) && factKey(item) === key);
    this.focused = key === undefined || place < 0 ? undefined : [place, key];
  }

  protected override render(): unknown {
    const { facts, hits } = this.answers;
    const isHit = hits !== undefined && this.filter.text !== '' && hits.query === this.filter.text;
    this.items = facts === undefined ? [] : itemsOf(facts);
    return html`<div class="facts-top">
        <p role="status">${facts === undefined ? words.facts.loading : this.summaryOf(facts)}</p>
        ${linkButton([iconTemplate('chevron'), ' ', words.facts.search], this.toggleSearch, { isOpen: this.isSearchOpen })}
      </div>
      ${this.isSearchOpen ? this.search(facts) : nothing}
      ${
        facts === undefined
          ? nothing
          : html`${factKindList(facts.byKind, this.filter.kind, (kind) => this.change({ kind }))}
              <div>
                ${isHit ? this.hits(hits) : nothing}
                ${virtualList<Item>({
                  items: this.items,
                  label: words.facts.list,
                  rowHeight: 23,
                  keyOf: (item) =>
                    isFact(item) ? factKey(item) : item === 'more' ? item : `head ${item.head}`,
                  row: this.row,
                  version: [this.open, this.answers, this.props.session],
                })}
              </div>`
      }`;
  }

  protected override updated(changes: PropertyValues<this>): void {
    super.updated(changes);
    const before = changes.get('props')?.answers;
    const { facts, hits } = this.answers;
    if (hits !== undefined && hits !== before?.hits) this.askHits.answered();
    if (facts !== undefined && facts !== before?.facts) this.arrived(facts);
    this.keepFocus();
  }

  private get answers(): FactsAnswers {
    const { answers, session } = this.props;
    return answers.sessionId === session.sessionId ? answers : {};
  }

  private summaryOf({ byKind, filter, total }: KnownFacts): string {
    const counted = Object.entries(byKind).filter(([kind]) => !heldNoLonger.has(kind as FactKind));
    const sum = (part: 'total' | 'gone') => counted.reduce((all, [, count]) => all + count[part], 0);
    const [all, gone] = [sum('total'), sum('gone')];
    if (total === 0 && filter.text !== '') return words.facts.noneMatches;
    if (all === 0) return words.facts.none;
    return gone === 0 ? words.facts.allThere({ count: all }) : words.facts.gone({ gone, count: all });
  }

  private search(facts: KnownFacts | undefined): TemplateResult {
    const { presence } = this.filter;
    return html`<div class="facts-search">
      <input
        type="search"
        class="field"
        aria-label=${words.search.label}
        placeholder=${words.search.placeholder}
        spellcheck="false"
        maxlength="500"
        @input=${(event: Event) => this.typed(event, keyPause)}
        @keydown=${(event: KeyboardEvent) => {
          if (event.key === 'Enter') this.typed(event, 0);
        }}
      />
      <vscode-dropdown
        aria-label=${words.facts.presence}
        @change=${({ target }: Event) => {
          const { value } = target as HTMLSelectElement;
          this.change({ presence: presenceNames.find((name) => name === value) });
        }}
      >
        <vscode-option value="" ?selected=${presence === undefined}>${words.facts.anyPresence}</vscode-option>
        ${presenceNames.map(
          (name) =>
            html`<vscode-option value=${name} ?selected=${presence === name}
              >${words.facts.option({
                name: words.presences[name],
                count: facts?.byPresence[name] ?? 0,
              })}</vscode-option
            >`,
        )}
      </vscode-dropdown>
    </div>`;
  }

  private hits({ hits, hasMore = false }: NonNullable<FactsAnswers['hits']>): TemplateResult {
    const count = hits.length;
    const found =
      count === 0 ? words.search.none : (hasMore ? words.search.best : words.search.found)({ count });
    return html`<h3 role="status">${found}</h3>
      ${virtualList<ArchiveHit>({
        items: hits,
        label: words.search.results,
        rowHeight: 42,
        keyOf: ({ messageId, excerpt }) => `${messageId} ${excerpt}`,
        row: (message) => this.said(message),
        version: [this.open, this.answers, this.props.session],
      })}
      ${
        hasMore && this.wantedHits < mostPlaces
          ? linkButton(words.search.more, () => {
              this.wantedHits = Math.min(mostPlaces, this.wantedHits + moreHits);
              this.askHits.ask();
            })
          : nothing
      }`;
  }

  private readonly row = (item: Item): TemplateResult => {
    if (item === 'more') return html`<p class="dim" ${ref(this.endReached)}>${words.facts.loading}</p>`;
    if (!isFact(item)) return html`<h3 class=${item.isGone ? 'is-gone' : ''} data-stop>${item.head}</h3>`;
    const { page, session } = this.props;
    return factRow({
      ...{ fact: item, open: this.open, page, onToggle: this.toggle },
      texts: this.answers.texts,
      canChange: isEditable(session),
      canMark: session.canMark === true,
    });
  };

  private said(message: ArchiveHit): TemplateResult {
    const { page, session } = this.props;
    return saidMessage({
      ...{ message, page, onToggle: this.toggleHit },
      isOpen: this.open.has(`hit ${message.messageId}`),
      said: this.answers.texts?.get(message.messageId),
      canChange: isEditable(session),
    });
  }

  private readonly endReached = (end: Element | undefined): void => {
    if (end === undefined) return;
    this.wantedFacts = this.items.length + factsAtOnce;
    const { facts } = this.answers;
    if (facts !== undefined) this.arrived(facts);
  };

  /** Requests the next portion, if the list should be longer. */
  private arrived({ filter, facts, arrived, total }: KnownFacts): void {
    const isCurrent = isSameFilter(filter, this.filter);
    if (isCurrent && facts.length > 0 && arrived < Math.min(this.wantedFacts, total)) {
      if (this.awaited !== arrived) this.post(arrived);
    } else this.askFacts.answered();
  }

  private readonly toggle = (key: string): void => {
    const open = new Set(this.open);
    if (!open.delete(key)) open.add(key);
    this.open = open;
    this.requestUpdate();
  };

  // The same message may be the source of a fact in the other list.
  private readonly toggleHit = (messageId: string): void => this.toggle(`hit ${messageId}`);

  private readonly toggleSearch = (): void => {
    this.isSearchOpen = !this.isSearchOpen;
    this.requestUpdate();
    if (this.isSearchOpen) void this.updateComplete.then(() => this.querySelector('input')?.focus());
    else this.change({ text: '', presence: undefined });
  };

  private typed({ target }: Event, pause: number): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(() => {
      this.wantedHits = placesAtOnce;
      this.change({ text: (target as HTMLInputElement).value.trim() });
    }, pause);
  }

  private change(change: { [Key in keyof FactFilter]?: FactFilter[Key] | undefined }): void {
    const { text = '', kind, presence } = { ...this.filter, ...change };
    this.filter = {
      text,
      ...(kind === undefined ? {} : { kind }),
      ...(presence === undefined ? {} : { presence }),
    };
    this.wantedFacts = factsAtOnce;
    this.refresh();
    this.requestUpdate();
  }

  private refresh(): void {
    this.askFacts.ask();
    if (this.filter.text !== '') this.askHits.ask();
  }

  private post(from: number): void {
    this.awaited = from;
    this.props.page.post({ type: 'facts', filter: this.filter, from });
  }

  /** If the row of a marked fact disappears, the row in its place gets the focus. */
  private keepFocus(): void {
    const [place, key] = this.focused ?? [0];
    this.focused = undefined;
    if (key === undefined || this.items.some((item) => isFact(item) && factKey(item) === key)) return;
    const next = this.items.findIndex((item, index) => index >= place && isFact(item));
    const list = this.querySelector<VirtualList<Item>>(':scope > div > cb-virtual-list:last-of-type');
    void list?.updateComplete.then(() => list.reveal(next < 0 ? place - 1 : next, { focus: true }));
  }
}

export const factsTab = component('cb-facts', FactsTab);

function isFact(item: Item): item is FactView {
  return typeof item === 'object' && 'section' in item;
}

/** The facts under the names of their kinds. */
function itemsOf({ facts, arrived, total }: KnownFacts): readonly Item[] {
  const headOf = ({ section, presence }: FactView) => {
    const kind = factKindOf(section);
    const isGone = presence === 'archive' && !heldNoLonger.has(kind);
    const name = words.kinds[kind];
    return { isGone, head: isGone ? words.facts.goneKind({ kind: name }) : name };
  };
  const items = facts.flatMap((fact, index): readonly Item[] => {
    const before = facts[index - 1];
    const head = headOf(fact);
    return before === undefined || headOf(before).head !== head.head ? [head, fact] : [fact];
  });
  return arrived < total || facts.length < total ? [...items, 'more'] : items;
}
