import type { RowAction } from '../../../src/protocol/chat.ts';

interface FocusedRowOptions {
  /** @param key of a row */
  readonly actionOn: (key: string) => RowAction | undefined;
  /** Called when the available action changes. */
  readonly onChange: (action: RowAction | undefined) => void;
}

/** The focused row of the log. Notifies VS Code of the action that its shortcuts apply to. */
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
    // The page keeps its focused element while VS Code has the focus.
    window.addEventListener('blur', () => this.change(undefined));
    window.addEventListener('focus', () => this.tell());
  }

  /** Key of the row; undefined if another element has the focus. */
  get key(): string | undefined {
    const { activeElement } = document;
    if (!this.log.contains(activeElement)) return undefined;
    return activeElement?.closest<HTMLElement>('[data-key]')?.dataset['key'];
  }

  /** Reports the available action after the focus or the rows changed. */
  tell(): void {
    const { key } = this;
    // A message that is being edited has a text field with its own keys.
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
