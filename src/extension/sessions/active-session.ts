import type * as vscode from 'vscode';
import type { CheckpointedFiles } from '../../agent/edits/session-edits.ts';
import type { SessionLock } from '../../agent/locks/session-lock.ts';
import type { AgentSession } from '../../agent/session/agent-session.ts';
import type { AgentEvent, SessionPorts, ToolAccess } from '../../agent/session/session-ports.ts';
import type { AgentTool } from '../../agent/tools/support/tool.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import type { RulesOfChat } from '../agent/agent-host.ts';
import type { ReadOnlyView } from '../../protocol/chat.ts';
import type { ChatFeed } from '../../presenters/chat/chat-feed.ts';
import type { InspectorModel } from '../../presenters/inspector/inspector-model.ts';
import type { EngineClient } from '../../presenters/engine/engine-client.ts';
import type { SessionStore } from '../../presenters/storage/session-store.ts';
import type { StateFile } from '../../presenters/storage/state-file.ts';

/** The chat's and the inspector's views of a session, made on opening. They receive all its events. */
export interface SessionView {
  readonly feed: ChatFeed;
  readonly inspector: InspectorModel;
  handle(event: AgentEvent): void;
  /** Computes everything that is shown. Rejects if that fails, so that the session is not switched to. */
  prove(): Promise<void>;
  refresh(): void;
}

/** A session that is open in this window. */
export interface ActiveSession {
  readonly id: string;
  readonly session: AgentSession;
  readonly view: SessionView;
  readonly rules: RulesOfChat;
  /** Reason that it is read-only; undefined if it can be continued. */
  readonly readOnly: ReadOnlyView | undefined;
  /** Lock of the session, held by the window that writes it. */
  readonly lock: SessionLock;
  /** Closes the file. Later messages are refused. */
  close(): Promise<void>;
}

/** Services of the window that sessions need. */
export interface HubPorts extends Omit<SessionPorts, 'log' | 'meter' | 'tools' | 'files' | 'approvals'> {
  readonly toolsOf: (
    access: ToolAccess,
    sessionId: string,
    /** Rejects if another window writes the session now. */
    mayWrite: () => Promise<void>,
  ) => Promise<readonly AgentTool[]>;
  readonly filesOf: (sessionId: string) => Promise<CheckpointedFiles | undefined>;
  /** Permanent rules, with room for those of one session. */
  readonly approvalsOf: () => RulesOfChat;
  /** Deletes the data kept next to a deleted session's file. */
  readonly forget: (sessionId: string) => Promise<void>;
  /** False if VS Code's window is gone but this extension host still runs, for example after a browser tab crashed. */
  readonly isAttended: () => Promise<boolean>;
  readonly store: SessionStore;
  /** Remembers the open session and unsent text. */
  readonly state: StateFile;
  readonly meterOf: () => UsageMeter;
  /** The engine; without it, all work runs on this thread. */
  readonly engine?: EngineClient;
  readonly log: vscode.LogOutputChannel;
}
