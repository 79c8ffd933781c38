import { createFindFiles } from './find-files.ts';
import { createListDirectory } from './list-directory.ts';
import { createReadFile } from './read-file.ts';
import { createRecall, type Recall } from './recall.ts';
import { createSearchText } from './search-text.ts';
import type { Tool } from './tool.ts';
import type { Workspace } from './workspace.ts';

export interface ToolSources {
  /** Absent where no folder is open, or the one that is open is not trusted. */
  readonly workspace?: Workspace | undefined;
  /** Absolute path of ripgrep's executable; without it there is no searching. */
  readonly ripgrepPath?: string | undefined;
  readonly recall: Recall;
}

/** The tools of the agent. All of them only read. */
export function createTools({ workspace, ripgrepPath, recall }: ToolSources): readonly Tool[] {
  const recallTool = createRecall(recall);
  if (workspace === undefined || workspace.isEmpty) return [recallTool];
  return [
    createReadFile(workspace),
    createListDirectory(workspace),
    ...(ripgrepPath === undefined
      ? []
      : [createFindFiles(workspace, ripgrepPath), createSearchText(workspace, ripgrepPath)]),
    recallTool,
  ];
}
