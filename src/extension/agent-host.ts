import { rm } from 'node:fs/promises';
import * as vscode from 'vscode';
import type { ApprovalPolicy } from '../agent/approvals/pending-approvals.ts';
import type { ApprovalRules } from '../agent/approvals/approval-rules.ts';
import type { ShardHost } from '../agent/delegation/shard-host.ts';
import type { Attachments, NextRequestPorts } from '../agent/attachments/attachments.ts';
import type { FileChange } from '../agent/edits/file-editor.ts';
import type { SessionFiles } from '../agent/edits/session-edits.ts';
import type { McpServers } from '../agent/mcp/mcp-servers.ts';
import type { MemoryFile, PersonalMemory } from '../agent/memory/memory-files.ts';
import type { ToolAccess } from '../agent/session-ports.ts';
import type { Skill } from '../agent/skills/skill-files.ts';
import type { AgentTool } from '../agent/tools/tool.ts';
import type { UsageMeter } from '../compaction/tokens/usage.ts';
import { Workspace } from '../agent/tools/workspace.ts';
import type { ToolHost } from './agent-tools.ts';
import { openText } from './edits/open-text.ts';
import type { EditReview } from './edits/edit-review.ts';
import { EditorDiagnostics } from './edits/editor-diagnostics.ts';
import { editScheme } from './ids.ts';
import type { McpSecrets } from './mcp-secrets.ts';
import type { Settings } from './settings/read-settings.ts';

export interface AgentHostPorts {
  readonly settings: () => Settings;
  /** Tokens of the model's window, where known. */
  readonly window: () => number | undefined;
  readonly ripgrepPath: string | undefined;
  /** Absolute path of a file or folder of this name in the workspace's storage. */
  readonly stored: (name: string) => string;
  /** The person's own memory file, for all workspaces. */
  readonly memory: PersonalMemory;
  readonly secrets: McpSecrets;
  readonly log: vscode.LogOutputChannel;
  /** Tells the person of something that keeps the agent from a tool; a sentence. */
  readonly report: (problem: string) => void;
}

/**
 * What agents of this window work with: folders, files, tools, memory, and what they may do unasked. In Restricted
 * Mode they have none of it. The code behind it is loaded when the first message is typed.
 */
export class AgentHost implements vscode.Disposable {
  private readonly ports: AgentHostPorts;
  private readonly problems = new EditorDiagnostics();
  private kept: ReturnType<AgentHost['loadRules']> | undefined;
  private connections: Promise<McpServers> | undefined;
  private edits: Promise<EditReview> | undefined;

  constructor(ports: AgentHostPorts) {
    this.ports = ports;
  }

  /** Paths of the folders that are open and trusted. */
  get folders(): readonly string[] {
    if (!vscode.workspace.isTrusted) return [];
    return (vscode.workspace.workspaceFolders ?? [])
      .filter(({ uri }) => uri.scheme === 'file')
      .map(({ uri }) => uri.fsPath);
  }

  /** Where a session keeps what files were before it changed them. */
  checkpointFolder(sessionId: string): string {
    return this.ports.stored(`checkpoints/${sessionId}`);
  }

  async filesOf(sessionId: string): Promise<SessionFiles> {
    const [{ FolderCheckpoints }, { workspaceEditor }] = await Promise.all([
      import('../agent/edits/folder-checkpoints.ts'),
      import('./edits/workspace-editor.ts'),
    ]);
    return {
      editor: workspaceEditor,
      checkpoints: new FolderCheckpoints(this.checkpointFolder(sessionId)),
    };
  }

  /** Opens what an edit would do or did in the diff editor. */
  async review(change: FileChange, title: string): Promise<void> {
    this.edits ??= this.loadReview();
    await (await this.edits).review(change, title);
  }

  /** What was always allowed in this workspace, with room for what is allowed in one chat. */
  approvals(): RulesOfChat {
    return new RulesOfChat(() => (this.kept ??= this.loadRules()));
  }

  async memory(): Promise<readonly MemoryFile[]> {
    if (!this.ports.settings().memory) return [];
    const { readMemoryFiles } = await import('../agent/memory/memory-files.ts');
    const workspace = new Workspace(this.folders);
    return readMemoryFiles(workspace.isEmpty ? undefined : workspace, this.ports.memory, this.ports.window());
  }

