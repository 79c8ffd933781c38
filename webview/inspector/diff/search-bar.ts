import { html, nothing, type TemplateResult } from 'lit';
import { type DiffMatch, longestQuery } from '../../../src/protocol/inspector-compactions.ts';
import { iconButton } from '../../shared/icons.ts';
import { formatCount } from '../../shared/numbers.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';
import type { FoundMatches } from './diff-data.ts';

const words = inspectorTexts.compactionsTab;

/** Milliseconds after the last key before the extension is asked. */
const typingPause = 200;

/** Characters of a name that are searched for. A longer name, such as a script, may be written differently in a message. */
const longestName = 60;

interface SearchOptions {
  /** Draws the search again. */
  readonly onChange: () => void;
  /** Requests the matches of a string. */
  readonly onSearch: (query: string) => void;
  readonly onShow: (match: DiffMatch) => void;
}

/** The search in the texts on both sides of a diff: what was typed, and which match is shown. */
export class DiffSearch {
  query = '';
  private readonly options: SearchOptions;
  private timer: number | undefined;
  private found: FoundMatches | undefined;
  private position = -1;
  /** True if the next answer shows its first match. */
  private showsFirst = false;

  constructor(options: SearchOptions) {
    this.options = options;
  }

  /** Takes the newest answer. Answers to earlier queries are ignored. */
  receive(found: FoundMatches | undefined): void {
    if (found === this.found || found?.query !== this.query) return;
    this.found = found;
    this.position = -1;
    if (this.showsFirst) queueMicrotask(() => this.move(1));
    this.showsFirst = false;
  }

  /** Searches for a name, and shows its first match. */
  find(name: string): void {
    this.type(name.slice(0, longestName).trim(), 0);
    this.showsFirst = true;
  }

  field(): TemplateResult {
    return html`<input
      type="search"
      class="field"
      placeholder=${words.searchShort}
      aria-label=${words.search}
      maxlength=${longestQuery}
      spellcheck="false"
      autocomplete="off"
      .value=${this.query}
      @input=${({ target }: Event) => this.type((target as HTMLInputElement).value)}
      @keydown=${this.keyPressed}
    />`;
  }

  /** The matches in words, and buttons to move between them. Empty without a query. */
  status(): TemplateResult {
    const isThere = this.query !== '';
    return html`<div class="search" ?hidden=${!isThere}>
      ${isThere ? [this.step(-1, 'up', words.previousMatch), this.step(1, 'below', words.nextMatch)] : nothing}
      <span class="dim" role="status">${isThere ? this.statusText() : ''}</span>
    </div>`;
  }

  private readonly keyPressed = (event: KeyboardEvent): void => {
    if (event.key === 'Enter') {
      event.preventDefault();
      this.move(event.shiftKey ? -1 : 1);
    } else if (event.key === 'Escape' && this.query !== '') {
      event.stopPropagation();
      event.preventDefault();
      this.type('');
    }
  };

  private type(query: string, pause = typingPause): void {
    window.clearTimeout(this.timer);
    this.query = query;
    this.found = undefined;
    this.position = -1;
    this.showsFirst = false;
    if (query !== '') this.timer = window.setTimeout(() => this.options.onSearch(query), pause);
    this.options.onChange();
  }

  private step(by: 1 | -1, sign: 'up' | 'below', label: string): TemplateResult {
    return iconButton(sign, label, () => this.move(by), { isDisabled: this.matches.length === 0 });
  }

  private get matches(): readonly DiffMatch[] {
    return this.found?.matches ?? [];
  }

  private move(by: number): void {
    const { length } = this.matches;
    if (length === 0) return;
    const from = this.position < 0 && by < 0 ? 0 : this.position;
    this.position = (from + by + length) % length;
    const match = this.matches[this.position];
    if (match !== undefined) this.options.onShow(match);
    this.options.onChange();
  }

  private statusText(): string {
    const { found, position, matches } = this;
    if (found === undefined) return words.searching;
    if (matches.length === 0) return words.noMatch;
    const places = matches.reduce((total, { count }) => total + count, 0);
    const match = matches[position];
    const shown = formatCount(matches.length);
    return [
      ...(match === undefined ? [] : [words.matchAt({ index: position + 1, total: shown })]),
      places === 1 ? words.foundOne : words.found({ places, messages: matches.length }),
      ...(found.total > matches.length ? [words.firstOf({ shown, total: found.total })] : []),
      ...(match === undefined ? [] : [words.matchSides[match.side], excerptOf(match)]),
    ].join(' · ');
  }
}

function excerptOf({ excerpt: { before, match, after } }: DiffMatch): string {
  return `${before}${match}${after}`;
}
