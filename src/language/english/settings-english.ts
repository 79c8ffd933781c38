import { catalogue } from '../sentence.ts';

/** Sentences about invalid settings. Loaded at activation. */
export const settingsSentences = catalogue('settings', {
  aUrl: 'a URL',
  usedInstead: '{problem} {value} is used instead.',
  defaultUsed: 'contextBudget.{setting}: {problem} The default is used.',
  defaultsUsed: '{problem} The defaults are used.',
  tableUsed: '{problem} The built-in table is used.',
  targetNotBelow:
    'contextBudget.targetRatio ({target}) must be below contextBudget.triggerRatio ({trigger}). The defaults are used.',
  unknownStrategy:
    'contextBudget.strategy: there is no strategy {strategy}. The choices are {strategies}. {used} is used.',
  reservedTooMuch:
    'contextBudget.triggers: reservedOutput ({reserved}) leaves too little of a window of {window} tokens. {used} is used.',
  telemetryEndpoint:
    'contextBudget.telemetry: "endpoint" must be an https URL, or an http URL of this machine, without user name, "?" and "#". No telemetry is sent.',

  // The base URL of a model.
  azureNeedsBaseUrl:
    'contextBudget.baseUrl must be the address of your Azure OpenAI resource, for example https://NAME.openai.azure.com.',
  baseUrlIsNone: 'The base URL of the model is not a URL. Correct it in the settings.',
  baseUrlScheme: 'The base URL of the model must start with http:// or https://. Correct it in the settings.',
  baseUrlCredentials:
    'The base URL of the model contains a user name or a password, so nothing was sent. Remove them from the settings. To set a key, run "Context Budget: Set API Key".',
  baseUrlQuery:
    'The base URL of the model must not contain "?" or "#". Remove them in the settings. To set a key, run "Context Budget: Set API Key".',

  // MCP servers.
  mcpNoObject: 'contextBudget.mcpServers must be an object that maps names to servers.',
  mcpServer: 'contextBudget.mcpServers.{name}: {problem}',
  mcpName:
    'A name must start with a letter, contain only letters, digits, - and _, and have at most {most} characters.',
  mcpServerNoObject: 'The server must be an object with "command" or "url".',
  mcpUrl: '"url" must be an http or https URL.',
  mcpNoCommand: 'Set "command" (a program to start) or "url" (a server with streamable HTTP).',
  mcpNoStrings: '"{field}" must be an object whose values are strings.',
  mcpArguments: '"args" must be a list of strings.',
  mcpFolder: '"cwd" must be a string.',
});
