import { EditMismatchError, FileEditError, type FileEditor } from '../edits/file-editor.ts';
import { replaceAll } from '../edits/search-replace.ts';
import { keepingSecrets, placeToEdit, proposeEdit } from './support/propose-edit.ts';
import { defineActingTool } from './support/define-tool.ts';
import type { ActingTool } from './support/tool.ts';
import type { Workspace } from '../files/workspace.ts';
import { agentSentences } from '../../language/english/agent-english.ts';
import { toModel } from '../../language/sentence.ts';

export function createEditFile(workspace: Workspace, editor: FileEditor): ActingTool {
  return defineActingTool({
    name: 'edit_file',
    description:
      'Changes a text file by replacing texts in it. Each search text has to be in the file exactly, indentation included and without the line numbers of read_file, and only once: take in enough of the lines around it. Several edits of one file go into one call and are made one after the other; either all are made or none. The result shows the changed lines.',
    properties: {
      path: { type: 'string', description: 'Path of the file, relative to the workspace.' },
      edits: {
        type: 'array',
        description: 'What to replace, in this order.',
        items: {
          type: 'object',
          properties: {
            search: { type: 'string', description: 'The text as it is in the file now.' },
            replace: { type: 'string', description: 'What stands there instead; empty to delete it.' },
            all: { type: 'boolean', description: 'Replace every occurrence instead of the only one.' },
          },
          required: ['search', 'replace'],
          additionalProperties: false,
        },
      },
    },
    required: ['path', 'edits'],
    describe: ({ path = '' }) => path,
    propose: ({ path: given, edits }) =>
      proposeEdit(workspace, editor, async () => {
        if (edits.length === 0) throw new EditMismatchError(toModel`There are no edits to make.`);
        const { path, shown } = await placeToEdit(workspace, given);
        const before = await editor.read(path);
        if (before === undefined) {
          throw new FileEditError(agentSentences.say('fileMissing', { file: shown }), {
            advice: toModel` write_file creates a file.`,
          });
        }
        return [{ path, shown, before, after: keepingSecrets(shown, () => replaceAll(before, edits)) }];
      }),
  });
}
