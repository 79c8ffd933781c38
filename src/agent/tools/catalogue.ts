import { createCompact, type RequestCompaction } from './compact.ts';
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
  /** Absent where compaction does not start by itself. */
  readonly requestCompaction?: RequestCompaction | undefined;
}

/** The tools of the agent. All of them only read; what `compact` takes out of view stays within reach. */
export function createTools(sources: ToolSources): readonly Tool[] {
  const { workspace, ripgrepPath, recall, searchHistory, requestCompaction } = sources;
  const historyTools = [
    createRecall(recall),
    ...(searchHistory === undefined ? [] : [createSearchHistory(searchHistory)]),
    ...(requestCompaction === undefined ? [] : [createCompact(requestCompaction)]),
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
