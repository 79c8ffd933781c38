import { element, plainButton, setAttribute } from '../../dom.ts';
import { icon } from '../../icons.ts';
import { strings } from '../strings.ts';

const words = strings.pins;

/** Keeps a message through every compaction, and says that it is kept. */
export interface PinButton {
  readonly element: HTMLElement;
  /** @param isPinned undefined where there is nothing to pin */
  show(isPinned: boolean | undefined): void;
}

/**
 * @param what is pinned, in words
 * @param onPin called with what the person wants
 */
export function pinButton(what: string, onPin: (isPinned: boolean) => void): PinButton {
  let isPinned = false;
  const button = plainButton(
    { class: 'pin changes-chat', 'aria-label': words.pinLabel(what), title: words.explained },
    () => onPin(!isPinned),
    icon('pin'),
  );
  const root = element('span', { class: 'pin-place' }, button);
  return {
    element: root,
    show(next) {
      isPinned = next === true;
      root.hidden = next === undefined;
      setAttribute(button, 'aria-pressed', String(isPinned));
    },
  };
}
