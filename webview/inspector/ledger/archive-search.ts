import type { ArchiveHit } from '../../../src/extension/protocol/inspector-ledger.ts';
import { element, freshId, KeyedList, setText } from '../../dom.ts';
import { formatCount } from '../../numbers.ts';
import { Asking } from '../asking.ts';
import { saidMessage, type SaidContext } from './said-message.ts';
import { strings } from './strings.ts';

const words = strings.search;

/** Time after the last key in which nothing is searched yet, in milliseconds. */
const keyPause = 250;

/** A search over everything that was said, whether the view still has it or not. */
export class ArchiveSearch {
  readonly element: HTMLElement;
  private readonly input: HTMLInputElement;
  private readonly status = element('p', { class: 'dim', role: 'status' });
  private readonly hits: KeyedList<ArchiveHit>;
  private readonly list = element('ol', { class: 'said-list', 'aria-label': words.results });
  private readonly asking: Asking;
  private timer: number | undefined;

  constructor(context: SaidContext) {
    const id = freshId();
    this.input = element('input', {
      type: 'search',
      class: 'field',
      'aria-label': words.label,
      placeholder: words.placeholder,
      spellcheck: 'false',
      maxlength: 500,
    });
    this.asking = new Asking(() => context.post({ type: 'archive-search', query: this.query }));
    this.hits = new KeyedList<ArchiveHit>(this.list, {
      keyOf: ({ messageId, excerpt }) => `${messageId} ${excerpt}`,
      create: (hit) => saidMessage(hit, context),
      isSame: (shown, hit) => JSON.stringify(shown) === JSON.stringify(hit),
    });
    this.input.addEventListener('input', () => {
      window.clearTimeout(this.timer);
      this.timer = window.setTimeout(() => this.refresh(), keyPause);
    });
    this.input.addEventListener('keydown', ({ key }) => {
      if (key !== 'Enter') return;
      window.clearTimeout(this.timer);
      this.refresh();
    });
    this.element = element(
      'section',
      { 'aria-labelledby': id },
      element('h3', { id }, words.title),
      this.input,
      this.status,
      this.list,
    );
  }

  /** Searches again, after the session went on or something else was typed. */
  refresh(): void {
    if (this.query === '') this.show([]);
    else {
      if (this.list.childElementCount === 0) setText(this.status, words.searching);
      this.asking.ask();
    }
  }

  /** Begins anew for another session. */
  clear(): void {
    this.asking.forget();
    this.show([]);
  }

  receive(query: string, hits: readonly ArchiveHit[]): void {
    this.asking.answered();
    if (query === this.query) this.show(hits);
  }

  private get query(): string {
    return this.input.value.trim();
  }

  private show(hits: readonly ArchiveHit[]): void {
    this.hits.render(hits);
    const count = hits.length;
    const found = count === 0 ? words.none : words.found(count, formatCount(count));
    setText(this.status, this.query === '' ? '' : found);
  }
}
