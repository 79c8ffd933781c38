import { appendFile, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import * as vscode from 'vscode';
import type { ApprovalPolicy } from '../../agent/approvals/approval-request.ts';
import type { ApprovalRules } from '../../agent/approvals/approval-rules.ts';
import type { SubAgentHost } from '../../agent/delegation/sub-agent-session.ts';
import type { Attachments, NextRequestPorts } from '../../agent/attachments/attachments.ts';
import type { PictureStore } from '../../agent/attachments/picture-store.ts';
import type { PictureTaker } from '../../agent/attachments/read-picture.ts';
import type { FileChange } from '../../agent/edits/file-editor.ts';
import type { SandboxPort } from '../../agent/command/sandbox.ts';
import type { CheckpointedFiles } from '../../agent/edits/session-edits.ts';
import type { McpConsents } from '../../agent/mcp/consents.ts';
import type { McpServers } from '../../agent/mcp/mcp-servers.ts';
import type { MemoryFile, PersonalMemory } from '../../agent/memory/memory-files.ts';
import type { ToolAccess } from '../../agent/session/session-ports.ts';
import type { Skill } from '../../agent/memory/skill-files.ts';
import type { AgentTool } from '../../agent/tools/support/tool.ts';
import type { ReadPresentFile } from '../../compaction/files/restored-files.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import { makePrivateFolder, privateFile } from '../../agent/files/private-files.ts';
import { Workspace } from '../../agent/files/workspace.ts';
import type { ToolHost } from './agent-tools.ts';
import { openText } from '../edits/text-documents.ts';
import { EditorDiagnostics } from '../edits/editor-diagnostics.ts';
import { editScheme } from '../editor/ids.ts';
import type { McpReview } from './mcp-review.ts';
import type { Settings } from '../../presenters/settings/read-settings.ts';
import type { Sentence } from '../../language/sentence.ts';
import { LoadedOnce } from '../editor/loaded-once.ts';

export interface AgentHostPorts {
  readonly settings: () => Settings;
  /** Tokens of the model's window, if known. */
  readonly window: () => number | undefined;
  readonly model: () => PictureTaker;
  readonly ripgrepPath: string | undefined;
  /** Returns the absolute path of a file or folder in the workspace's storage. */
  readonly stored: (name: string) => string;
  /** The user's own memory file, shared by all workspaces. */
  readonly memory: PersonalMemory;
  readonly secrets: vscode.SecretStorage;
  /** State shared by all workspaces, stored where no folder can write. */
  readonly kept: vscode.Memento;
  readonly log: vscode.LogOutputChannel;
  /** Reports a problem that makes a tool unavailable to the agent. */
  readonly report: (problem: Sentence) => void;
}

/**
 * Folders, files, tools, memory and approvals for the agents of this window; none in Restricted Mode. Loaded when used.
 */
export class AgentHost implements vscode.Disposable {
  private readonly ports: AgentHostPorts;
  private readonly problems = new EditorDiagnostics();
  private readonly rules = new LoadedOnce(() => this.loadRules());
  private readonly connections = new LoadedOnce(() => this.connect());
  private readonly consents = new LoadedOnce(() => this.loadConsents());
  private readonly serverReview = new LoadedOnce(() => this.loadServerReview());
  private readonly edits = new LoadedOnce(async () => {
    const { EditReview, workspaceEditor } = await import('../edits/workspace-editor.ts');
    return new EditReview(editScheme, workspaceEditor);
  });
  private readonly sandbox = new LoadedOnce(async () => {
    const { findSandbox } = await import('../../agent/command/find-sandbox.ts');
    const found = await findSandbox();
    if (typeof found !== 'string') return found;
    this.ports.log.warn(`Commands run outside a sandbox. ${found}`);
    return 'missing';
  });

  constructor(ports: AgentHostPorts) {
    this.ports = ports;
  }

  /** Paths of the open and trusted folders. */
  get folders(): readonly string[] {
    if (!vscode.workspace.isTrusted) return [];
    return (vscode.workspace.workspaceFolders ?? [])
      .filter(({ uri }) => uri.scheme === 'file')
      .map(({ uri }) => uri.fsPath);
  }

  /** Folder in which a session keeps copies of files before it changes them. */
  checkpointFolder(sessionId: string): string {
    return this.ports.stored(`checkpoints/${sessionId}`);
  }

  async filesOf(sessionId: string): Promise<CheckpointedFiles> {
    const [{ FolderCheckpoints }, { workspaceEditor }] = await Promise.all([
      import('../../agent/edits/folder-checkpoints.ts'),
      import('../edits/workspace-editor.ts'),
    ]);
    return {
      editor: workspaceEditor,
      checkpoints: new FolderCheckpoints(this.checkpointFolder(sessionId)),
    };
  }

  /** Opens a proposed or completed edit in the diff editor. */
  async review(change: FileChange, title: string): Promise<void> {
    await (await this.edits.get()).review(change, title);
  }

  /** The permanent rules of this workspace, to which a chat can add its own rules. */
  approvals(): RulesOfChat {
    return new RulesOfChat(() => this.rules.get());
  }

  async memory(): Promise<readonly MemoryFile[]> {
    if (!this.ports.settings().memory) return [];
    const { readMemoryFiles } = await import('../../agent/memory/memory-files.ts');
    const workspace = new Workspace(this.folders);
    return readMemoryFiles(workspace.isEmpty ? undefined : workspace, this.ports.memory, this.ports.window());
  }

  /** The skills of the open and trusted folders. */
  async skills(): Promise<readonly Skill[]> {
    const workspace = new Workspace(this.folders);
    if (!this.ports.settings().memory || workspace.isEmpty) return [];
    const { findSkills } = await import('../../agent/memory/skill-files.ts');
    return findSkills(workspace);
  }

  /** Reads a file to restore after a summary; undefined if no folder is open and trusted. */
  async readFile(...named: Parameters<ReadPresentFile>): ReturnType<ReadPresentFile> {
    const { presentFileReader } = await import('../../agent/attachments/present-file.ts');
    return presentFileReader(new Workspace(this.folders))(...named);
  }

  async pictures(): Promise<PictureStore> {
    const { PictureStore } = await import('../../agent/attachments/picture-store.ts');
    return new PictureStore(this.ports.stored('pictures'));
  }

  /** Returns the attachments for references in messages of a session. */
  async attachments(next: NextRequestPorts, meter: UsageMeter): Promise<Attachments> {
    const [{ createAttachments }, pictures] = await Promise.all([
      import('../../agent/attachments/attachments.ts'),
      this.pictures(),
    ]);
    const workspace = new Workspace(this.folders);
    return createAttachments(
      {
        workspace: workspace.isEmpty ? undefined : workspace,
        openText,
        problems: this.problems,
        commands: { environment: () => process.env },
        meter,
        pictures: { read: (name) => pictures.read(name), model: this.ports.model },
      },
      next,
    );
  }

  /** @param subAgents services for the session's sub-agents, except their tools */
  async toolsOf(access: ToolAccess, subAgents: Omit<SubAgentHost, 'tools'>): Promise<readonly AgentTool[]> {
    const [{ toolsFor, withDelegate }, { guardedBy }] = await Promise.all([
      import('./agent-tools.ts'),
      import('../../agent/custom-strategy/find-strategy.ts'),
    ]);
    const tools = (of: ToolAccess) =>
      toolsFor(of, this.toolHost(guardedBy(this.ports.settings().customStrategy)));
    const all = await tools(access);
    // In Restricted Mode, tools that need approval are left out.
    if (!vscode.workspace.isTrusted) return all.filter((tool) => !('propose' in tool));
    return withDelegate(all, access, { ...subAgents, tools });
  }

  /** Deletes the original files that were kept for a deleted session. */
  async forget(sessionId: string): Promise<void> {
    await rm(this.checkpointFolder(sessionId), { recursive: true, force: true });
  }

  /** @param guarded paths in the workspace that the extension loads as code */
  private toolHost(guarded: readonly string[]): ToolHost {
    const { ports, problems } = this;
    return {
      workspace: new Workspace(this.folders, guarded),
      ripgrepPath: ports.ripgrepPath,
      problems,
      commands: {
        environment: () => process.env,
        addedVariables: () => ports.settings().commandEnvironment,
        sandbox: () => this.sandboxed(),
      },
      memory: ports.memory,
      skills: () => this.skills(),
      compactsByItself: ports.settings().mode === 'auto',
      servers: vscode.workspace.isTrusted ? ports.settings().mcpServers : [],
      connections: () => this.connections.get(),
      now: () => Date.now(),
    };
  }

  async askForSecret(): Promise<void> {
    const { McpSecrets } = await import('./mcp-review.ts');
    const gone = await new McpSecrets(this.ports.secrets).ask();
    if (gone !== undefined) await (await this.consents.get()).forgetSecret(gone);
  }

  async reviewServers(): Promise<void> {
    await (await this.serverReview.get()).choose();
  }

  /** Opens the user's own memory file. Creates the file if it is missing. */
  async openMemory(): Promise<void> {
    const { path } = this.ports.memory;
    await makePrivateFolder(dirname(path));
    await appendFile(path, '', { mode: privateFile });
    await vscode.window.showTextDocument(vscode.Uri.file(path));
  }

  dispose(): void {
    this.problems.dispose();
    void this.edits.started?.then((review) => review.dispose());
    void this.connections.started?.then((servers) => servers.dispose());
    void this.sandbox.started?.then((sandbox) => sandbox !== 'missing' && sandbox.dispose());
  }

  /** The sandbox for commands of this window. Searches for a sandbox only once. */
  private async sandboxed(): ReturnType<SandboxPort> {
    return this.ports.settings().commandSandbox === 'off' ? 'off' : this.sandbox.get();
  }

  private async loadConsents(): Promise<McpConsents> {
    const [{ McpConsents }, { StoredConsents }] = await Promise.all([
      import('../../agent/mcp/consents.ts'),
      import('./mcp-review.ts'),
    ]);
    return new McpConsents(new StoredConsents(this.ports.kept));
  }

  private async loadServerReview(): Promise<McpReview> {
    const [{ McpReview }, consents] = await Promise.all([import('./mcp-review.ts'), this.consents.get()]);
    const { log, settings } = this.ports;
    return new McpReview({
      consents,
      log,
      servers: () => (vscode.workspace.isTrusted ? settings().mcpServers : []),
      folder: () => this.folders[0],
    });
  }

  private async connect(): Promise<McpServers> {
    const [{ McpServers }, { McpSecrets }, consents] = await Promise.all([
      import('../../agent/mcp/mcp-servers.ts'),
      import('./mcp-review.ts'),
      this.consents.get(),
    ]);
    const { log, report } = this.ports;
    const secrets = new McpSecrets(this.ports.secrets);
    return new McpServers({
      consents,
      unasked: (servers) => void this.serverReview.get().then((review) => review.tell(servers)),
      sources: () => ({
        folder: this.folders[0],
        environment: process.env,
        secret: (name) => secrets.get(name),
        secrets: () => secrets.all(),
      }),
      report,
      log: (text) => log.info(text),
    });
  }

  private async loadRules() {
    const [{ ApprovalRules, bringUpToDate, StoredRules }, { ApprovalStore }] = await Promise.all([
      import('../../agent/approvals/approval-rules.ts'),
      import('../../presenters/storage/approval-store.ts'),
    ]);
    const store = new ApprovalStore(this.ports.stored('approvals.json'), this.ports.report);
    const kept = await StoredRules.load(store);
    await bringUpToDate(kept, (sentence) => this.ports.log.info(sentence));
    return () => new ApprovalRules(kept, () => vscode.workspace.isTrusted);
  }
}

/** The approval rules of one chat. Loaded when the first approval is needed. */
export class RulesOfChat implements ApprovalPolicy {
  private readonly load: () => Promise<() => ApprovalRules>;
  private loaded: Promise<ApprovalRules> | undefined;

  constructor(load: () => Promise<() => ApprovalRules>) {
    this.load = load;
  }

  get rules(): Promise<ApprovalRules> {
    this.loaded ??= this.load().then((create) => create());
    return this.loaded;
  }

  async isAllowed(request: Parameters<ApprovalPolicy['isAllowed']>[0]): Promise<boolean> {
    return (await this.rules).isAllowed(request);
  }

  async allow(...rule: Parameters<ApprovalPolicy['allow']>): Promise<void> {
    await (await this.rules).allow(...rule);
  }
}