  /** The skills of the folders that are open and trusted. */
  async skills(): Promise<readonly Skill[]> {
    const workspace = new Workspace(this.folders);
    if (!this.ports.settings().memory || workspace.isEmpty) return [];
    const { findSkills } = await import('../agent/skills/skill-files.ts');
    return findSkills(workspace);
  }

  /** Attaches what messages of a session name. */
  async attachments(next: NextRequestPorts, meter: UsageMeter): Promise<Attachments> {
    const { createAttachments } = await import('../agent/attachments/attachments.ts');
    const workspace = new Workspace(this.folders);
    return createAttachments(
      {
        workspace: workspace.isEmpty ? undefined : workspace,
        openText,
        problems: this.problems,
        commands: { environment: () => process.env },
        meter,
      },
      next,
    );
  }

  /** @param shards what sub-agents of the session get, but for their tools */
  async toolsOf(access: ToolAccess, shards: Omit<ShardHost, 'tools'>): Promise<readonly AgentTool[]> {
    const { toolsFor, withDelegate } = await import('./agent-tools.ts');
    const tools = (of: ToolAccess) => toolsFor(of, this.toolHost());
    const all = await tools(access);
    // In Restricted Mode nothing acts, and so there is nothing to be asked about.
    if (!vscode.workspace.isTrusted) return all.filter((tool) => !('propose' in tool));
    return withDelegate(all, access, { ...shards, tools });
  }

  /** Forgets what was kept for a session that is deleted. */
  async forget(sessionId: string): Promise<void> {
    await rm(this.checkpointFolder(sessionId), { recursive: true, force: true });
  }

  private toolHost(): ToolHost {
    const { ports, problems } = this;
    return {
      workspace: new Workspace(this.folders),
      ripgrepPath: ports.ripgrepPath,
      problems,
      commands: { environment: () => process.env },
      memory: ports.memory,
      skills: () => this.skills(),
      compactsByItself: ports.settings().mode === 'auto',
      servers: vscode.workspace.isTrusted ? ports.settings().mcpServers : [],
      connections: () => (this.connections ??= this.connect()),
      now: () => Date.now(),
    };
  }

  /** Asks for a text that settings of MCP servers name. */
  askForSecret(): Promise<void> {
    return this.ports.secrets.ask();
  }

  /** Opens the person's own memory file, which is made where there is none. */
  async openMemory(): Promise<void> {
    const uri = vscode.Uri.file(this.ports.memory.path);
    const isThere = await vscode.workspace.fs.stat(uri).then(
      () => true,
      () => false,
    );
    if (!isThere) await vscode.workspace.fs.writeFile(uri, new Uint8Array());
    await vscode.window.showTextDocument(uri);
  }

  dispose(): void {
    this.problems.dispose();
    void this.edits?.then((review) => review.dispose());
    void this.connections?.then((servers) => servers.dispose());
  }

  private async connect(): Promise<McpServers> {
    const { McpServers } = await import('../agent/mcp/mcp-servers.ts');
    const { secrets, log, report } = this.ports;
    return new McpServers({
      sources: () => ({
        folder: this.folders[0],
        environment: process.env,
        secret: (name) => secrets.get(name),
      }),
      report,
      log: (text) => log.info(text),
    });
  }

  private async loadReview(): Promise<EditReview> {
    const [{ EditReview }, { workspaceEditor }] = await Promise.all([
      import('./edits/edit-review.ts'),
      import('./edits/workspace-editor.ts'),
    ]);
    return new EditReview(editScheme, workspaceEditor);
  }

  private async loadRules() {
    const [{ ApprovalRules }, { KeptRules }, { ApprovalStore }] = await Promise.all([
      import('../agent/approvals/approval-rules.ts'),
      import('../agent/approvals/kept-rules.ts'),
      import('./approvals/approval-store.ts'),
    ]);
    const store = new ApprovalStore(this.ports.stored('approvals.json'), this.ports.report);
    const kept = await KeptRules.load(store);
    return () => new ApprovalRules(kept, () => vscode.workspace.isTrusted);
  }
}

/** The rules of one chat, loaded when there is the first question. */
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
