import type { SentenceTable } from '../../insights/known-sentences.ts';

/** What is wrong with settings. */
export const settingSentences: SentenceTable = {
  '{0} must be {1}, not {2}; {3} is used.': '{0} 必须是{1}，而不是 {2}；将使用 {3}。',
  '{0} must be {1}, not {2}; the built-in table is used.': '{0} 必须是{1}，而不是 {2}；将使用内置表。',
  '{0} has no {1}; it has {2}; the built-in table is used.': '{0} 没有 {1}；可用的有 {2}；将使用内置表。',
  '{0}.targetRatio ({1}) must be below {2}.triggerRatio ({3}); the defaults are used.':
    '{0}.targetRatio ({1}) 必须小于 {2}.triggerRatio ({3})；将使用默认值。',
  '{0}.strategy: there is no strategy {1}; there are {2}. {3} is used.':
    '{0}.strategy: 没有策略 {1}；可用的有 {2}。将使用 {3}。',
  '{0}: {1} The default is used.': '{0}: {1}将使用默认值。',
  'a URL': ' URL',

  'contextBudget.baseUrl has to name your Azure OpenAI resource, for example https://NAME.openai.azure.com.':
    'contextBudget.baseUrl 必须指明你的 Azure OpenAI 资源，例如 https://NAME.openai.azure.com。',
  'contextBudget.reservedOutput ({0}) leaves too little of a window of {#1} tokens; {#2} is used.':
    'contextBudget.reservedOutput ({0}) 使 {1} 个 token 的窗口所剩过少；将使用 {2}。',

  '{0}.mcpServers must be an object: a name and its server each.':
    '{0}.mcpServers 必须是对象: 每项为一个名称及其服务器。',
  '{0}.mcpServers.{1}: {2}': '{0}.mcpServers.{1}: {2}',
  'a name begins with a letter and has letters, digits, - and _ only.':
    '名称以字母开头，且只能含有字母、数字、- 和 _。',
  'it must be an object with "command" or "url".': '必须是含有 "command" 或 "url" 的对象。',
  '"url" must be an http or https URL.': '"url" 必须是 http 或 https URL。',
  '"headers" must be an object of texts.': '"headers" 必须是由文本组成的对象。',
  'it needs "command" (a program to start) or "url" (of a server with streamable HTTP).':
    '需要 "command" (要启动的程序) 或 "url" (可流式 HTTP 服务器的地址)。',
  '"args" must be a list of texts.': '"args" 必须是文本列表。',
  '"env" must be an object of texts.': '"env" 必须是由文本组成的对象。',
  '"cwd" must be a text.': '"cwd" 必须是文本。',
};
