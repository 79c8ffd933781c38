import { createContextTools } from './context-tools.ts';
import { type ContextToolName, languageModelToolName } from './tool-names.ts';

/** A tool as `package.json` declares it for the editor's language models. */
interface ToolDeclaration {
  readonly name: string;
  readonly displayName: string;
  readonly toolReferenceName: string;
  readonly canBeReferencedInPrompt: true;
  readonly icon: string;
  readonly modelDescription: string;
  readonly inputSchema: unknown;
}

const icons: Readonly<Record<ContextToolName, string>> = {
  recall: '$(history)',
  search_history: '$(search)',
  what_was_lost: '$(question)',
  context_usage: '$(dashboard)',
};

/** Returns the declarations of the tools for `package.json`. */
export function toolDeclarations(): readonly ToolDeclaration[] {
  const unused = () => {
    throw new Error('Only descriptions are read.');
  };
  const sessions = { list: unused, open: unused };
  const tools = createContextTools({ sessions, agent: unused, count: unused });
  return [...tools].map(([name, { schema }]) => ({
    name: languageModelToolName(name),
    displayName: name.replaceAll('_', ' ').replace(/^./u, (letter) => letter.toUpperCase()),
    toolReferenceName: name,
    canBeReferencedInPrompt: true,
    icon: icons[name],
    modelDescription: schema.function.description ?? '',
    inputSchema: schema.function.parameters,
  }));
}
