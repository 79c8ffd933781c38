import { controlButton } from '../../shared/controls.ts';
import { element, freshId, plainButton } from '../../shared/dom.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.ledger.marks;

/**
 * Shows a field below an element in which the user can reword a sentence. Enter saves, Escape cancels.
 *
 * @param place element that is focused again afterwards
 */
export function rewordField(place: HTMLElement, sentence: string, onWords: (words: string) => void): void {
  document.querySelector('.reword')?.remove();
  const id = freshId();
  const input = element('textarea', { id, class: 'field', rows: 2, maxlength: 2_000 });
  input.value = sentence;
  const close = () => {
    form.remove();
    place.focus({ preventScroll: true });
  };
  const take = () => {
    const text = input.value.replace(/\s+/gu, ' ').trim();
    close();
    if (text !== '' && text !== sentence) onWords(text);
  };
  input.addEventListener('keydown', (event) => {
    if (event.key !== 'Escape' && (event.key !== 'Enter' || event.shiftKey || event.isComposing)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Enter') take();
    else close();
  });
  const form = element(
    'div',
    { class: 'reword' },
    element('label', { for: id }, words.yourWords),
    input,
    element(
      'div',
      { class: 'reword-actions' },
      controlButton({ appearance: 'primary', onClick: take }, words.takeOver),
      plainButton({ class: 'link' }, close, words.cancel),
    ),
  );
  (place.closest('.fact-head') ?? place).after(form);
  input.focus();
  input.select();
}
