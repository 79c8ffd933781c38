import { diskEditor } from '../edits/disk-editor.ts';
import type { FileEditor } from '../edits/file-editor.ts';
import { Workspace } from '../files/workspace.ts';
import type { PersonalMemory } from '../memory/memory-files.ts';
import { createApplyPatch } from './apply-patch.ts';
import { createCompact, type RequestCompaction } from './compact-tool.ts';
import { createDiagnostics, type ProblemFinder } from './diagnostics.ts';
import { createEditFile } from './edit-file.ts';
import { createFindFiles } from './find-files.ts';
import { createGitDiff } from './git-diff.ts';
import { createListDirectory } from './list-directory.ts';
import { createLoadSkill, type SkillAccess } from './load-skill.ts';
import { createReadFile } from './read-file.ts';
import { createRecall, type Recall } from './recall.ts';
import { createRemember } from './remember.ts';
import { type RunCommandPorts, createRunCommand } from './run-command-tool.ts';
import { createSearchHistory, type SearchHistory } from './search-history.ts';
import { createSearchText } from './search-text.ts';
import { type AgentTool, argumentWords, labelOf, parseToolInput } from './support/tool.ts';
import { createUpdatePlan, type SetPlan } from './update-plan.ts';
import { createWriteFile } from './write-file.ts';
import { calledFunction } from '../../compaction/ledger/called-function.ts';
import { phraseText } from '../../compaction/records/reason.ts';
import type { Phrase } from '../../compaction/records/record.ts';
import type { Wording } from '../../language/translated/wording.ts';

export interface ToolSources {
  /** Undefined without an open, trusted folder. */
  readonly workspace?: Workspace | undefined;
  /** Absolute path of ripgrep's executable. If undefined, there are no tools for searching. */
  readonly ripgrepPath?: string | undefined;
  /** The editor for changes. If undefined, files can only be read. */
  readonly editor?: FileEditor | undefined;
  readonly problems?: ProblemFinder | undefined;
  /** The environment and the sandbox of commands. If undefined, no command can run. */
  readonly commands?: RunCommandPorts | undefined;
  readonly recall: Recall;
  readonly resultLimit?: (() => number) | undefined;
  readonly searchHistory?: SearchHistory | undefined;
  /** Undefined if compaction does not start automatically. */
  readonly requestCompaction?: RequestCompaction | undefined;
  readonly setPlan?: SetPlan | undefined;
  readonly skills?: SkillAccess | undefined;
  /** The user's own memory, and the time in milliseconds since 1970. */
  readonly memory?: { readonly file: PersonalMemory; readonly now: () => number } | undefined;
}

/** Creates the tools of the agent in a fixed order, so that requests begin alike. Acting tools ask first. */
export function createTools(sources: ToolSources): readonly AgentTool[] {
  const { workspace, recall, resultLimit, searchHistory, requestCompaction, setPlan, memory, skills } =
    sources;
  return [
    ...(workspace === undefined || workspace.isEmpty ? [] : workspaceTools(workspace, sources)),
    createRecall(recall, resultLimit),
    ...(searchHistory === undefined ? [] : [createSearchHistory(searchHistory)]),
    ...(setPlan === undefined ? [] : [createUpdatePlan(setPlan)]),
    ...(skills === undefined ? [] : [createLoadSkill(skills)]),
    ...(memory === undefined ? [] : [createRemember(memory.file, memory.now)]),
    ...(requestCompaction === undefined ? [] : [createCompact(requestCompaction)]),
  ];
}

function workspaceTools(
  workspace: Workspace,
  { ripgrepPath, editor, problems, commands }: ToolSources,
): readonly AgentTool[] {
  return [
    createReadFile(workspace),
    createListDirectory(workspace),
    ...(ripgrepPath === undefined
      ? []
      : [createFindFiles(workspace, ripgrepPath), createSearchText(workspace, ripgrepPath)]),
    ...(editor === undefined
      ? []
      : [
          createEditFile(workspace, editor),
          createWriteFile(workspace, editor),
          createApplyPatch(workspace, editor),
        ]),
    ...(problems === undefined ? [] : [createDiagnostics(workspace, problems)]),
    ...(commands === undefined
      ? []
      : [createGitDiff(workspace, commands), createRunCommand(workspace, commands)]),
  ];
}

/** All tools, to describe calls. Descriptions read no files, so the folder does not matter. */
export const allTools = createTools({
  workspace: new Workspace(['/']),
  ripgrepPath: '',
  editor: diskEditor,
  problems: { find: () => Promise.resolve([]) },
  commands: { environment: () => ({}) },
  recall: () => undefined,
  searchHistory: () => Promise.resolve({ absent: 0, passages: [] }),
  requestCompaction: () => {},
  setPlan: () => ({ finishedSteps: 0 }),
  skills: { text: () => Promise.resolve(undefined), say: () => true },
  memory: { file: { path: '/', shown: '' }, now: () => 0 },
});

/** Describes a call to the user, for example `src/lock.ts 40–120`. @param input the model's arguments */
export function phraseOfCall(tool: string, input: string): Phrase {
  const meant = calledFunction({ name: tool, arguments: input });
  const found = allTools.find(({ name }) => name === meant.name);
  return (found?.describe ?? argumentWords)(parseToolInput(meant.arguments) ?? {});
}

export type DescribeCall = typeof describeCall;

/** Describes a call on one line, in the reader's language. */
export function describeCall(tool: string, input: string, wording: Wording): string {
  return labelOf(phraseText(phraseOfCall(tool, input), wording));
}
