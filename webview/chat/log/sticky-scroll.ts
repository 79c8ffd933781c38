/** Maximum distance in pixels that still counts as the end. Sizes are fractions at some zoom levels. */
const tolerance = 2;

/** Number of frames in which a restored position is corrected. */
const settlingFrames = 12;

const upwardKeys: ReadonlySet<string> = new Set(['ArrowUp', 'PageUp', 'Home']);

/** The reader's position: a row, and how far its top is above the top of the log, in pixels. */
export interface ScrollAnchor {
  readonly row: string;
  readonly offset: number;
}

/**
 * Keeps a scrolling element at its end while the user is there. Any upward movement stops this; scrolling to the end
 * starts it again.
 */
export class StickyScroll {
  private readonly scroller: HTMLElement;
  private readonly content: HTMLElement;
  private readonly onChange: (isFollowing: boolean) => void;
  private following = true;
  private lastTop = 0;
  /** Height of the content when the position was last seen. */
  private lastHeight = 0;
  /** Distance from the end when the position was last seen. */
  private lastDistance = 0;
  private held: AbortController | undefined;

  /** @param content growing content of the scrolling element */
  constructor(scroller: HTMLElement, content: HTMLElement, onChange: (isFollowing: boolean) => void) {
    this.scroller = scroller;
    this.content = content;
    this.onChange = onChange;
    scroller.addEventListener('scroll', () => this.scrolled(), { passive: true });
    scroller.addEventListener(
      'wheel',
      ({ deltaY }) => {
        if (deltaY < 0) this.release();
      },
      { passive: true },
    );
    scroller.addEventListener(
      'keydown',
      ({ key }) => {
        if (upwardKeys.has(key)) this.release();
      },
      // Rows handle these keys, too, and end the event.
      { capture: true },
    );
    const observer = new ResizeObserver(() => {
      if (this.following) this.toEnd();
      else this.remember();
    });
    observer.observe(scroller);
    observer.observe(content);
  }

  get isFollowing(): boolean {
    return this.following;
  }

  /** Scrolls to the end and stays there. */
  follow(): void {
    this.held?.abort();
    this.toEnd();
    this.change(true);
  }

  /**
   * The topmost visible row, to return to later.
   *
   * @param rowBelow finds the first row that ends below a height, in pixels from the top of the page
   */
  anchor(rowBelow: (top: number) => Element | undefined): ScrollAnchor | undefined {
    if (this.following) return undefined;
    const { top } = this.scroller.getBoundingClientRect();
    const row = rowBelow(top);
    if (row === undefined) return undefined;
    return { row: row.getAttribute('data-key') ?? '', offset: top - row.getBoundingClientRect().top };
  }

  /** Scrolls to a position in a row. */
  restore(row: HTMLElement, offset: number): void {
    this.hold(() => row.getBoundingClientRect().top + offset);
  }

  /** Scrolls a place into the upper half of the viewport, unless all of it is visible. */
  reveal(place: Pick<Element, 'getBoundingClientRect'>): void {
    const { top, bottom, height } = this.scroller.getBoundingClientRect();
    const box = place.getBoundingClientRect();
    if (box.height > 0 && box.top >= top && box.bottom <= bottom) return;
    this.hold(() => place.getBoundingClientRect().top - height / 3);
  }

  /**
   * Scrolls to a position. Rows that were never drawn have estimated heights, so the position moves as they are
   * drawn. It is corrected in each frame until it is stable or the user scrolls.
   *
   * @param placeOf returns the position to put at the top of the viewport, in pixels of the page
   */
  private hold(placeOf: () => number): void {
    this.change(false);
    this.held?.abort();
    let framesLeft = settlingFrames;
    const isTouched = new AbortController();
    this.held = isTouched;
    for (const type of ['wheel', 'keydown', 'pointerdown']) {
      const options = { signal: isTouched.signal, passive: true };
      this.scroller.addEventListener(type, () => isTouched.abort(), options);
    }
    const place = () => {
      if (isTouched.signal.aborted) return;
      const { top } = this.scroller.getBoundingClientRect();
      this.scroller.scrollTop += placeOf() - top;
      this.remember();
      if (framesLeft-- > 0) requestAnimationFrame(place);
      else isTouched.abort();
    };
    place();
  }

  private get distance(): number {
    return this.scroller.scrollHeight - this.scroller.clientHeight - this.scroller.scrollTop;
  }

  private toEnd(): void {
    // The welcome of an empty chat is read from its beginning.
    const isWelcome = this.content.querySelector('.welcome') !== null;
    this.scroller.scrollTop = isWelcome ? 0 : this.scroller.scrollHeight;
    this.remember();
  }

  private remember(): void {
    this.lastTop = this.scroller.scrollTop;
    this.lastHeight = this.scroller.scrollHeight;
    this.lastDistance = this.distance;
  }

  private release(): void {
    if (this.scroller.scrollTop === 0) return;
    // The event of an earlier scroll may be still to come.
    this.remember();
    this.change(false);
  }

  /** Rows that are drawn above the visible ones also move the position, by the change of the height at most. */
  private scrolled(): void {
    const { scrollTop, scrollHeight } = this.scroller;
    const isAtEnd = this.distance <= tolerance;
    const wasAtEnd = this.lastDistance <= tolerance;
    const isHeld = this.held?.signal.aborted === false;
    const isUpward = this.lastTop - scrollTop > Math.max(0, this.lastHeight - scrollHeight);
    if (isUpward && !isAtEnd) this.change(false);
    else if (scrollTop > this.lastTop && isAtEnd && !wasAtEnd && !isHeld) this.change(true);
    this.remember();
  }

  private change(following: boolean): void {
    if (following === this.following) return;
    this.following = following;
    this.onChange(following);
  }
}
