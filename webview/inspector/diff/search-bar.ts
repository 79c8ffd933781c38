import type { MessageOf } from '../../../src/protocol/messages.ts';
import {
  type diffNotifications,
  type DiffMatch,
  longestQuery,
} from '../../../src/protocol/inspector-compactions.ts';
import { element, plainButton, setText } from '../../shared/dom.ts';
import { icon } from '../../shared/icons.ts';
import { formatCount } from '../../shared/numbers.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.compactionsTab;

/** Milliseconds after the last key before the host is asked. */
const typingPause = 200;

type Found = MessageOf<typeof diffNotifications, 'diff-matches'>;

interface SearchBarOptions {
  /** Requests the matches of a string. An empty string ends the search. */
  readonly onSearch: (query: string) => void;
  readonly onShow: (match: DiffMatch) => void;
}

/** Searches the texts on both sides of a diff and moves between matching messages. */
export class SearchBar {
  readonly element: HTMLElement;
  private readonly options: SearchBarOptions;
  private readonly input: HTMLInputElement;
  private readonly status = element('span', { class: 'dim', role: 'status' });
  private readonly steps: readonly HTMLButtonElement[];
  private timer: number | undefined;
  private found: Found | undefined;
  private position = -1;

  constructor(options: SearchBarOptions) {
    this.options = options;
    this.input = element('input', {
      type: 'search',
      class: 'field',
      placeholder: words.search,
      'aria-label': words.search,
      maxlength: longestQuery,
      spellcheck: 'false',
      autocomplete: 'off',
    });
    this.input.addEventListener('input', () => this.typed());
    this.input.addEventListener('keydown', (event) => this.keyPressed(event));
    this.steps = [
      step(words.previousMatch, 'up', () => this.move(-1)),
      step(words.nextMatch, 'below', () => this.move(1)),
    ];
    this.element = element(
      'div',
      { class: 'search', role: 'search' },
      this.input,
      ...this.steps,
      this.status,
    );
    this.renderStatus();
  }

  get query(): string {
    return this.input.value;
  }

  focus(): void {
    this.input.focus();
    this.input.select();
  }

  receive(found: Found): void {
    if (found.query !== this.query) return;
    this.found = found;
    this.position = -1;
    this.renderStatus();
  }

  private typed(): void {
    window.clearTimeout(this.timer);
    this.found = undefined;
    this.position = -1;
    this.renderStatus();
    const { query } = this;
    if (query === '') this.options.onSearch('');
    else this.timer = window.setTimeout(() => this.options.onSearch(query), typingPause);
  }

  private keyPressed(event: KeyboardEvent): void {
    if (event.key === 'Enter') {
      event.preventDefault();
      this.move(event.shiftKey ? -1 : 1);
    } else if (event.key === 'Escape' && this.query !== '') {
      event.stopPropagation();
      this.input.value = '';
      this.typed();
    }
  }

  private move(by: number): void {
    const matches = this.found?.matches ?? [];
    if (matches.length === 0) return;
    const from = this.position < 0 && by < 0 ? 0 : this.position;
    this.position = (from + by + matches.length) % matches.length;
    const match = matches[this.position];
    this.renderStatus();
    if (match !== undefined) this.options.onShow(match);
  }

  private renderStatus(): void {
    const { found, position, query } = this;
    const matches = found?.matches ?? [];
    for (const button of this.steps) button.disabled = matches.length === 0;
    if (query === '') setText(this.status, '');
    else if (found === undefined) setText(this.status, words.searching);
    else if (matches.length === 0) setText(this.status, words.noMatch);
    else {
      const places = matches.reduce((total, { count }) => total + count, 0);
      const match = matches[position];
      const shown = formatCount(matches.length);
      const parts = [
        ...(match === undefined ? [] : [words.matchAt({ index: position + 1, total: shown })]),
        places === 1 ? words.foundOne : words.found({ places, messages: matches.length }),
        ...(found.total > matches.length ? [words.firstOf({ shown, total: found.total })] : []),
        ...(match === undefined ? [] : [words.matchSides[match.side], excerptOf(match)]),
      ];
      setText(this.status, parts.join(' · '));
    }
  }
}

function excerptOf({ excerpt: { before, match, after } }: DiffMatch): string {
  return `${before}${match}${after}`;
}

function step(label: string, sign: 'up' | 'below', onClick: () => void): HTMLButtonElement {
  return plainButton({ class: 'step', 'aria-label': label, title: label }, onClick, icon(sign));
}

/** Maximum number of marked matches. Drawing more would be slow. */
const mostMarked = 2_000;
/** Name of the highlight in the style sheet. */
const name = 'search';

/**
 * Marks every match in the displayed texts. The elements are not changed: marks are drawn over them, even across the
 * borders of marked words.
 */
export function markPlaces(root: HTMLElement, query: string): void {
  const marks = new Highlight();
  if (query.trim() !== '') {
    const pattern = new RegExp(query.replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`), 'giu');
    for (const text of root.querySelectorAll<HTMLElement>('pre, .excerpt, .label')) {
      for (const range of placesIn(text, pattern)) {
        if (marks.size >= mostMarked) break;
        marks.add(range);
      }
    }
  }
  if (marks.size === 0) CSS.highlights.delete(name);
  else CSS.highlights.set(name, marks);
}

/** The first marked match inside an element. */
export function firstPlaceIn(element: HTMLElement): Range | undefined {
  const marks = CSS.highlights.get(name);
  if (marks === undefined) return undefined;
  for (const range of marks) {
    if (range instanceof Range && element.contains(range.startContainer)) return range;
  }
  return undefined;
}

function* placesIn(element: HTMLElement, pattern: RegExp): Generator<Range> {
  if (element.closest('[hidden]') !== null) return;
  const nodes: Text[] = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) nodes.push(walker.currentNode as Text);
  const text = nodes.map(({ data }) => data).join('');
  let index = 0;
  let offset = 0;
  /** The node and offset of a position in the whole text. Positions must not decrease from call to call. */
  const locate = (place: number): readonly [Text, number] | undefined => {
    for (let node = nodes[index]; node !== undefined; node = nodes[++index]) {
      if (place <= offset + node.length) return [node, place - offset];
      offset += node.length;
    }
    return undefined;
  };
  for (const match of text.matchAll(pattern)) {
    const start = locate(match.index);
    const end = locate(match.index + match[0].length);
    if (start === undefined || end === undefined) return;
    const range = new Range();
    range.setStart(...start);
    range.setEnd(...end);
    yield range;
  }
}
