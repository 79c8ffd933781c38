import {
  type ArchiveHit,
  type LedgerNotification,
  mostPlaces,
  placesAtOnce,
} from '../../../src/protocol/inspector-ledger.ts';
import { controlButton } from '../../shared/controls.ts';
import { element, freshId, KeyedList, setText } from '../../shared/dom.ts';
import { CoalescedRequest } from '../../shared/host.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import { type SaidContext, saidMessage } from './said-message.ts';

const words = inspectorTexts.ledger.search;

/** Number of matches that each "Show more" adds. */
const moreAtOnce = 50;

type Answer = Extract<LedgerNotification, { type: 'archive-hits' }>;

/** A search in the whole conversation, including messages that are no longer in context. */
export class LedgerSearch {
  readonly element: HTMLElement;
  private readonly field: SearchField;
  private readonly status = element('p', { class: 'dim', role: 'status' });
  private readonly hits: KeyedList<ArchiveHit>;
  private readonly list = element('ol', { class: 'said-list', 'aria-label': words.results });
  private readonly more: HTMLElement;
  private readonly asking: CoalescedRequest;
  private wanted = placesAtOnce;

  constructor(context: SaidContext) {
    const id = freshId();
    this.field = new SearchField({
      label: words.label,
      placeholder: words.placeholder,
      onSearch: () => {
        this.wanted = placesAtOnce;
        this.refresh();
      },
    });
    this.asking = new CoalescedRequest(() => {
      const most = this.wanted === placesAtOnce ? {} : { most: this.wanted };
      context.post({ type: 'archive-search', query: this.field.text, ...most });
    });
    this.more = controlButton(
      {
        appearance: 'secondary',
        onClick: () => {
          this.wanted = Math.min(mostPlaces, this.wanted + moreAtOnce);
          this.refresh();
        },
      },
      words.more,
    );
    this.more.hidden = true;
    this.hits = new KeyedList<ArchiveHit>(this.list, {
      keyOf: ({ messageId, excerpt }) => `${messageId} ${excerpt}`,
      create: (hit) => saidMessage(hit, context),
      isSame: (shown, hit) => JSON.stringify(shown) === JSON.stringify(hit),
    });
    this.element = element(
      'section',
      { 'aria-labelledby': id },
      element('h3', { id }, words.title),
      this.field.element,
      this.status,
      this.list,
      this.more,
    );
  }

  /** Searches again after the session or the query has changed. */
  refresh(): void {
    if (this.field.text === '') this.show([], false);
    else {
      if (this.list.childElementCount === 0) setText(this.status, words.searching);
      this.asking.ask();
    }
  }

  /** Starts again for another session. */
  clear(): void {
    this.asking.forget();
    this.wanted = placesAtOnce;
    this.show([], false);
  }

  receive({ query, hits, hasMore = false }: Answer): void {
    this.asking.answered();
    if (query === this.field.text) this.show(hits, hasMore);
  }

  private show(hits: readonly ArchiveHit[], hasMore: boolean): void {
    this.hits.render(hits);
    this.more.hidden = !hasMore || this.wanted >= mostPlaces;
    const count = hits.length;
    const found =
      count === 0
        ? words.none
        : !hasMore
          ? words.found({ count })
          : count === 1
            ? words.bestOne
            : words.best({ count });
    setText(this.status, this.field.text === '' ? '' : found);
  }
}

/** Milliseconds after the last key before a search starts. */
const keyPause = 250;

interface SearchFieldOptions {
  readonly label: string;
  readonly placeholder: string;
  /** Called after typing pauses and on Enter. */
  readonly onSearch: () => void;
}

/** A search field that waits for a pause in typing. */
export class SearchField {
  readonly element: HTMLInputElement;
  private readonly onSearch: () => void;
  private timer: number | undefined;

  constructor({ label, placeholder, onSearch }: SearchFieldOptions) {
    this.onSearch = onSearch;
    this.element = element('input', {
      type: 'search',
      class: 'field',
      'aria-label': label,
      placeholder,
      spellcheck: 'false',
      maxlength: 500,
    });
    this.element.addEventListener('input', () => this.search(keyPause));
    this.element.addEventListener('keydown', ({ key }) => {
      if (key === 'Enter') this.search(0);
    });
  }

  /** The trimmed query. */
  get text(): string {
    return this.element.value.trim();
  }

  private search(pause: number): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(this.onSearch, pause);
  }
}
