/** Selector of everything that Tab can reach. */
const controls = 'a[href], button, input, textarea, select, vscode-button, [tabindex]';

/**
 * Makes the log one tab stop: a row, at first the newest. From there, Tab goes on to the row's own controls. The
 * controls of all other rows are left out, however many there are.
 */
export class RowStops {
  private readonly log: HTMLElement;
  /** Row that the user focused last. */
  private chosen: Element | undefined;
  private current: Element | undefined;
  /** Controls that are left out, and the attributes they had before. */
  private readonly leftOut = new WeakMap<Element, string | null>();

  constructor(log: HTMLElement) {
    this.log = log;
    log.addEventListener('focusin', ({ target }) => this.choose(target));
    new MutationObserver((changes) => {
      for (const { addedNodes } of changes) {
        for (const node of addedNodes) if (node instanceof Element) this.leaveOut(node);
      }
      this.refresh();
    }).observe(log, { childList: true, subtree: true });
  }

  /** Makes the newest row the stop again. */
  reset(): void {
    this.chosen = undefined;
    this.refresh();
  }

  private choose(target: EventTarget | null): void {
    const row = target instanceof Element ? target.closest('.row') : null;
    if (row === null) return;
    this.chosen = row;
    this.refresh();
  }

  private refresh(): void {
    if (this.chosen?.isConnected === false) this.chosen = undefined;
    const next = this.chosen ?? [...this.log.querySelectorAll('.rows:last-child > .row')].at(-1);
    if (next === this.current) return;
    const before = this.current;
    this.current = next;
    if (before !== undefined) this.leaveOut(before);
    if (next === undefined) return;
    next.setAttribute('tabindex', '0');
    for (const control of next.querySelectorAll(controls)) {
      const attribute = this.leftOut.get(control);
      if (attribute === undefined) continue;
      this.leftOut.delete(control);
      if (attribute === null) control.removeAttribute('tabindex');
      else control.setAttribute('tabindex', attribute);
    }
  }

  /** Leaves out an element and everything in it, unless it is in the current row. */
  private leaveOut(root: Element): void {
    if (this.current?.contains(root) === true) return;
    for (const row of root.matches('.row') ? [root] : root.querySelectorAll('.row'))
      row.setAttribute('tabindex', '-1');
    for (const control of [root, ...root.querySelectorAll(controls)]) {
      if (control.matches('.row') || !control.matches(controls)) continue;
      const attribute = control.getAttribute('tabindex');
      // Output that arrives scrolls on, so it has to be within reach.
      if (attribute === '-1' || control.matches('.is-live')) continue;
      this.leftOut.set(control, attribute);
      control.setAttribute('tabindex', '-1');
    }
  }
}
