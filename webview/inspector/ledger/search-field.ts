import { element } from '../../shared/dom.ts';

/** Time after the last key in which nothing is searched yet, in milliseconds. */
const keyPause = 250;

export interface SearchFieldOptions {
  readonly label: string;
  readonly placeholder: string;
  /** Called when nobody types any more, and with Enter. */
  readonly onSearch: () => void;
}

/** A field to search by, which waits until somebody has typed what they look for. */
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

  /** What is looked for, without the white space around it. */
  get text(): string {
    return this.element.value.trim();
  }

  private search(pause: number): void {
    window.clearTimeout(this.timer);
    this.timer = window.setTimeout(this.onSearch, pause);
  }
}
