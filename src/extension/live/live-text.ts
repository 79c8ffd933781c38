import { liveSentences } from '../../language/live-english.ts';
import { editorWording } from '../editor/editor-wording.ts';

/** A sentence about sessions of other agents in the language of the editor. */
export function liveText<Key extends keyof (typeof liveSentences)['english']>(
  ...said: Parameters<typeof liveSentences.say<Key>>
): string {
  return editorWording.text(liveSentences.say<Key>(...said));
}
