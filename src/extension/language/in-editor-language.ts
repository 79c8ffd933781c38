import * as vscode from 'vscode';

/** The one language beside English that there are translations in, as the editor names it. */
const simplifiedChinese = 'zh-cn';

/** The tables are loaded only where they are needed, and before anything is said. */
const lookup =
  vscode.env.language.toLowerCase() === simplifiedChinese
    ? (await import('./chinese-sentences.ts')).inChinese
    : undefined;

/**
 * A finished English sentence in the language of the editor, for the moment in which a person is shown it. What
 * nobody has translated stays as it is.
 */
export function inEditorLanguage(english: string): string {
  return lookup?.(english) ?? english;
}
