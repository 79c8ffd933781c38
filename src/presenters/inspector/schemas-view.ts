import { fixedTools } from '../../agent/session/switched-off.ts';
import { callToolName, calledFunction, findToolsName } from '../../compaction/ledger/called-function.ts';
import type { Message, ToolSchema } from '../../compaction/messages/message.ts';
import type { UsageMeter } from '../../compaction/tokens/usage.ts';
import { messagesOf } from '../../compaction/transcript/transcript.ts';
import type { SchemaGroup, SchemasView, SchemaView } from '../../protocol/inspector-budget.ts';
import type { ToolSet } from '../../transcripts/session/session-event.ts';
import type { InspectedSession } from './inspector-model.ts';

/** Tokens of tool definitions, cached because every message needs them. */
const known = new WeakMap<ToolSchema, number>();

/** The two tools that load other tools on demand. They exist only while some tools are on demand. */
const onDemandTools: ReadonlySet<string> = new Set([findToolsName, callToolName]);

/** A tool that is not in a group yet. */
interface Entry extends SchemaView {
  readonly server: string | undefined;
}

/** The definitions of a session's tools, with sizes and numbers of calls. @param total tokens of the next request */
export async function schemasView(
  session: Pick<InspectedSession, 'tools' | 'toolSet' | 'transcript'>,
  meter: UsageMeter,
  total: number,
): Promise<SchemasView> {
  const toolSet: ToolSet = (await session.toolSet?.()) ?? { tools: session.tools };
  const messages = messagesOf(session.transcript);
  const { total: tokens } = await meter.measureTools(toolSet.tools);
  const entries = addingUp(await entriesOf(toolSet, usesOf(messages), meter), toolSet.tools.length, tokens);
  const isOnDemand = entries.some(({ name }) => name === findToolsName);
  const groups = groupsOf(entries, toolSet.off?.servers ?? [], isOnDemand);
  const left = groups.filter((group) => group.isOnDemand);
  const inPlace = entries.filter(({ name }) => onDemandTools.has(name));
  return {
    groups,
    tokens,
    ...(isOnDemand ? { saved: Math.max(0, tokensOf(left) - tokensOf(inPlace)) } : {}),
    rewritten: messages.length === 0 ? 0 : total,
  };
}

/**
 * Adjusts the sizes of tools to add up to the meter's total, because definitions sent together differ slightly.
 *
 * @param sent number of entries in requests; they come first
 */
function addingUp(entries: readonly Entry[], sent: number, total: number): readonly Entry[] {
  const alone = tokensOf(entries.slice(0, sent));
  let before = 0;
  const upTo = (tokens: number) => (alone === 0 ? 0 : Math.round((tokens / alone) * total));
  return entries.map((entry, index) => {
    if (index >= sent) return entry;
    const tokens = upTo(before + entry.tokens) - upTo(before);
    before += entry.tokens;
    return { ...entry, tokens };
  });
}

/** All tools. The tools in requests come first, in their order. */
async function entriesOf(
  { tools, aside = [], servers = {}, off }: ToolSet,
  uses: ReadonlyMap<string, number>,
  meter: UsageMeter,
): Promise<readonly Entry[]> {
  const all = [...tools, ...aside];
  const sizes = await sizesOf(all, meter);
  return all.map(({ function: { name } }, index) => {
    const isFixed = fixedTools.has(name) || onDemandTools.has(name);
    return {
      name,
      tokens: sizes[index] ?? 0,
      uses: uses.get(name) ?? 0,
      isOn: isFixed || off?.tools.includes(name) !== true,
      isFixed,
      server: Object.hasOwn(servers, name) ? servers[name] : undefined,
    };
  });
}

function groupsOf(
  entries: readonly Entry[],
  offServers: readonly string[],
  isOnDemand: boolean,
): readonly SchemaGroup[] {
  const servers = [...new Set(entries.flatMap(({ server }) => server ?? []))].toSorted();
  return [undefined, ...servers].flatMap((server): readonly SchemaGroup[] => {
    const own = entries.filter((entry) => entry.server === server);
    const isOn = server === undefined || !offServers.includes(server);
    const group = {
      server,
      isOn,
      isOnDemand: isOnDemand && server !== undefined,
      tokens: isOn ? tokensOf(own.filter((entry) => entry.isOn)) : 0,
      tools: own
        .toSorted((one, other) => other.tokens - one.tokens)
        .map(({ server: _server, ...tool }) => tool),
    };
    return own.length === 0 ? [] : [group];
  });
}

/** Tool → number of calls. A call through an on-demand tool counts for the tool that it loads. */
function usesOf(messages: readonly Message[]): ReadonlyMap<string, number> {
  const uses = new Map<string, number>();
  for (const { function: called } of messages.flatMap(({ tool_calls: calls = [] }) => calls)) {
    const { name } = calledFunction(called);
    uses.set(name, (uses.get(name) ?? 0) + 1);
  }
  return uses;
}

function tokensOf(entries: readonly Pick<SchemaView, 'tokens'>[]): number {
  return entries.reduce((sum, { tokens }) => sum + tokens, 0);
}

async function sizesOf(schemas: readonly ToolSchema[], meter: UsageMeter): Promise<readonly number[]> {
  const uncounted = schemas.filter((schema) => !known.has(schema));
  const counts = await meter.countTexts(uncounted.map((schema) => JSON.stringify(schema)));
  uncounted.forEach((schema, index) => known.set(schema, counts[index] ?? 0));
  return schemas.map((schema) => known.get(schema) ?? 0);
}
