import { html, render } from 'lit';
import { largeButton, linkButton } from '../../shared/link-button.ts';
import { inspectorTexts } from '../text/inspector-strings.ts';

const words = inspectorTexts.ledger.marks;

/**
 * Shows a field below an element in which the user can reword a sentence. Enter saves, Escape cancels.
 *
 * @param place element that is focused again afterwards
 */
export function rewordField(place: HTMLElement, sentence: string, onWords: (words: string) => void): void {
  document.querySelector('.reword')?.remove();
  const form = document.createElement('div');
  form.className = 'reword';
  const close = () => {
    form.remove();
    place.focus({ preventScroll: true });
  };
  const take = () => {
    const text = input.value.replace(/\s+/gu, ' ').trim();
    close();
    if (text !== '' && text !== sentence) onWords(text);
  };
  const keyPressed = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' && (event.key !== 'Enter' || event.shiftKey || event.isComposing)) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === 'Enter') take();
    else close();
  };
  render(
    html`<label
        >${words.yourWords}<textarea
          class="field"
          rows="2"
          maxlength="2000"
          .value=${sentence}
          @keydown=${keyPressed}
        ></textarea>
      </label>
      <div class="reword-actions">
        ${largeButton(words.takeOver, take, { isPrimary: true })} ${linkButton(words.cancel, close)}
      </div>`,
    form,
  );
  const input = form.querySelector('textarea')!;
  (place.closest('.fact-head') ?? place).after(form);
  input.focus();
  input.select();
}
