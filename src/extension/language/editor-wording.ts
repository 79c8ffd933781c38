import * as vscode from 'vscode';
import { wordingFor } from '../../language/wording.ts';

/** Words sentences in the language of the editor. Its tables are loaded before anything is shown. */
export const editorWording = await wordingFor(vscode.env.language);
