import type { Tool as ListedTool } from '@modelcontextprotocol/sdk/types.js';
import { headOf } from '../../compaction/text/clip.ts';
import {
  type ActingTool,
  argumentWords,
  failed,
  reasonFrom,
  sizeInWords,
  type ToolResult,
} from '../tools/support/tool.ts';
import { visibleLine } from './consents.ts';
import type { McpConnection } from './mcp-client.ts';
import { agentSentences } from '../../language/english/agent-english.ts';
import { isRecord } from '../../language/is-record.ts';
import { throwIfCancelled } from '../../compaction/signals/cancellation.ts';

/** Maximum characters of a tool's description, enough for a good description but not to fill a window. */
const longestDescription = 4_000;
const longestSchema = 20_000;
/** Maximum characters of a result. Anything longer is cut before other code reads it. */
const longestResult = 2_000_000;
/** Maximum number of parts in a result. */
const mostParts = 1_000;
/** Maximum characters of a tool name that providers accept. */
const longestName = 64;

/** Wraps a tool of a server. Its effects are unknown, and its description may be wrong, so every call needs approval. */
export function mcpTool(server: string, listed: ListedTool, connection: McpConnection): ActingTool {
  const { name, description = '', inputSchema } = listed;
  const pattern = `${server}/${visibleLine(name)}`;
  const shownName = headOf(visibleLine(name), 200);
  const isTooLong = JSON.stringify(inputSchema).length > longestSchema;
  return {
    name: mcpToolName(server, name),
    server,
    schema: {
      type: 'function',
      function: {
        name: mcpToolName(server, name),
        description: headOf(
          `${description.trim()} (Tool of the MCP server ${server}.)`.trim(),
          longestDescription,
        ),
        parameters: isTooLong ? { type: 'object' } : inputSchema,
      },
    },
    describe: argumentWords,
    async propose(given) {
      const input = await connection.sendable(given);
      return {
        approval: {
          kind: 'mcp',
          title: agentSentences.say('approvalCallMcp', { tool: shownName, server }),
          details: JSON.stringify(input, undefined, 2),
          patterns: [pattern],
          rule: { kind: 'mcp', pattern },
        },
        perform: async ({ signal }) => {
          try {
            return readCallResult(server, await connection.call(name, input, signal));
          } catch (error) {
            throwIfCancelled(signal);
            return failed(agentSentences.say('mcpFailed', { server, reason: reasonFrom(error) }));
          }
        },
      };
    },
  };
}

function mcpToolName(server: string, tool: string): string {
  return headOf(`mcp_${server}_${tool}`.replace(/[^A-Za-z0-9_-]/g, '_'), longestName);
}

/** Returns the text of a result. Other content is named but not sent. */
function readCallResult(server: string, result: unknown): ToolResult {
  if (!isRecord(result)) return failed(agentSentences.say('mcpNoResult', { server }));
  const { content, structuredContent, isError } = result;
  const parts = Array.isArray(content) ? content.slice(0, mostParts).filter(isRecord).map(textOfPart) : [];
  const text = parts.filter((part) => part !== '').join('\n\n');
  const structured =
    text === '' && structuredContent !== undefined ? JSON.stringify(structuredContent) : text;
  return {
    content: structured === '' ? 'The tool is done and returned nothing.' : headOf(structured, longestResult),
    isError: isError === true,
  };
}

function textOfPart(part: Readonly<Record<string, unknown>>): string {
  const { type, text, data, mimeType, resource, uri, name } = part;
  switch (type) {
    case 'text':
      return typeof text === 'string' ? text : '';
    case 'image':
    case 'audio': {
      const size = typeof data === 'string' ? sizeInWords(Math.floor((data.length * 3) / 4)) : 'unknown size';
      return `[${type}, ${wordIn(mimeType)}, ${size}: left out]`;
    }
    case 'resource':
      return isRecord(resource)
        ? typeof resource['text'] === 'string'
          ? resource['text']
          : `[resource ${wordIn(resource['uri'])}: left out, it is not text]`
        : '';
    case 'resource_link':
      return `[${wordIn(name)}: ${wordIn(uri)}]`;
    default:
      return '';
  }
}

/** Reads a string field of a server's message, which may contain any other value instead. */
function wordIn(value: unknown): string {
  return typeof value === 'string' ? value : 'unknown';
}
