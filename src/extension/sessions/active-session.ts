import type * as vscode from 'vscode';
import type { CheckpointedFiles } from '../../agent/edits/session-edits.ts';
import type { SessionLock } from '../../agent/locks/session-lock.ts';
import type { AgentSession } from '../../agent/session/agent-session.ts';
import type { AgentEvent, SessionPorts, ToolAccess } from '../../agent/session/session-ports.ts';
import type { AgentTool } from '../../agent/tools/support/tool.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import type { RulesOfChat } from '../agent/agent-host.ts';
import type { AgentTelemetry } from '../agent/agent-telemetry.ts';
import type { ReadOnlyView } from '../../protocol/chat.ts';
import type { ChatFeed } from '../../presenters/chat/chat-feed.ts';
import type { InspectorModel } from '../../presenters/inspector/inspector-model.ts';
import type { UndoableSession } from '../../presenters/inspector/inspector-target.ts';
import type { EngineClient } from '../../presenters/engine/engine-client.ts';
import type { SessionStore } from '../../presenters/storage/session-store.ts';
import type { StateFile } from '../../presenters/storage/state-file.ts';

/** The chat's and the inspector's views of a session. Created when it is opened. They receive all of its events. */
export interface SessionView {
  readonly feed: ChatFeed;
  readonly inspector: InspectorModel;
  handle(event: AgentEvent): void;
  /** Computes everything that the page shows. Rejects if this fails; the previous session then stays open. */
  prove(): Promise<void>;
  refresh(): void;
}

/** A session that is open in this window. */
export interface ActiveSession {
  readonly id: string;
  readonly session: AgentSession;
  readonly view: SessionView;
  readonly rules: RulesOfChat;
  /** Reason why the session is read-only; undefined if it can be continued. */
  readonly readOnly: ReadOnlyView | undefined;
  /** Lock of the session. The window that writes the session holds it. */
  readonly lock: SessionLock;
  /** Closes the file. Messages sent later are refused. */
  close(): Promise<void>;
}

/** Services of the window that sessions need. */
export interface HubPorts extends Omit<SessionPorts, 'log' | 'meter' | 'tools' | 'files' | 'approvals'> {
  readonly toolsOf: (
    access: ToolAccess,
    sessionId: string,
    /** Rejects if another window is writing the session. */
    mayWrite: () => Promise<void>,
  ) => Promise<readonly AgentTool[]>;
  readonly filesOf: (sessionId: string) => Promise<CheckpointedFiles | undefined>;
  /** Returns the permanent rules, to which a session can add its own rules. */
  readonly approvalsOf: () => RulesOfChat;
  /** Deletes the data of a deleted session that is stored outside of its file. */
  readonly forget: (sessionId: string) => Promise<void>;
  /** Finds a session that VS Code's own chat continues in this window. */
  readonly continued?: (id: string) => Promise<UndoableSession | undefined>;
  /** False if VS Code's window has gone but its extension host still runs, for example after a browser tab crashed. */
  readonly hasWindow: () => Promise<boolean>;
  readonly store: SessionStore;
  /** Remembers the open session and unsent text. */
  readonly state: StateFile;
  readonly meterOf: () => UsageMeter;
  /** The engine. If absent, all work runs on this thread. */
  readonly engine?: EngineClient;
  /** Loaded with the first chat. */
  readonly telemetry?: () => Promise<AgentTelemetry>;
  readonly log: vscode.LogOutputChannel;
}
