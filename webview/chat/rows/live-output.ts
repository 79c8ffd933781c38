import { element } from '../../dom.ts';
import { strings } from '../strings.ts';

/** Distance from the end that still counts as the end, in pixels. */
const tolerance = 2;

/** What a running action puts out. Stays at its end until a person scrolls up in it. */
export interface LiveOutput {
  readonly element: HTMLElement;
  readonly isFollowing: boolean;
  show(output: string): void;
}

export function liveOutput(): LiveOutput {
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
      // Added to, a text keeps what is selected in it.
      if (output.startsWith(text.data)) text.appendData(output.slice(text.data.length));
      else text.data = output;
      frame ??= requestAnimationFrame(toEnd);
    },
  };
}
