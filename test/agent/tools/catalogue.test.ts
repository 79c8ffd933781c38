import { rgPath } from '@vscode/ripgrep';
import { describe, expect, it } from 'vitest';
import { createTools } from '../../../src/agent/tools/catalogue.ts';
import { Workspace } from '../../../src/agent/files/workspace.ts';

const recall = () => undefined;
const searchHistory = () => Promise.resolve({ absent: 0, passages: [] });
const namesOf = (sources: Parameters<typeof createTools>[0]) => createTools(sources).map(({ name }) => name);

describe('the tools', () => {
  it('are six reading tools if a folder is open', () => {
    expect(
      namesOf({ workspace: new Workspace(['/folder']), ripgrepPath: rgPath, recall, searchHistory }),
    ).toEqual(['read_file', 'list_directory', 'find_files', 'search_text', 'recall', 'search_history']);
  });

  it('include a tool that requests a compaction if compactions are automatic', () => {
    expect(namesOf({ recall, requestCompaction: () => {} })).toEqual(['recall', 'compact']);
  });

  it('include no search without ripgrep', () => {
    expect(namesOf({ workspace: new Workspace(['/folder']), recall })).toEqual([
      'read_file',
      'list_directory',
      'recall',
    ]);
  });

  it('are only the tools for the history if no workspace is open', () => {
    expect(namesOf({ ripgrepPath: rgPath, recall, searchHistory })).toEqual(['recall', 'search_history']);
    expect(namesOf({ workspace: new Workspace([]), ripgrepPath: rgPath, recall })).toEqual(['recall']);
  });

  it('describe their arguments to the model, and allow no others', () => {
    for (const { name, schema } of createTools({
      workspace: new Workspace(['/folder']),
      ripgrepPath: rgPath,
      recall,
      searchHistory,
      requestCompaction: () => {},
    })) {
      expect(schema.function.name).toBe(name);
      expect(schema.function.description?.length).toBeGreaterThan(40);
      expect(schema.function.parameters).toMatchObject({ type: 'object', additionalProperties: false });
    }
  });
});
