import { makePrivateFolder, privateFile } from '../files/private-files.ts';
import { replaceFile } from '../files/replace-file.ts';
import { appendFile, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { defineTool } from '../tools/support/define-tool.ts';
import { failed, ok, type Tool, type ToolResult } from '../tools/support/tool.ts';
import { dependenciesOf, type SubAgent } from './sub-agents.ts';
import { type ModelText, toModel } from '../../language/sentence.ts';

/** A file that a sub-agent shares with others. */
export interface SubAgentFile {
  /** Name of the sub-agent that wrote the file. */
  readonly subAgent: string;
  readonly name: string;
  readonly characters: number;
}

/** Error for an unsupported operation on shared files. */
export class SharedFolderError extends Error {
  override readonly name = 'SharedFolderError';
  readonly problem: ModelText;

  constructor(problem: ModelText) {
    super(problem);
    this.problem = problem;
  }
}

interface SharedAccess {
  /** @throws {SharedFolderError} for an invalid name or size */
  write(name: string, content: string): Promise<void>;
  /** @throws {SharedFolderError} if the sub-agent may not read the file, or if it is missing */
  read(subAgent: string, name: string): Promise<string>;
  /** Lists the readable files, by sub-agent and name. */
  list(): readonly SubAgentFile[];
}

const longestFile = 200_000;
const mostFiles = 32;
/** Names without folders that are valid in every file system. Device names of Windows are excluded. */
const namePattern = /^(?!(?:aux|com\d|con|lpt\d|nul|prn)(?:\.|$))[a-z0-9](?:[a-z0-9._-]{0,62}[a-z0-9_-])?$/i;

/** Files that the sub-agents of one call share. A sub-agent can read its own files and those of its dependencies. */
export class SharedFolder {
  private readonly path: string;
  private readonly subAgents: readonly SubAgent[];
  private readonly now: () => number;
  private readonly files = new Map<string, SubAgentFile>();
  private writing: Promise<void> = Promise.resolve();

  /** @param path folder, created with the first file @param now milliseconds since 1970 */
  constructor(path: string, subAgents: readonly SubAgent[], now: () => number) {
    this.path = path;
    this.subAgents = subAgents;
    this.now = now;
  }

  filesOf(subAgent: string): readonly SubAgentFile[] {
    return [...this.files.values()]
      .filter((file) => file.subAgent === subAgent)
      .toSorted((one, other) => (one.name < other.name ? -1 : 1));
  }

  accessOf(subAgent: string): SharedAccess {
    const readable = [subAgent, ...dependenciesOf(subAgent, this.subAgents)];
    return {
      write: (name, content) => this.write(subAgent, name, content),
      read: (from, name) => this.readAs(subAgent, readable, from, name),
      list: () => readable.flatMap((name) => this.filesOf(name)),
    };
  }

  private async write(subAgent: string, name: string, content: string): Promise<void> {
    if (!namePattern.test(name)) {
      throw new SharedFolderError(
        toModel`"${name}" cannot be the name of a shared file: use up to 64 letters, digits, dots, hyphens and underscores, and no folders.`,
      );
    }
    if (content.length > longestFile) {
      throw new SharedFolderError(
        toModel`A shared file has at most ${longestFile} characters, not ${content.length}. Split it, or leave out what the others do not need.`,
      );
    }
    const written = this.writing.then(() => this.replace(subAgent, name, content));
    this.writing = written.catch(() => {});
    await written;
  }

  /** Replaces a file by renaming, so that readers get either the old text or the new text. */
  private async replace(subAgent: string, name: string, content: string): Promise<void> {
    const key = keyOf(subAgent, name);
    const own = this.filesOf(subAgent);
    if (!this.files.has(key) && own.length >= mostFiles) {
      throw new SharedFolderError(
        toModel`${subAgent} has shared ${mostFiles} files, which is the most there can be.`,
      );
    }
    const file: SubAgentFile = {
      subAgent,
      name: this.files.get(key)?.name ?? name,
      characters: content.length,
    };
    const folder = join(this.path, subAgent);
    await makePrivateFolder(folder);
    await replaceFile(join(folder, file.name), content, { flush: false });
    const line = { at: new Date(this.now()).toISOString(), ...file };
    this.files.set(key, file);
    // The file is shared even if it cannot be added to the list.
    await appendFile(join(this.path, 'changes.jsonl'), `${JSON.stringify(line)}\n`, {
      mode: privateFile,
    }).catch(() => {});
  }

  private async readAs(
    reader: string,
    readable: readonly string[],
    subAgent: string,
    name: string,
  ): Promise<string> {
    if (!readable.includes(subAgent)) {
      const others = readable.slice(1).join(', ');
      const why = others === '' ? 'it depends on no other sub-agent' : `it depends on ${others}`;
      throw new SharedFolderError(toModel`${reader} cannot read files of "${subAgent}": ${why}.`);
    }
    const file = this.files.get(keyOf(subAgent, name));
    if (file !== undefined) return readFile(join(this.path, subAgent, file.name), 'utf8');
    const names = this.filesOf(subAgent).map((known) => known.name);
    const there =
      names.length === 0 ? toModel`It has shared none.` : toModel`There are: ${names.join(', ')}.`;
    throw new SharedFolderError(toModel`${subAgent} has shared no file "${name}". ${there}`);
  }
}

/** Returns the key of a file. Keys ignore case, because some file systems do. */
function keyOf(subAgent: string, name: string): string {
  return `${subAgent}/${name.toLowerCase()}`;
}

/** Creates the sub-agents' tools for sharing files. They access only the folder of the parent's call. */
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
        return toModel`Shared ${subAgent}/${file} (${content.length} characters).`;
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
    run: () => ok(subAgentFileList(shared.list())),
  });
}

/** Lists shared files, one on each line. */
export function subAgentFileList(files: readonly SubAgentFile[]): string {
  if (files.length === 0) return toModel`There are no shared files.`;
  return files
    .map(({ subAgent, name, characters }) => `${subAgent}/${name} (${characters} characters)`)
    .join('\n');
}

async function plainly(work: () => Promise<string>): Promise<ToolResult> {
  try {
    return ok(await work());
  } catch (error) {
    if (error instanceof SharedFolderError) return failed(error.problem);
    throw error;
  }
}
