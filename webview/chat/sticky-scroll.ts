import type { ScrollAnchor } from './view-state.ts';

/** Distance from the end that still counts as the end, in pixels: sizes are fractions at some zoom levels. */
const tolerance = 2;

/** Frames in which a place that was come back to is corrected. */
const settlingFrames = 12;

const upwardKeys: ReadonlySet<string> = new Set(['ArrowUp', 'PageUp', 'Home']);

/**
 * Keeps a scrolling element at its end while the person is there, and leaves it alone otherwise. Any movement
 * upwards, however small, lets go; coming back to the end takes hold again.
 */
export class StickyScroll {
  private readonly scroller: HTMLElement;
  private readonly onChange: (isFollowing: boolean) => void;
  private following = true;
  private lastTop = 0;

  /** @param content what grows inside the scroller */
  constructor(scroller: HTMLElement, content: HTMLElement, onChange: (isFollowing: boolean) => void) {
    this.scroller = scroller;
    this.onChange = onChange;
    scroller.addEventListener('scroll', () => this.scrolled(), { passive: true });
    scroller.addEventListener(
      'wheel',
      ({ deltaY }) => {
        if (deltaY < 0) this.release();
      },
      { passive: true },
    );
    scroller.addEventListener('keydown', ({ key }) => {
      if (upwardKeys.has(key)) this.release();
    });
    const observer = new ResizeObserver(() => {
      if (this.following) this.toEnd();
    });
    observer.observe(scroller);
    observer.observe(content);
  }

  get isFollowing(): boolean {
    return this.following;
  }

  /** Goes to the end and stays there. */
  follow(): void {
    this.toEnd();
    this.change(true);
  }

  /** The row at the top of what is seen, for coming back to it. */
  anchor(rows: Iterable<HTMLElement>): ScrollAnchor | undefined {
    if (this.following) return undefined;
    const top = this.scroller.getBoundingClientRect().top;
    for (const row of rows) {
      const box = row.getBoundingClientRect();
      if (box.bottom > top) return { row: row.dataset['key'] ?? '', offset: top - box.top };
    }
    return undefined;
  }

  /**
   * Goes to a place in a row. Rows that were never drawn have estimated heights, and what is drawn moves the place
   * about: it is corrected in each frame until it keeps still, or the person scrolls.
   */
  restore(row: HTMLElement, offset: number): void {
    this.change(false);
    let framesLeft = settlingFrames;
    const isTouched = new AbortController();
    for (const type of ['wheel', 'keydown', 'pointerdown']) {
      const options = { signal: isTouched.signal, passive: true };
      this.scroller.addEventListener(type, () => isTouched.abort(), options);
    }
    const place = () => {
      if (isTouched.signal.aborted) return;
      const { top } = this.scroller.getBoundingClientRect();
      this.scroller.scrollTop += row.getBoundingClientRect().top - top + offset;
      this.lastTop = this.scroller.scrollTop;
      if (framesLeft-- > 0) requestAnimationFrame(place);
      else isTouched.abort();
    };
    place();
  }

  private get distance(): number {
    return this.scroller.scrollHeight - this.scroller.clientHeight - this.scroller.scrollTop;
  }

  private toEnd(): void {
    this.scroller.scrollTop = this.scroller.scrollHeight;
    this.lastTop = this.scroller.scrollTop;
  }

  private release(): void {
    if (this.scroller.scrollTop > 0) this.change(false);
  }

  private scrolled(): void {
    const top = this.scroller.scrollTop;
    const isAtEnd = this.distance <= tolerance;
    // A log that became shorter moves up by itself, and is at its end then.
    if (top < this.lastTop && !isAtEnd) this.change(false);
    else if (top > this.lastTop && isAtEnd) this.change(true);
    this.lastTop = top;
  }

  private change(following: boolean): void {
    if (following === this.following) return;
    this.following = following;
    this.onChange(following);
  }
}
