import type { Kind } from '../compaction/messages/message.ts';
import { flag, fromHost, id, ifValid, line, matching, share } from './field-guards.ts';
import { messages } from './messages.ts';

/** Messages of the Budget tab. All sizes in tokens. */

/** The range of the trigger, as shares of the window between 0 and 1. */
export interface TriggerRange {
  /** As it is set. The trigger lies lower if a reply needs the room, or another measure sets it off earlier. */
  readonly ratio: number;
  /** The target and what the setting allows. */
  readonly least: number;
  /** The room for the reply and what the setting allows. */
  readonly most: number;
  /** The reasons for both limits. */
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
  /** Of its newest use in context. */
  readonly messageId?: string | undefined;
}

export interface FileTotal {
  readonly path: string;
  readonly calls: number;
  readonly tokens: number;
  /** Of its newest use in context. */
  readonly messageId?: string | undefined;
}

/** The definition of a tool. */
export interface SchemaView {
  readonly name: string;
  readonly tokens: number;
  /** Calls in this chat. */
  readonly uses: number;
  readonly isOn: boolean;
  /** It cannot be switched off, because compacted conversations refer to it. */
  readonly isFixed: boolean;
}

/** The tools of an MCP server, or those of our own. */
export interface SchemaGroup {
  /** Absent for tools of our own. */
  readonly server?: string | undefined;
  readonly isOn: boolean;
  /** They are found on demand: requests do not carry them. */
  readonly isOnDemand: boolean;
  /** Of all that are on. */
  readonly tokens: number;
  /** Largest first. */
  readonly tools: readonly SchemaView[];
}

export interface SchemasView {
  /** Tools of our own first, then servers by name. */
  readonly groups: readonly SchemaGroup[];
  /** In every request. */
  readonly tokens: number;
  /** Tokens that finding tools on demand keeps out of every request. */
  readonly saved?: number | undefined;
  /** Tokens that have to be written to the prompt cache again if the tools change; 0 before anything is said. */
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

/** A request that the provider has reported on, as it was counted and as it was reported. */
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
  /** A fee for what was written to the cache may come on top. */
  readonly mayBeMore: boolean;
}

export interface HealthView {
  readonly id: string;
  readonly state: 'good' | 'warning' | 'bad' | 'unknown';
  /** Sentences, in the language of the host. */
  readonly finding: string;
  readonly advice?: string | undefined;
  /** Id of the setting that changes it. */
  readonly setting?: string | undefined;
  /** Messages that it is about, the most telling ones first, no more than a few. */
  readonly messageIds: readonly string[];
  readonly recordIds: readonly string[];
}

export interface BudgetView {
  /** Largest first, as many as are worth a look. */
  readonly largest: readonly LargeMessage[];
  readonly schemas: SchemasView;
  /** Messages that a person hid and did not show again, largest first, as many as are worth a look. */
  readonly hidden?: readonly LargeMessage[] | undefined;
  readonly tools: readonly ToolTotal[];
  readonly files: readonly FileTotal[];
  readonly floor: FloorView;
  readonly compared?: ComparedCount | undefined;
  /** Of the reported input, the share that came from the provider's cache, 0 to 1. */
  readonly cachedShare?: number | undefined;
  /** Undefined if no price is known. */
  readonly money?: MoneyView | undefined;
  readonly health: readonly HealthView[];
}

const settingId = /^contextBudget\.[\w.-]{1,100}$/;

export const budgetNotifications = messages({
  budget: { sessionId: fromHost<string>(), view: fromHost<BudgetView>() },
  /** The trigger was not moved: the settings have changed since the page was told where it can be. */
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
