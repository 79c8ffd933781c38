import type * as vscode from 'vscode';
import type { SessionFiles } from '../../agent/edits/session-edits.ts';
import type { SessionLock } from '../../agent/locks/session-lock.ts';
import type { AgentSession } from '../../agent/session/agent-session.ts';
import type { SessionPorts, ToolAccess } from '../../agent/session/session-ports.ts';
import type { AgentTool } from '../../agent/tools/support/tool.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import type { RulesOfChat } from '../agent-host.ts';
import type { ChatFeed } from '../../presenters/chat/chat-feed.ts';
import type { InspectorModel } from '../../presenters/inspector/inspector-model.ts';
import type { ReadOnlyView } from '../../protocol/chat.ts';
import type { SessionStore } from '../../presenters/storage/session-store.ts';
import type { StateFile } from '../../presenters/storage/state-file.ts';

/** The session that the window shows, with what is shown of it. */
export interface ActiveSession {
  readonly id: string;
  readonly session: AgentSession;
  readonly feed: ChatFeed;
  readonly inspector: InspectorModel;
  readonly rules: RulesOfChat;
  /** Why it can only be looked at; undefined where it can be carried on. */
  readonly readOnly: ReadOnlyView | undefined;
  /** Whose writing it is. */
  readonly lock: SessionLock;
  /** Lets go of the file. What is said after that is refused. */
  close(): Promise<void>;
}

export interface HubPorts extends Omit<SessionPorts, 'log' | 'meter' | 'tools' | 'files' | 'approvals'> {
  readonly toolsOf: (
    access: ToolAccess,
    sessionId: string,
    /** Rejects where another window writes the session now. */
    mayWrite: () => Promise<void>,
  ) => Promise<readonly AgentTool[]>;
  readonly filesOf: (sessionId: string) => Promise<SessionFiles | undefined>;
  /** What was allowed before, with room for what is allowed in this session only. */
  readonly approvalsOf: () => RulesOfChat;
  /** Deletes what is kept beside the file of a session that is deleted. */
  readonly forget: (sessionId: string) => Promise<void>;
  readonly store: SessionStore;
  /** Remembers which session is open, and unsent texts. */
  readonly state: StateFile;
  readonly meterOf: () => UsageMeter;
  readonly log: vscode.LogOutputChannel;
}
