import type { DeclaredTool, Fields, ModelRequest } from './wires/wire.ts';
import { fieldsOf, stringIn } from './wires/wire.ts';

/** An action of an agent. Different agents have different tools for it. */
export type Deed =
  | { readonly do: 'run'; readonly command: string }
  | { readonly do: 'read'; readonly path: string }
  | { readonly do: 'edit'; readonly path: string; readonly old: string; readonly new: string }
  /** Starts a sub-agent. The tool may need further arguments besides the task. */
  | { readonly do: 'delegate'; readonly task: string; readonly arguments?: Fields }
  /** Calls the first tool with this name. The tool's name may have a prefix. */
  | { readonly do: 'call'; readonly tool: string; readonly arguments: Fields };

/** A tool call. */
export interface PlannedCall {
  readonly tool: DeclaredTool;
  /** Arguments of the call; a string if the tool takes text. */
  readonly input: unknown;
}

/** Names of tools for each action. The first name that a request declares is called. */
const toolNames = {
  run: [
    'exec_command',
    'shell_command',
    'shell',
    'bash',
    'Bash',
    'run_shell_command',
    'execute_command',
    'run_commands',
  ],
  read: ['read', 'Read', 'read_file', 'view', 'read_files'],
  edit: ['edit', 'Edit', 'replace', 'replace_in_file', 'editor', 'apply_patch', 'str_replace_editor'],
  delegate: ['Agent', 'Task', 'task', 'spawn_agent', 'agent', 'invoke_agent', 'use_subagents', 'new_task'],
} as const;

const pathNames = ['file_path', 'filePath', 'absolute_path', 'path', 'target_file'];

/**
 * Returns the call that performs an action.
 *
 * @returns undefined if the request declares no tool for the action
 */
export function callFor(deed: Deed, request: ModelRequest): PlannedCall | undefined {
  const tools = [...request.tools, ...(request.found ?? [])];
  if (deed.do === 'call') {
    const tool = tools.find(({ name }) => name.endsWith(deed.tool));
    return tool && { tool, input: deed.arguments };
  }
  const tool = toolNames[deed.do].map((name) => tools.find((one) => one.name === name)).find((one) => one);
  if (tool !== undefined) return { tool, input: tool.takesText ? patchOf(deed) : argumentsOf(tool, deed) };
  const command = commandOf(deed);
  return command === undefined ? undefined : callFor({ do: 'run', command }, { tools, messages: [] });
}

/**
 * Returns the call that searches for the tool of an action.
 *
 * @returns undefined if the agent declares all of its tools, or has already searched for this tool
 */
export function searchFor(deed: Deed, { tools, messages }: ModelRequest): PlannedCall | undefined {
  const tool = tools.find(({ name }) => name === 'tool_search');
  const query = deed.do === 'call' ? deed.tool : toolNames[deed.do].join(' ');
  const wasTried = messages.some(({ calls }) => calls.some(({ input }) => input.includes(query)));
  return tool === undefined || wasTried ? undefined : { tool, input: { query } };
}

/** The command for reading or editing a file, for agents whose only tool is a shell. */
function commandOf(deed: Deed): string | undefined {
  if (deed.do === 'read') return `cat ${deed.path}`;
  if (deed.do === 'edit') return `sed -i 's/${deed.old}/${deed.new}/' ${deed.path}`;
  return undefined;
}

function argumentsOf(tool: DeclaredTool, deed: Exclude<Deed, { readonly do: 'call' }>): Fields {
  const properties = fieldsOf(tool.schema['properties']);
  const given: Record<string, unknown> = {};
  const set = (names: readonly string[], value: unknown): string | undefined => {
    const name = names.find((one) => one in properties);
    if (name !== undefined) given[name] = value;
    return name;
  };
  switch (deed.do) {
    case 'run': {
      const name = set(['command', 'cmd', 'commands'], deed.command);
      if (name !== undefined && typeOf(properties[name]) === 'array') given[name] = [deed.command];
      break;
    }
    case 'read':
      if (set(pathNames, deed.path) === undefined) set(['files'], [{ path: deed.path }]);
      break;
    case 'edit':
      if (set(['patchText', 'patch', 'input'], patchOf(deed)) === undefined) {
        set(pathNames, deed.path);
        set(['old_string', 'oldString', 'old_str', 'old_text'], deed.old);
        set(['new_string', 'newString', 'new_str', 'new_text'], deed.new);
        set(['edits'], [{ oldText: deed.old, newText: deed.new }]);
      }
      break;
    case 'delegate':
      set(['prompt', 'message', 'task', 'prompts'], deed.task);
      Object.assign(given, deed.arguments);
  }
  return { ...requiredValues(tool.schema, (name) => `the ${name.replaceAll('_', ' ')}`), ...given };
}

function patchOf(deed: Deed): string {
  if (deed.do !== 'edit') return '';
  return [
    '*** Begin Patch',
    `*** Update File: ${deed.path}`,
    '@@',
    `-${deed.old}`,
    `+${deed.new}`,
    '*** End Patch',
  ].join('\n');
}

function typeOf(schema: unknown): unknown {
  return fieldsOf(schema)['type'];
}

/**
 * A placeholder for an argument whose value does not matter.
 *
 * @param text value of strings in the argument
 */
export function anyValue(schema: Fields, text: string): unknown {
  if (Array.isArray(schema['enum'])) return schema['enum'][0] as unknown;
  switch (schema['type']) {
    case 'boolean':
      return false;
    case 'number':
    case 'integer':
      return 30_000;
    case 'array':
      return [];
    case 'object':
      return requiredValues(schema, () => text);
    default:
      return text;
  }
}

/** Values for the required properties of an object. */
export function requiredValues(schema: Fields, textFor: (name: string) => string): Record<string, unknown> {
  const { required, properties } = schema;
  const names = Array.isArray(required) ? required.map(stringIn) : [];
  return Object.fromEntries(
    names.map((name) => [name, anyValue(fieldsOf(fieldsOf(properties)[name]), textFor(name))]),
  );
}
