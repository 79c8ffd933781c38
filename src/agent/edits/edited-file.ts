import type { EditedFile } from '../../compaction/message.ts';
import type { FileChange } from './file-editor.ts';
import { lineCounts } from './line-diff.ts';

/** A change in numbers. */
export function editedFile({ shown, before, after }: FileChange): EditedFile {
  const { added, removed } = lineCounts(before ?? '', after ?? '');
  const change = before === undefined ? 'created' : after === undefined ? 'deleted' : 'modified';
  return { path: shown, change, added, removed };
}
