import { translations } from '../translations.ts';
import type { settingsSentences } from '../english/settings-english.ts';

/** The sentences about settings in Simplified Chinese. */
export const settingsChinese = translations<typeof settingsSentences>('settings')({
  aUrl: ' URL',
  usedInstead: '{problem}改用 {value}。',
  defaultUsed: 'contextBudget.{setting}：{problem}改用默认值。',
  defaultsUsed: '{problem}改用默认值。',
  tableUsed: '{problem}改用内置表。',
  targetNotBelow:
    'contextBudget.targetRatio ({target}) 必须小于 contextBudget.triggerRatio ({trigger})。改用默认值。',
  unknownStrategy: 'contextBudget.strategy：没有策略 {strategy}。可用的有 {strategies}。改用 {used}。',
  reservedTooMuch:
    'contextBudget.triggers：reservedOutput（{reserved}）使 {window} 个 token 的窗口所剩过少。改用 {used}。',

  azureNeedsBaseUrl:
    'contextBudget.baseUrl 必须是你的 Azure OpenAI 资源的地址，例如 https://NAME.openai.azure.com。',
  baseUrlIsNone: '模型的基 URL 不是 URL。请在设置中更正。',
  baseUrlScheme: '模型的基 URL 必须以 http:// 或 https:// 开头。请在设置中更正。',
  baseUrlCredentials:
    '模型的基 URL 含有用户名或密码，因此未发送任何内容。请从设置中移除它们。若要设置密钥，请运行“Context Budget: 设置 API 密钥”。',
  baseUrlQuery:
    '模型的基 URL 不能含有 "?" 或 "#"。请从设置中移除它们。若要设置密钥，请运行“Context Budget: 设置 API 密钥”。',

  mcpNoObject: 'contextBudget.mcpServers 必须是一个对象，其中每个名称对应一个服务器。',
  mcpServer: 'contextBudget.mcpServers.{name}：{problem}',
  mcpName: '名称必须以字母开头，只能含有字母、数字、- 和 _，最多 {most} 个字符。',
  mcpServerNoObject: '服务器必须是含有 "command" 或 "url" 的对象。',
  mcpUrl: '"url" 必须是 http 或 https URL。',
  mcpNoCommand: '请设置 "command"（要启动的程序）或 "url"（使用可流式 HTTP 的服务器）。',
  mcpNoStrings: '"{field}" 必须是值均为字符串的对象。',
  mcpArguments: '"args" 必须是字符串列表。',
  mcpFolder: '"cwd" 必须是字符串。',
});
