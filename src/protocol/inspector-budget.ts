import type { Kind } from '../compaction/messages/message.ts';
import { flag, fromHost, id, ifValid, line, matching, share } from './field-guards.ts';
import { messages } from './messages.ts';

/** Messages of the Budget tab. All sizes in tokens. */

/** The range of the trigger, as shares of the window between 0 and 1. */
export interface TriggerRange {
  /** The configured share. The trigger is lower if a reply needs the room, or another limit is reached earlier. */
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

export interface ToolTotal {
  readonly tool: string;
  readonly calls: number;
  readonly callTokens: number;
  readonly resultTokens: number;
  /** Id of the message with its newest use in context. */
  readonly messageId?: string | undefined;
}

export interface FileTotal {
  readonly path: string;
  readonly calls: number;
  readonly tokens: number;
  /** Id of the message with its newest use in context. */
  readonly messageId?: string | undefined;
}

/** The definition of a tool. */
export interface SchemaView {
  readonly name: string;
  readonly tokens: number;
  readonly uses: number;
  readonly isOn: boolean;
  /** True if it cannot be switched off, because compacted conversations refer to it. */
  readonly isFixed: boolean;
}

/** The tools of an MCP server, or our own. */
export interface SchemaGroup {
  /** Server name; absent for our own tools. */
  readonly server?: string | undefined;
  readonly isOn: boolean;
  /** True if they are found on demand and left out of requests. */
  readonly isOnDemand: boolean;
  /** Tokens of all tools that are switched on. */
  readonly tokens: number;
  readonly tools: readonly SchemaView[];
}

export interface SchemasView {
  /** Our own tools first, then servers by name. */
  readonly groups: readonly SchemaGroup[];
  /** Tokens in every request. */
  readonly tokens: number;
  /** Tokens that finding tools on demand keeps out of every request. */
  readonly saved?: number | undefined;
  /** Tokens to write to the prompt cache again if the tools change; 0 before the first message. */
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

/** A request with both our count and the provider's report. */
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
  /** Requests whose cost is unknown. */
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
  /** Id of the setting that changes it. */
  readonly setting?: string | undefined;
  /** A few messages that it concerns, the most relevant first. */
  readonly messageIds: readonly string[];
  readonly recordIds: readonly string[];
}

export interface BudgetView {
  /** Largest messages first, limited to the relevant ones. */
  readonly largest: readonly LargeMessage[];
  readonly schemas: SchemasView;
  /** Messages that the user hid and did not show again, largest first, limited to the relevant ones. */
  readonly hidden?: readonly LargeMessage[] | undefined;
  readonly tools: readonly ToolTotal[];
  readonly files: readonly FileTotal[];
  readonly floor: FloorView;
  readonly compared?: ComparedCount | undefined;
  /** The share of the reported input that came from the provider's cache, 0 to 1. */
  readonly cachedShare?: number | undefined;
  /** Undefined if no price is known. */
  readonly money?: MoneyView | undefined;
  readonly health: readonly HealthView[];
}

const settingId = /^contextBudget\.[\w.-]{1,100}$/;

export const budgetNotifications = messages({
  budget: { sessionId: fromHost<string>(), view: fromHost<BudgetView>() },
  /** Reports that the trigger was not moved, because the settings have changed since the page got its range. */
  'trigger-refused': {},
});

export const budgetRequests = messages({
  budget: {},
  /** Moves the trigger to a share of the window, in the settings. */
  'set-trigger': { ratio: share },
  /** Switches one tool, or all tools of one MCP server, on or off for the chat. */
  'switch-tool': { tool: ifValid(line), server: ifValid(line), isOn: flag },
  'open-setting': { id: matching(settingId) },
  'show-in-chat': { messageId: id },
});
