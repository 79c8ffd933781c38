import type { EditedFile } from '../../compaction/message.ts';
import type { FileChange } from './file-editor.ts';

/** Changes in numbers. What compares texts is loaded with the first change. */
export async function editedFiles(changes: readonly FileChange[]): Promise<readonly EditedFile[]> {
  if (changes.length === 0) return [];
  const { editedFile } = await import('./edited-file.ts');
  return changes.map(editedFile);
}
