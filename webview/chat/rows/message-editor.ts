import { element } from '../../dom.ts';
import { controlButton } from '../../toolkit.ts';
import { intentOf } from '../keys.ts';
import { strings } from '../strings.ts';

const words = strings.editing;

/** A message being written anew, in the place of the old one. */
export interface MessageEditor {
  readonly element: HTMLElement;
  focus(): void;
}

export interface MessageEditorOptions {
  readonly onInput: (text: string) => void;
  /** Called with a text that is ready to go. */
  readonly onSave: (text: string) => void;
  readonly onCancel: () => void;
}

export function messageEditor(text: string, options: MessageEditorOptions): MessageEditor {
  const input = element('textarea', { class: 'field', rows: 2, 'aria-label': words.label });
  input.value = text;
  const save = () => {
    const typed = input.value.trimEnd();
    if (typed.trim() !== '') options.onSave(typed);
  };
  const saveButton = controlButton({ appearance: 'primary', onClick: save }, words.save);
  input.addEventListener('input', () => {
    saveButton.disabled = input.value.trim() === '';
    options.onInput(input.value);
  });
  input.addEventListener('keydown', (event) => {
    const intent = intentOf(event);
    if (intent === undefined) return;
    event.preventDefault();
    if (intent === 'submit') save();
    else options.onCancel();
  });
  return {
    element: element(
      'div',
      { class: 'editing' },
      input,
      element('p', { class: 'editing-note' }, words.explained),
      element(
        'div',
        { class: 'buttons' },
        saveButton,
        controlButton({ appearance: 'secondary', onClick: options.onCancel }, words.cancel),
      ),
    ),
    focus: () => input.focus(),
  };
}
