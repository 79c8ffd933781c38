import type { SentenceTable } from '../../insights/known-sentences.ts';

/** What is said of models and those who provide them. */
export const modelSentences: SentenceTable = {
  'Offline model': '离线模型',
  'the server': '服务器',
  'Stopped.': '已停止。',
  'The server said: {0}': '服务器返回: {0}',
  'Reason: {0}': '原因: {0}',
  'VS Code said: {0}': 'VS Code 返回: {0}',
  'Try again, or check that the server is not overloaded.': '请重试，或检查服务器是否过载。',
  'Wait {#0} s, then try again.': '请等待 {0} 秒后重试。',
  'Wait a moment, then try again.': '请稍候再试。',

  '{0} stopped answering: nothing came for {#1} s. Try again.':
    '{0} 停止了响应: {1} 秒内未收到任何内容。请重试。',
  '{0} did not answer within {#1} s.': '{0} 在 {1} 秒内没有响应。',
  '{0} sent a line that is not valid JSON.': '{0} 发来的一行不是有效的 JSON。',
  '{0} sent no compaction.': '{0} 没有返回压缩结果。',
  '{0} answered with a web page.': '{0} 返回的是网页。',
  '{0} did not answer with a stream.': '{0} 没有以流的形式响应。',
  'Check that the base URL is that of an OpenAI-compatible endpoint; most end in /v1.':
    '请检查基 URL 是否为 OpenAI 兼容的端点；大多以 /v1 结尾。',
  'The base URL of the model is not a URL. Correct it in the settings.':
    '模型的基 URL 不是 URL。请在设置中更正。',
  'The base URL of the model has to start with http:// or https://. Correct it in the settings.':
    '模型的基 URL 必须以 http:// 或 https:// 开头。请在设置中更正。',
  'The base URL of the model holds a user name or a password, so nothing was sent. Remove them from the settings; a key belongs in "Context Budget: Set API Key".':
    '模型的基 URL 中含有用户名或密码，因此未发送任何内容。请将其从设置中移除；密钥应通过“Context Budget: 设置 API 密钥”设置。',
  'The base URL of the model may have no "?" and no "#". Remove them in the settings; a key belongs in "Context Budget: Set API Key".':
    '模型的基 URL 不能含有“?”和“#”。请在设置中移除；密钥应通过“Context Budget: 设置 API 密钥”设置。',
  'The API key has characters that no key has. Set it again: run "Context Budget: Set API Key".':
    'API 密钥含有密钥中不可能出现的字符。请重新设置: 运行“Context Budget: 设置 API 密钥”。',
  'The connection to {0} was dropped in the middle of the reply. Try again.':
    '与 {0} 的连接在回复过程中断开。请重试。',
  '{0} kept the connection open, but said nothing for {#1} s. Try again.':
    '{0} 保持连接，但 {1} 秒内未返回任何内容。请重试。',
  '{0} did not end its reply within {#1} minutes, so it was ended here.':
    '{0} 在 {1} 分钟内未结束回复，因此已在此处中止。',
  '{0} sent an event of more than {#1} bytes, so the connection was closed.':
    '{0} 发送了超过 {1} 字节的事件，因此连接已关闭。',
  '{0} sent more than {#1} lines, so the connection was closed.': '{0} 发送了超过 {1} 行，因此连接已关闭。',
  '{0} sent more than {#1} bytes, so the connection was closed.': '{0} 发送了超过 {1} 字节，因此连接已关闭。',
  '{0} sent a reply of more than {#1} characters, so the connection was closed.':
    '{0} 发送了超过 {1} 个字符的回复，因此连接已关闭。',
  '{0} sent reasoning of more than {#1} characters, so the connection was closed.':
    '{0} 发送了超过 {1} 个字符的推理内容，因此连接已关闭。',
  '{0} sent a tool call with arguments of more than {#1} characters, so the connection was closed.':
    '{0} 发送了参数超过 {1} 个字符的工具调用，因此连接已关闭。',
  '{0} sent tool calls with arguments of more than {#1} characters, so the connection was closed.':
    '{0} 发送的各工具调用的参数合计超过 {1} 个字符，因此连接已关闭。',
  '{0} sent more than {#1} tool calls in one reply, so the connection was closed.':
    '{0} 在一次回复中发送了超过 {1} 个工具调用，因此连接已关闭。',
  '{0} sent a tool call with a name of more than {#1} characters, so the connection was closed.':
    '{0} 发送了名称超过 {1} 个字符的工具调用，因此连接已关闭。',
  "{0} sent more headers than are read. Check that the base URL is that of a model's server.":
    '{0} 发送的标头超出可读取的范围。请检查基 URL 是否为模型服务器的地址。',
  'Nothing was sent to {0}, because it would not be encrypted. Use https://, or send again and allow it.':
    '未向 {0} 发送任何内容，因为连接未加密。请使用 https://，或重新发送并允许。',
  'an address that is none': '一个无效地址',
  '{0} redirects to {1} (HTTP {2}). This was not followed, because what is sent is meant for {0} alone. If the new address is right, put it in the settings.':
    '{0} 重定向到 {1} (HTTP {2})。未跟随该重定向，因为发送的内容只面向 {0}。如果新地址正确，请将其填入设置。',
  'The conversation is too long for {0}. Compact it, or choose a model with a larger window.':
    '对话对 {0} 来说过长。请压缩对话，或选择窗口更大的模型。',
  '{0} asks for an API key{1}: run "Context Budget: Set API Key".':
    '{0} 需要 API 密钥{1}: 请运行“Context Budget: 设置 API 密钥”。',
  '{0} refused the API key{1}. Check the key: run "Context Budget: Set API Key".':
    '{0} 拒绝了该 API 密钥{1}。请检查密钥: 运行“Context Budget: 设置 API 密钥”。',
  '{0} has no model "{1}", or no such API at this base URL{2}. Check both in the settings.':
    '{0} 没有模型“{1}”，或此基 URL 没有该 API{2}。请在设置中检查两者。',
  'The quota of this key at {0} is used up{1}. Check the plan and billing there.':
    '此密钥在 {0} 的配额已用完{1}。请在该处检查套餐和账单。',
  '{0} is limiting requests{1}. {2}': '{0} 正在限制请求{1}。{2}',
  '{0} ran out of time{1}. Try again.': '{0} 超时{1}。请重试。',
  '{0} has a problem of its own{1}. Try again in a while.': '{0} 自身出现问题{1}。请稍后重试。',
  '{0} did not accept the request{1}.': '{0} 没有接受该请求{1}。',
  'Nothing answers at {0}. Check the base URL, and that the server runs.':
    '{0} 没有响应。请检查基 URL，并确认服务器正在运行。',
  '{0} cannot be found. Check the base URL and the network.': '找不到 {0}。请检查基 URL 和网络。',
  'The connection to {0} failed. Check the base URL and the network.':
    '与 {0} 的连接失败。请检查基 URL 和网络。',

  'The reply ended before it was complete.': '回复在完成之前结束。',
  'The model returned an empty reply.': '模型返回了空回复。',
  'The reply reached the output limit of the model. Retry to let it go on.':
    '回复达到了模型的输出上限。请重试以便其继续。',
  '{0} seems to have read only the last {#1} of {#2} tokens: its server cuts the conversation without saying so. Set contextBudget.window to what the server really has, or give the model a larger window there.':
    '{0} 似乎只读取了 {2} 个 token 中的最后 {1} 个: 其服务器会不声明地截断对话。请将 contextBudget.window 设为服务器的实际大小，或在服务器上为该模型设置更大的窗口。',

  'VS Code has no language model "{0}". Sign in to the extension that brings it, or run "Context Budget: Select Model".':
    'VS Code 没有语言模型“{0}”。请登录提供该模型的扩展，或运行“Context Budget: 选择模型…”。',
  'Context Budget may not use {0} yet. Send the message again and allow it, or allow it in the Accounts menu under "Manage Language Model Access…".':
    'Context Budget 尚不能使用 {0}。请重新发送消息并允许访问，或在“帐户”菜单的“管理语言模型访问权限…”中允许。',
  '{0} takes no more requests for now: its limit or quota is reached. Wait a while, or choose another model.':
    '{0} 暂时不再接受请求: 已达到其限制或配额。请稍候，或选择其他模型。',
  '{0} takes this for a question that it is not there for. Say it in other words, or choose another model.':
    '{0} 认为此问题超出其用途。请换一种说法，或选择其他模型。',
  '{0} could not be reached. Check the network.': '无法连接到 {0}。请检查网络。',
  '{0} failed. Try again in a while.': '{0} 失败。请稍后重试。',

  'The API key has characters that no key has. Set it again.':
    'API 密钥含有密钥中不可能出现的字符。请重新设置。',
  '{0} refused the API key.': '{0} 拒绝了该 API 密钥。',
  '{0} asks for an API key.': '{0} 需要 API 密钥。',
  'Check the base URL; most end in /v1.': '请检查基 URL；大多以 /v1 结尾。',
  '{0} did not answer with a list of models.': '{0} 没有返回模型列表。',
  '{0} tells nothing of its models (HTTP {1}).': '{0} 没有提供其模型的信息 (HTTP {1})。',
  '{0} said nothing of its models within {#1} s.': '{0} 在 {1} 秒内没有提供其模型的信息。',

  '{0} runs {1} with {#2} of {#3} tokens.': '{0} 运行 {1} 时使用 {3} 个 token 中的 {2} 个。',
  'Load it with a larger context length for longer work.': '若要进行更长的工作，请以更大的上下文长度加载。',
  'It cuts what is longer without a word; start it with OLLAMA_CONTEXT_LENGTH set for more.':
    '它会不加提示地截断更长的内容；如需更大的窗口，请在启动时设置 OLLAMA_CONTEXT_LENGTH。',
  '{0} cannot call tools, so it cannot work as an agent.': '{0} 无法调用工具，因此无法作为代理工作。',
  'Ollama decides on the window when it loads {0}; it is read once that is done.':
    'Ollama 在加载 {0} 时决定窗口大小；加载后会读取该大小。',
  'LM Studio decides on the window when it loads {0}; it is read once that is done.':
    'LM Studio 在加载 {0} 时决定窗口大小；加载后会读取该大小。',
  'llama.cpp serves {#0} requests at a time; each may take {#1} tokens.':
    'llama.cpp 同时处理 {0} 个请求；每个请求最多可用 {1} 个 token。',
};
