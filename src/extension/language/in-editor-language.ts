import { phraseOf } from '../../compaction/records/reason.ts';
import type { Phrase, RecordedText } from '../../compaction/records/record.ts';
import { editorWording } from './editor-wording.ts';

/** The tables of finished sentences, which are not keyed yet; loaded only where they are needed. */
const lookup =
  editorWording.language === 'en' ? undefined : (await import('./chinese-sentences.ts')).inChinese;

/** A sentence in the language of the editor, for the moment in which a person is shown it. */
export function inEditorLanguage(phrase: Phrase): string {
  if (typeof phrase !== 'string') return editorWording.text(phrase);
  return lookup?.(phrase) ?? phrase;
}

/** A text that was stored, in the language of the editor if its sentence was stored with it. */
export function storedInEditorLanguage({ message, sentence }: RecordedText): string {
  return editorWording.stored(sentence, message);
}

/** The message of an error in the language of the editor; in its own words if somebody else wrote it. */
export function errorInEditorLanguage(error: unknown): string {
  return inEditorLanguage(phraseOf(error));
}
