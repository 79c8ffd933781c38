/** What can be typed as a command in the chat. The order is the one people see. */
export const commandNames = [
  'compact',
  'strategy',
  'context',
  'undo',
  'pin',
  'export',
  'new',
  'model',
  'help',
] as const;
export type CommandName = (typeof commandNames)[number];

/** What a session can be written as. */
export const exportFormats = ['markdown', 'html', 'json'] as const;
export type ExportFormat = (typeof exportFormats)[number];

export interface CommandDescription {
  /** What may follow the name, in brackets; empty where nothing may. */
  readonly hint: string;
  /** One sentence. */
  readonly summary: string;
}

/** Every command there is. Completion and `/help` are made from this table. */
export const commandCatalogue: Readonly<Record<CommandName, CommandDescription>> = {
  compact: {
    hint: '[focus]',
    summary: 'Makes the conversation smaller now, with attention to what you name.',
  },
  strategy: { hint: '[id]', summary: 'Chooses how the conversation is made smaller.' },
  context: { hint: '', summary: 'Shows what fills the context window.' },
  undo: { hint: '', summary: 'Takes the newest compaction back.' },
  pin: {
    hint: '[id|last]',
    summary: 'Keeps a message as it is through every compaction; one that is hidden comes back.',
  },
  export: { hint: `[${exportFormats.join('|')}]`, summary: 'Writes the conversation to a file.' },
  new: { hint: '', summary: 'Starts a new chat.' },
  model: { hint: '', summary: 'Chooses the model.' },
  help: { hint: '', summary: 'Lists what can be typed here.' },
};

export function isCommandName(name: string): name is CommandName {
  return Object.hasOwn(commandCatalogue, name);
}

/** How a command is typed, for example `/compact [focus]`. */
export function usageOf(name: CommandName): string {
  const { hint } = commandCatalogue[name];
  return hint === '' ? `/${name}` : `/${name} ${hint}`;
}
