import type { Kind } from '../compaction/messages/message.ts';
import { flag, fromHost, id, ifValid, line, matching, share } from './field-guards.ts';
import { messages } from './messages.ts';

/** Messages of the tab Window. All sizes are in tokens. */

/** The range in which the trigger can be set, as shares of the window between 0 and 1. */
export interface TriggerRange {
  /** The configured share. The trigger is lower if the reply needs the room, or if another limit is reached earlier. */
  readonly ratio: number;
  /** Lower limit: the target or the setting's minimum. */
  readonly least: number;
  /** Upper limit: the room for the reply or the setting's maximum. */
  readonly most: number;
  readonly leastReason: 'target' | 'setting';
  readonly mostReason: 'reserve' | 'tokens' | 'setting';
}

export interface LargeMessage {
  readonly id: string;
  readonly kind: Kind;
  readonly title: string;
  readonly tokens: number;
}

/** Messages to hide, the newest first, and the tokens that this frees. */
interface Hideable {
  readonly messageIds: readonly string[];
  readonly frees: number;
}

/** A group of messages of one kind: results for a file, calls of a tool, or a single message. */
export interface WindowPart extends Hideable {
  readonly kind: Kind;
  /** File, tool or message on one line; empty for the gathered small ones of a kind. */
  readonly name: string;
  readonly tokens: number;
  /** Number of messages. */
  readonly messages: number;
  /** Tokens of the messages of `messageIds`. */
  readonly sizes: readonly number[];
  /** Results that a later one replaces; absent if there are none. */
  readonly stale?: Hideable | undefined;
  /** True if the newest message is pinned. */
  readonly isPinned?: boolean | undefined;
}

interface ToolTotal {
  readonly tool: string;
  readonly calls: number;
  readonly callTokens: number;
  readonly resultTokens: number;
  /** Id of the newest message in context that uses the tool. */
  readonly messageId?: string | undefined;
}

interface FileTotal {
  readonly path: string;
  readonly calls: number;
  readonly tokens: number;
  /** Id of the newest message in context that uses the file. */
  readonly messageId?: string | undefined;
}

/** The definition of a tool. */
export interface SchemaView {
  readonly name: string;
  readonly tokens: number;
  readonly uses: number;
  readonly isOn: boolean;
  /** True if the tool cannot be switched off, because compacted conversations refer to it. */
  readonly isFixed: boolean;
}

/** The tools of an MCP server, or our own. */
export interface SchemaGroup {
  /** Server name; absent for our own tools. */
  readonly server?: string | undefined;
  readonly isOn: boolean;
  /** True if the tools are found on demand and left out of requests. */
  readonly isOnDemand: boolean;
  /** Tokens of all switched-on tools of the group. */
  readonly tokens: number;
  readonly tools: readonly SchemaView[];
}

export interface SchemasView {
  /** Our own tools first, then servers by name. */
  readonly groups: readonly SchemaGroup[];
  /** Tokens that the tools take in every request. */
  readonly tokens: number;
  /** Tokens that every request saves because tools are found on demand. */
  readonly saved?: number | undefined;
  /** Tokens that must be written to the prompt cache again if the tools change; 0 before the first message. */
  readonly rewritten: number;
}

export const floorNames = [
  'notInFile',
  'tools',
  'system',
  'pins',
  'memory',
  'newestRequest',
  'firstRequest',
] as const;
type FloorName = (typeof floorNames)[number];

/** Tokens that no strategy can remove. */
interface FloorView {
  readonly total: number;
  readonly byReason: Readonly<Record<FloorName, number>>;
}

/** The size of one request by our count and by the provider's report. */
export interface ComparedCount {
  readonly counted: number;
  readonly reported: number;
}

/** The cost of the session, in dollars. */
export interface MoneyView {
  readonly total: number;
  readonly uncachedInput: number;
  readonly cachedInput: number;
  readonly output: number;
  /** Number of requests with unknown cost. */
  readonly unknown: number;
  /** True if a fee for writing to the cache may be added. */
  readonly mayBeMore: boolean;
}

export interface HealthView {
  readonly id: string;
  readonly state: 'good' | 'warning' | 'bad' | 'unknown';
  /** The finding as translated sentences. */
  readonly finding: string;
  readonly advice?: string | undefined;
  /** Id of the setting that changes the finding. */
  readonly setting?: string | undefined;
  /** A few messages that the finding concerns, the most relevant first. */
  readonly messageIds: readonly string[];
  readonly recordIds: readonly string[];
}

/** A limit that the provider reported. */
export interface LimitView {
  /** Everything in a time window, or one kind of thing. */
  readonly name: 'window' | 'requests' | 'tokens' | 'inputTokens' | 'outputTokens';
  /** Length of the window; only for `window`. */
  readonly minutes?: number | undefined;
  /** Used share, from 0. */
  readonly used: number;
  /** Time in ISO 8601 at which the limit starts over; absent if that is within a minute, or unknown. */
  readonly resetsAt?: string | undefined;
}

export interface BudgetView {
  /** The parts of the window except tool definitions, by kind; within a kind, the largest first. */
  readonly parts: readonly WindowPart[];
  /** The largest messages in context, largest first. */
  readonly largest: readonly LargeMessage[];
  readonly schemas: SchemasView;
  /** The largest messages that the user hid and has not shown again, largest first. */
  readonly hidden?: readonly LargeMessage[] | undefined;
  readonly tools: readonly ToolTotal[];
  readonly files: readonly FileTotal[];
  readonly floor: FloorView;
  readonly compared?: ComparedCount | undefined;
  /** Share of the reported input that came from the provider's cache, from 0 to 1. */
  readonly cachedShare?: number | undefined;
  /** Cost of the session; undefined if no price is known. */
  readonly money?: MoneyView | undefined;
  readonly health: readonly HealthView[];
  /** The limits in the newest response that names any; empty if none does. */
  readonly limits?: readonly LimitView[] | undefined;
}

const settingId = /^contextBudget\.[\w.-]{1,100}$/;

export const budgetNotifications = messages({
  budget: { sessionId: fromHost<string>(), view: fromHost<BudgetView>() },
  /** Reports that the trigger was not moved, because the settings have changed since the page received its range. */
  'trigger-refused': {},
});

export const budgetRequests = messages({
  budget: {},
  /** Sets the trigger to a share of the window, in the settings. */
  'set-trigger': { ratio: share },
  /** Switches one tool, or all tools of one MCP server, on or off for the chat. */
  'switch-tool': { tool: ifValid(line), server: ifValid(line), isOn: flag },
  'open-setting': { id: matching(settingId) },
  'show-in-chat': { messageId: id },
});
