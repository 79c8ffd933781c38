import { defineTool } from '../tools/support/define-tool.ts';
import { failed, ok, type Tool, type ToolResult } from '../tools/support/tool.ts';
import { SharedFolderError, type SharedAccess, type SharedFile } from './shared-folder.ts';

/** The tools by which a sub-agent shares files. They reach nothing but the folder of the call that started it. */
export function createSubAgentTools(subAgent: string, shared: SharedAccess): readonly Tool[] {
  return [createWriteShared(subAgent, shared), createReadShared(subAgent, shared), createListShared(shared)];
}

function createWriteShared(subAgent: string, shared: SharedAccess): Tool {
  return defineTool({
    name: 'write_shared',
    description:
      'Writes a text file that the sub-agents which depend on you can read, or replaces it. Use it for what your report is too short for: an interface, a list of findings, data. It is no file of the workspace.',
    properties: {
      file: { type: 'string', description: 'A plain name, such as "endpoints.json".' },
      content: { type: 'string', description: 'The whole text of the file.' },
    },
    required: ['file', 'content'],
    describe: ({ file = '' }) => file,
    run: ({ file, content }) =>
      plainly(async () => {
        await shared.write(file, content);
        return `Shared ${subAgent}/${file} (${content.length} characters).`;
      }),
  });
}

function createReadShared(subAgent: string, shared: SharedAccess): Tool {
  return defineTool({
    name: 'read_shared',
    description: 'Reads a file that a sub-agent you depend on has shared, or one of your own.',
    properties: {
      from: { type: 'string', description: 'The sub-agent that wrote it. You, where left out.' },
      file: { type: 'string', description: 'Name of the file.' },
    },
    required: ['file'],
    describe: ({ from = subAgent, file = '' }) => `${from}/${file}`,
    run: ({ from = subAgent, file }) => plainly(async () => shared.read(from, file)),
  });
}

function createListShared(shared: SharedAccess): Tool {
  return defineTool({
    name: 'list_shared',
    description: 'Lists the shared files that you can read.',
    properties: {},
    required: [],
    describe: () => '',
    run: () => ok(listOf(shared.list())),
  });
}

/** Shared files, one a line. */
export function listOf(files: readonly SharedFile[]): string {
  if (files.length === 0) return 'There are no shared files.';
  return files
    .map(({ subAgent, name, characters }) => `${subAgent}/${name} (${characters} characters)`)
    .join('\n');
}

async function plainly(work: () => Promise<string>): Promise<ToolResult> {
  try {
    return ok(await work());
  } catch (error) {
    if (error instanceof SharedFolderError) return failed(error.message);
    throw error;
  }
}
