import { createFindFiles } from './find-files.ts';
import { createListDirectory } from './list-directory.ts';
import { createReadFile } from './read-file.ts';
import { createRecall, type Recall } from './recall.ts';
import { createSearchHistory, type SearchHistory } from './search-history.ts';
import { createSearchText } from './search-text.ts';
import type { Tool } from './tool.ts';
import type { Workspace } from './workspace.ts';

export interface ToolSources {
  /** Absent where no folder is open, or the one that is open is not trusted. */
  readonly workspace?: Workspace | undefined;
  /** Absolute path of ripgrep's executable; without it there is no searching. */
  readonly ripgrepPath?: string | undefined;
  readonly recall: Recall;
  /** Absent where there is no history to search. */
  readonly searchHistory?: SearchHistory | undefined;
}

/** The tools of the agent. All of them only read. */
export function createTools({ workspace, ripgrepPath, recall, searchHistory }: ToolSources): readonly Tool[] {
  const historyTools = [
    createRecall(recall),
    ...(searchHistory === undefined ? [] : [createSearchHistory(searchHistory)]),
  ];
  if (workspace === undefined || workspace.isEmpty) return historyTools;
  return [
    createReadFile(workspace),
    createListDirectory(workspace),
    ...(ripgrepPath === undefined
      ? []
      : [createFindFiles(workspace, ripgrepPath), createSearchText(workspace, ripgrepPath)]),
    ...historyTools,
  ];
}
