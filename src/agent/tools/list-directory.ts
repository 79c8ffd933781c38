import type { Dirent, Stats } from 'node:fs';
import { lstat, readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { withDirectory, type HeldDirectory } from '../files/real-file.ts';
import { defineTool } from './support/define-tool.ts';
import { failed, fileProblem, ok, sizeInWords, type Tool } from './support/tool.ts';
import type { Workspace } from '../files/workspace.ts';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';

const mostEntries = 500;

export function createListDirectory(workspace: Workspace): Tool {
  return defineTool({
    name: 'list_directory',
    description:
      'Lists one directory of the workspace, not what is below it: directories first, with a slash, then files with their sizes. Use it to see how a project is laid out; find_files looks deeper.',
    properties: {
      path: {
        type: 'string',
        description:
          'Path of the directory, relative to the workspace. The top of the workspace if left out.',
      },
    },
    required: [],
    describe: ({ path: given = '.' }) => given || '.',
    async run({ path: given = '.' }, signal) {
      const roots = await workspace.roots();
      const isTop = path.normalize(given || '.').replace(/[/\\]$/, '') === '.';
      if (isTop && roots.length > 1) return ok(roots.map(({ name }) => `${name}/`).join('\n'));
      const resolution = await workspace.resolve(given || '.');
      if ('refusal' in resolution) return failed(resolution.refusal);
      const { place } = resolution;
      try {
        return await withDirectory(place.path, async (held) => {
          const entries = await readdir(held.entrance, { withFileTypes: true });
          throwIfCancelled(signal);
          if (entries.length === 0) return ok(`${place.shown} is empty.`);
          const sorted = entries.toSorted(
            (one, other) => rankOf(one) - rankOf(other) || (one.name < other.name ? -1 : 1),
          );
          const lines = await Promise.all(
            sorted.slice(0, mostEntries).map((entry) => describeEntry(workspace, held, entry)),
          );
          await held.check();
          throwIfCancelled(signal);
          const isTruncated = entries.length > mostEntries;
          const note = isTruncated ? `\n\n[The first ${mostEntries} of ${entries.length} entries.]` : '';
          return ok(`${lines.join('\n')}${note}`, isTruncated);
        });
      } catch (error) {
        throwIfCancelled(signal);
        return fileProblem(error, place.shown);
      }
    },
  });
}

function rankOf(entry: Dirent): number {
  return entry.isDirectory() ? 0 : 1;
}

async function describeEntry(workspace: Workspace, directory: HeldDirectory, entry: Dirent): Promise<string> {
  // A line feed in a name would turn one entry into two.
  const name = entry.name.replace(/[\r\n]/g, '?');
  if (entry.isDirectory()) return `${name}/`;
  try {
    if (entry.isSymbolicLink()) {
      const resolution = await workspace.resolve(path.join(directory.path, entry.name));
      if ('refusal' in resolution) return `${name} (link to outside the workspace)`;
      const target = await stat(resolution.place.path);
      return target.isDirectory() ? `${name}/ (link)` : `${name}  ${sizeOf(target)} (link)`;
    }
    return `${name}  ${sizeOf(await lstat(directory.at(entry.name)))}`;
  } catch {
    return entry.isSymbolicLink() ? `${name} (broken link)` : name;
  }
}

function sizeOf(status: Stats): string {
  return status.isFile() ? sizeInWords(status.size) : '(not a regular file)';
}
