import { readUsage } from '../../../compaction/tokens/read-usage.ts';
import { isRecord } from '../../../language/is-record.ts';
import {
  type AgentFiles,
  type AgentPlace,
  anyName,
  filledText,
  firstText,
  firstTyped,
  headLinesOf,
  lastText,
  type LastUsage,
  lastUsageIn,
  objectLines,
  type PlaceSurroundings,
  type SessionHead,
  subAgentFile,
} from '../../reading/agent-files.ts';
import { applicationFolder } from '../../reading/editor-folders.ts';
import { type Fields, fieldsOf } from '../../reading/fields.ts';
import { isOfProgram, placeholderModel } from './claude-code-format.ts';

export const claudeCodeFiles: AgentFiles = {
  places: (surroundings) => {
    const { home, environment } = surroundings;
    const folders = environment['CLAUDE_CONFIG_DIR']
      ? [environment['CLAUDE_CONFIG_DIR']]
      : [`${home}/.claude`, `${environment['XDG_CONFIG_HOME'] || `${home}/.config`}/claude`];
    return [...folders.map((folder) => placeIn(`${folder}/projects`, [])), ...desktopPlaces(surroundings)];
  },
  head: (text) => headOf(headLinesOf(text)),
  lastUsage: (tail) => {
    return lastUsageIn(objectLines(tail), usageIn, ({ subtype, isCompactSummary, isSidechain }) => {
      return isSidechain !== true && (subtype === 'compact_boundary' || isCompactSummary === true);
    });
  },
};

/** @param above name patterns of the folders between the place and the project folders */
function placeIn(folder: string, above: readonly RegExp[]): AgentPlace {
  return {
    folder,
    levels: [...above, anyName, /^(?!agent-).*\.jsonl$/],
    subAgentLevels: [
      [...above, anyName, subAgentFile],
      [...above, anyName, anyName, /^subagents$/, subAgentFile],
    ],
  };
}

/**
 * In Claude Desktop's agent mode, each session has a separate configuration folder of Claude Code, below the folders
 * of an account and an organization. Sessions of its code tab are stored with Claude Code's own sessions.
 */
function desktopPlaces(surroundings: PlaceSurroundings): readonly AgentPlace[] {
  const folder = `${applicationFolder(surroundings)}/Claude/local-agent-mode-sessions`;
  const projects = [/^local_/, /^\.claude$/, /^projects$/];
  return [
    placeIn(folder, [anyName, anyName, ...projects]),
    placeIn(folder, [anyName, anyName, /^agent$/, ...projects]),
  ];
}

function headOf(lines: readonly Fields[]): SessionHead {
  const given =
    lines.findLast(({ type }) => type === 'custom-title')?.['customTitle'] ??
    lines.findLast(({ type }) => type === 'ai-title')?.['aiTitle'];
  const asked = lines.filter((line) => {
    return line['type'] === 'user' && line['isCompactSummary'] !== true && !isOfProgram(line);
  });
  const own = asked.filter(({ isSidechain }) => isSidechain !== true);
  // A sub-agent's file contains only its task.
  const typed = (own.length > 0 ? own : asked).map(({ message }) => fieldsOf(message)['content']);
  const summary = lines.find(({ type }) => type === 'summary')?.['summary'];
  return {
    title: filledText(given) ?? firstTyped(typed) ?? filledText(summary),
    workspace: firstText(lines.map(({ cwd }) => cwd)),
    model: lastText(
      lines.map(({ message }) => fieldsOf(message)['model']).filter((model) => model !== placeholderModel),
    ),
  };
}

function usageIn({ message, isSidechain }: Fields): LastUsage | undefined {
  if (!isRecord(message) || isSidechain === true) return undefined;
  const usage = readUsage(message['usage']);
  if (usage === undefined) return undefined;
  return { tokens: usage.inputTokens + usage.outputTokens, model: filledText(message['model']) };
}
