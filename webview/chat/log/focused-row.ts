import type { RowAction } from '../../../src/protocol/chat.ts';

interface FocusedRowOptions {
  /** Returns the possible action on a row. @param key of the row */
  readonly actionOn: (key: string) => RowAction | undefined;
  /** Called when the possible action changes. */
  readonly onChange: (action: RowAction | undefined) => void;
}

/** The focused row of the log. Tells VS Code the action for its keyboard shortcuts. */
export class FocusedRow {
  private readonly log: HTMLElement;
  private readonly options: FocusedRowOptions;
  private told: RowAction | undefined;

  constructor(log: HTMLElement, options: FocusedRowOptions) {
    this.log = log;
    this.options = options;
    document.addEventListener('focusin', () => this.tell());
    log.addEventListener('focusout', ({ relatedTarget }) => {
      if (!(relatedTarget instanceof Node)) this.change(undefined);
    });
    // The page keeps a focused element even while VS Code has the focus.
    window.addEventListener('blur', () => this.change(undefined));
    window.addEventListener('focus', () => this.tell());
  }

  /** Key of the focused row; undefined if something else has the focus. */
  get key(): string | undefined {
    const { activeElement } = document;
    if (!this.log.contains(activeElement)) return undefined;
    return activeElement?.closest<HTMLElement>('[data-key]')?.dataset['key'];
  }

  /** Reports the possible action after the focus or the rows have changed. */
  tell(): void {
    const { key } = this;
    // The field of a message that is being edited has its own keys.
    const isTyping = document.activeElement?.matches('input, textarea') === true;
    const applies = key !== undefined && !isTyping && document.hasFocus();
    this.change(applies ? this.options.actionOn(key) : undefined);
  }

  private change(action: RowAction | undefined): void {
    if (action === this.told) return;
    this.told = action;
    this.options.onChange(action);
  }
}
