import { durabilities } from '../storage/durability.ts';
import type { ObjectSetting, SettingSchema } from './setting-schema.ts';

/** What the agent may use. */
export const agent = {
  memory: {
    type: 'boolean',
    default: true,
    scope: 'window',
    markdownDescription:
      'Controls whether the agent is told what stands in `AGENTS.md`, `CLAUDE.md` and `.github/copilot-instructions.md` of the workspace and in your own memory file, and which skills (`.agents/skills`, `.claude/skills`, `.github/skills`) there are. Compactions keep memory word for word.',
    order: 1,
  },
  commandSandbox: {
    type: 'string',
    default: 'on',
    // No folder may let its commands out.
    scope: 'machine',
    enum: ['on', 'off'],
    enumItemLabels: ['On', 'Off'],
    markdownEnumDescriptions: [
      'Commands run in a sandbox where the machine has one: `bwrap` on Linux, `sandbox-exec` on macOS.',
      'Commands can do all that you can.',
    ],
    markdownDescription:
      'Controls whether commands run in a sandbox: they write to the workspace and a temporary folder only, find an empty home folder, and have the network only if you allow it. The approval of each says where it runs.',
    order: 3,
  },
  durability: {
    type: 'string',
    default: 'turn',
    scope: 'machine',
    enum: durabilities,
    enumItemLabels: ['Each Turn', 'Each Line', 'Never'],
    markdownEnumDescriptions: [
      'Flushes at the end of each turn and of each compaction.',
      'Flushes after every line, before it is shown.',
      'Leaves flushing to the operating system.',
    ],
    markdownDescription:
      'Controls when what is said is flushed to the disk, so that a power loss cannot take it. When only the editor ends or crashes, nothing that was shown as saved is lost, whatever is chosen here.',
    order: 4,
  },
} as const satisfies Readonly<Record<string, SettingSchema>>;

/** `contextBudget.mcpServers`, in the form of `contributes.configuration`. */
export const mcpServersSetting: ObjectSetting = {
  type: 'object',
  default: {},
  scope: 'window',
  markdownDescription:
    'Controls which MCP servers the agent has tools of, by name: `{ "command": "npx", "args": ["-y", "some-server"], "env": {} }` for a program to start, `{ "url": "https://…", "headers": {} }` for a server with streamable HTTP. Texts may hold `${workspaceFolder}`, `${env:NAME}` and `${secret:NAME}`, which *Context Budget: Set Secret for MCP Server* keeps. You are asked before each call.',
  additionalProperties: {
    type: 'object',
    properties: {
      command: {
        type: 'string',
        description: 'Program to start; it talks over its standard input and output.',
      },
      args: { type: 'array', items: { type: 'string' }, description: 'Arguments of the program.' },
      env: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Environment variables of the program, beside the few it inherits.',
      },
      cwd: { type: 'string', description: 'Directory of the program; the first folder if left out.' },
      url: { type: 'string', description: 'Address of a server with streamable HTTP.' },
      headers: {
        type: 'object',
        additionalProperties: { type: 'string' },
        description: 'Headers that go with every request.',
      },
      disabled: { type: 'boolean', description: 'Leaves the server out.' },
    },
    additionalProperties: false,
  },
  order: 2,
};
