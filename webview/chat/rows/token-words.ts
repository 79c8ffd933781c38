import { element } from '../../dom.ts';
import { formatCount } from '../../numbers.ts';
import { strings } from '../strings.ts';

/** A number to look at; to listen to, a number of tokens. */
export function tokenWords(count: number): readonly HTMLElement[] {
  const text = formatCount(count);
  return [
    element('span', { 'aria-hidden': 'true' }, text),
    element('span', { class: 'spoken' }, strings.tokensOf(text)),
  ];
}
