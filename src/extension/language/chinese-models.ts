import type { SentenceTable } from '../../insights/known-sentences.ts';

/** What is said of models and those who provide them. */
export const modelSentences: SentenceTable = {
  'Offline model': '离线模型',

  'The base URL of the model is not a URL. Correct it in the settings.':
    '模型的基 URL 不是 URL。请在设置中更正。',
  'The base URL of the model has to start with http:// or https://. Correct it in the settings.':
    '模型的基 URL 必须以 http:// 或 https:// 开头。请在设置中更正。',
  'The base URL of the model holds a user name or a password, so nothing was sent. Remove them from the settings; a key belongs in "Context Budget: Set API Key".':
    '模型的基 URL 中含有用户名或密码，因此未发送任何内容。请将其从设置中移除；密钥应通过“Context Budget: 设置 API 密钥”设置。',
  'The base URL of the model may have no "?" and no "#". Remove them in the settings; a key belongs in "Context Budget: Set API Key".':
    '模型的基 URL 不能含有“?”和“#”。请在设置中移除；密钥应通过“Context Budget: 设置 API 密钥”设置。',
  'an address that is none': '一个无效地址',
  '{0} redirects to {1} (HTTP {2}). This was not followed, because what is sent is meant for {0} alone. If the new address is right, put it in the settings.':
    '{0} 重定向到 {1} (HTTP {2})。未跟随该重定向，因为发送的内容只面向 {0}。如果新地址正确，请将其填入设置。',
};
