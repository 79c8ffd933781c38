import type { FileEditor } from '../edits/file-editor.ts';
import { lineEndOf, splitByteOrderMark, withLineFeeds } from '../edits/line-diff.ts';
import { defineActingTool } from './support/define-tool.ts';
import { placeToEdit, proposeEdit } from './support/propose-edit.ts';
import type { ActingTool } from './support/tool.ts';
import type { Workspace } from '../files/workspace.ts';

export function createWriteFile(workspace: Workspace, editor: FileEditor): ActingTool {
  return defineActingTool({
    name: 'write_file',
    description:
      'Creates a text file, with the directories it needs, or replaces a whole one. The content is all of the file, with nothing left out. For changes within a file use edit_file.',
    properties: {
      path: { type: 'string', description: 'Path of the file, relative to the workspace.' },
      content: { type: 'string', description: 'The whole text of the file.' },
    },
    required: ['path', 'content'],
    describe: ({ path = '' }) => path,
    propose: ({ path: given, content }) =>
      proposeEdit(workspace, editor, async () => {
        const { path, shown } = await placeToEdit(workspace, given);
        const before = await editor.read(path);
        return [{ path, shown, before, after: before === undefined ? content : asBefore(content, before) }];
      }),
  });
}

/** Converts text to the line ends and byte order mark of the text that it replaces. */
function asBefore(content: string, before: string): string {
  const [mark] = splitByteOrderMark(before);
  const plain = withLineFeeds(splitByteOrderMark(content)[1]);
  return mark + (lineEndOf(before) === '\r\n' ? plain.replaceAll('\n', '\r\n') : plain);
}
