import type { ToolRow } from '../../../../src/protocol/chat-rows.ts';
import { element, plainButton, setText } from '../../../shared/dom.ts';
import { strings } from '../../text/chat-strings.ts';

/** The output of a call, below the call's line. First shows output as it arrives, then the whole result. */
export interface ToolPanel {
  /** True if the user is reading the output, which must then stay open. */
  readonly isRead: boolean;
  show(row: ToolRow): void;
  /** Shows the whole result instead of its beginning. */
  showWhole(text: string): void;
}

/** @param onShowAll called when the user requests the whole result */
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

/** Maximum distance in pixels that still counts as the end. */
const tolerance = 2;

/** The output of a running action. It stays scrolled to the end until the user scrolls up. */
interface LiveOutput {
  readonly element: HTMLElement;
  readonly isFollowing: boolean;
  show(output: string): void;
}

function liveOutput(): LiveOutput {
  // If every line were announced, nothing else could be heard.
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
      // Appending keeps selected text selected.
      if (output.startsWith(text.data)) text.appendData(output.slice(text.data.length));
      else text.data = output;
      frame ??= requestAnimationFrame(toEnd);
    },
  };
}
