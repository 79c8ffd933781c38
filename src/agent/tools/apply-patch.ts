import { applyHunks, type FilePatch } from '../edits/apply-hunks.ts';
import { FileEditError, type FileChange, type FileEditor } from '../edits/file-editor.ts';
import { pathsIn, readPatch } from '../edits/patch.ts';
import { defineActingTool } from './support/define-tool.ts';
import { keepingSecrets, placeToEdit, proposeEdit } from './support/propose-edit.ts';
import type { ActingTool } from './support/tool.ts';
import type { Workspace } from '../files/workspace.ts';
import { agentSentences } from '../../language/english/agent-english.ts';
import { toModel } from '../../language/sentence.ts';

export function createApplyPatch(workspace: Workspace, editor: FileEditor): ActingTool {
  return defineActingTool({
    name: 'apply_patch',
    description:
      'Changes several files at once, all or none. Takes this form: "*** Begin Patch", then for each file "*** Add File: path" with lines that begin with +, "*** Delete File: path", or "*** Update File: path", if wanted "*** Move to: path", and hunks: "@@" with a line that comes before, if that is needed to tell places apart, then lines that begin with a space, - or +; at the end "*** End Patch". Context lines have to be in the file exactly.',
    properties: {
      patch: { type: 'string', description: 'The whole patch. Paths are relative to the workspace.' },
    },
    required: ['patch'],
    describe: ({ patch = '' }) => pathsIn(patch).join(', '),
    propose: ({ patch }) =>
      proposeEdit(workspace, editor, async () => {
        const files = new PatchedFiles(workspace, editor);
        for (const filePatch of readPatch(patch)) await files.make(filePatch);
        return files.changes;
      }),
  });
}

/** The files after the sections of a patch were applied in order. Nothing is written. */
class PatchedFiles {
  private readonly workspace: Workspace;
  private readonly editor: FileEditor;
  private readonly files = new Map<string, FileChange>();

  constructor(workspace: Workspace, editor: FileEditor) {
    this.workspace = workspace;
    this.editor = editor;
  }

  get changes(): readonly FileChange[] {
    return [...this.files.values()];
  }

  /** Applies a section. @throws {FileEditError} or {EditMismatchError} if the section does not fit */
  async make(patch: FilePatch): Promise<void> {
    const file = await this.open(patch.path);
    const { shown, after: text } = file;
    if (patch.type === 'add') {
      if (text !== undefined)
        throw new FileEditError(agentSentences.say('fileAlreadyExists', { file: shown }), {
          advice: toModel` Update it instead.`,
        });
      this.leave(file, patch.text);
      return;
    }
    if (text === undefined) throw new FileEditError(agentSentences.say('fileMissing', { file: shown }));
    if (patch.type === 'delete') {
      this.leave(file, undefined);
      return;
    }
    const { hunks } = patch;
    const updated = keepingSecrets(shown, () => applyHunks(shown, text, hunks));
    if (patch.moveTo === undefined) {
      this.leave(file, updated);
      return;
    }
    const target = await this.open(patch.moveTo);
    if (target.path !== file.path && target.after !== undefined) {
      throw new FileEditError(agentSentences.say('fileAlreadyExists', { file: target.shown }), {
        advice: toModel` ${shown} cannot be moved there.`,
      });
    }
    this.leave(file, undefined);
    this.leave(target, updated);
  }

  private async open(given: string): Promise<FileChange> {
    const { path, shown } = await placeToEdit(this.workspace, given);
    const known = this.files.get(path);
    if (known !== undefined) return known;
    const before = await this.editor.read(path);
    const file = { path, shown, before, after: before };
    this.files.set(path, file);
    return file;
  }

  private leave(file: FileChange, after: string | undefined): void {
    this.files.set(file.path, { ...file, after });
  }
}
