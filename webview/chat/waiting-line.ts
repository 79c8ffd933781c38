import type { ChatRow } from '../../src/protocol/chat-rows.ts';
import { element, plainButton, setText } from '../dom.ts';
import { strings } from './strings.ts';
import { visibleText } from './visible-text.ts';

const words = strings.approval;

/** Says how many actions wait for the person, wherever the log is scrolled to, and leads to them one by one. */
export class WaitingLine {
  readonly element: HTMLElement;
  private readonly count = element('span');
  private readonly which = element('span', { class: 'spoken' });
  private readonly show: HTMLButtonElement;
  private ids: readonly string[] = [];
  private lastShown: string | undefined;

  /** @param onShow called with the id of a row that waits */
  constructor(onShow: (id: string) => void) {
    this.show = plainButton({ class: 'link', hidden: true }, () => {
      this.lastShown = this.ids[(this.ids.indexOf(this.lastShown ?? '') + 1) % this.ids.length];
      if (this.lastShown !== undefined) onShow(this.lastShown);
    });
    // What announces itself has to be on the page before it has something to say.
    const announced = element('span', { role: 'status' }, this.count, this.which);
    this.element = element('div', { class: 'waiting-line' }, announced, this.show);
  }

  render(rows: readonly ChatRow[]): void {
    const waiting = rows.flatMap((row) =>
      row.type === 'tool' && row.state === 'waiting' && row.approval !== undefined
        ? [{ id: row.id, title: row.approval.title }]
        : [],
    );
    this.ids = waiting.map(({ id }) => id);
    const newest = waiting.at(-1);
    setText(this.count, newest === undefined ? '' : words.count(waiting.length));
    setText(this.which, newest === undefined ? '' : words.which(visibleText(newest.title)));
    setText(this.show, waiting.length > 1 ? words.showNext : words.show);
    this.show.hidden = newest === undefined;
  }
}
