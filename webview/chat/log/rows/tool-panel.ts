import type { ToolRow } from '../../../../src/protocol/chat-rows.ts';
import { element, plainButton, setText } from '../../../shared/dom.ts';
import { strings } from '../../text/chat-strings.ts';

/** The output of a call, under its line: as it arrives, then as it ended. */
export interface ToolPanel {
  /** A person is at something in it that should not go away by itself. */
  readonly isRead: boolean;
  show(row: ToolRow): void;
  /** Shows the whole of the result instead of its beginning. */
  showWhole(text: string): void;
}

/** @param onShowAll called when the whole of the result is wanted */
export function toolPanel(root: HTMLElement, onShowAll: () => void): ToolPanel {
  let preview: string | undefined;
  let whole: string | undefined;
  const live = liveOutput();
  const output = element('pre', { class: 'output', tabindex: 0 });
  const showAll = plainButton({ class: 'link' }, () => {
    setText(showAll, strings.loading);
    onShowAll();
  });
  root.append(live.element, output, showAll);
  return {
    get isRead() {
      return !live.isFollowing || root.contains(document.activeElement);
    },
    show(row) {
      if (row.preview !== preview) whole = undefined;
      ({ preview } = row);
      const isLive = isFollowed(row);
      live.element.hidden = !isLive;
      output.hidden = isLive;
      if (isLive) live.show(row.output ?? '');
      const shown = whole ?? preview;
      const isOver = row.state !== 'running' && row.state !== 'waiting';
      setText(output, shown === '' ? (isOver ? strings.noOutput : strings.noOutputYet) : shown);
      setText(showAll, strings.showAll);
      showAll.hidden = whole !== undefined || !row.isClipped;
    },
    showWhole(text) {
      whole = text;
      setText(output, text);
      showAll.hidden = true;
    },
  };
}

/** True while output is arriving. */
export function isFollowed({ state, output = '' }: ToolRow): boolean {
  return state === 'running' && output !== '';
}

/** Distance from the end that still counts as the end, in pixels. */
const tolerance = 2;

/** The output of a running action. Stays at its end until a person scrolls up in it. */
interface LiveOutput {
  readonly element: HTMLElement;
  readonly isFollowing: boolean;
  show(output: string): void;
}

function liveOutput(): LiveOutput {
  // Read out line by line, it would drown everything else.
  const root = element('pre', {
    class: 'output is-live',
    tabindex: 0,
    'aria-label': strings.liveOutput,
    'aria-live': 'off',
  });
  const text = document.createTextNode('');
  root.append(text);
  let isFollowing = true;
  let frame: number | undefined;
  const toEnd = () => {
    frame = undefined;
    if (isFollowing) root.scrollTop = root.scrollHeight;
  };
  root.addEventListener(
    'scroll',
    () => {
      isFollowing = root.scrollHeight - root.clientHeight - root.scrollTop <= tolerance;
    },
    { passive: true },
  );
  return {
    element: root,
    get isFollowing() {
      return isFollowing;
    },
    show(output) {
      // Text that is appended to keeps its selection.
      if (output.startsWith(text.data)) text.appendData(output.slice(text.data.length));
      else text.data = output;
      frame ??= requestAnimationFrame(toEnd);
    },
  };
}
