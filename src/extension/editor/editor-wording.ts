import { hostSentences } from '../../language/english/host-english.ts';
import { liveSentences } from '../../language/english/live-english.ts';
import * as vscode from 'vscode';
import { wordingFor } from '../../language/translated/wording.ts';

/** Wording in the display language of VS Code. Its sentences are loaded before anything is shown. */
export const editorWording = await wordingFor(vscode.env.language);

/** A sentence of the extension in VS Code's language. */
export function hostText<Key extends keyof (typeof hostSentences)['english']>(
  ...said: Parameters<typeof hostSentences.say<Key>>
): string {
  return editorWording.text(hostSentences.say<Key>(...said));
}

/** A sentence about sessions of other agents in VS Code's language. */
export function liveText<Key extends keyof (typeof liveSentences)['english']>(
  ...said: Parameters<typeof liveSentences.say<Key>>
): string {
  return editorWording.text(liveSentences.say<Key>(...said));
}
