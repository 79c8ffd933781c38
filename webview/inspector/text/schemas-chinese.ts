import type { Translation } from '../../shared/localisation.ts';
import type { SchemasStrings } from './schemas-english.ts';

/** The inspector's Simplified Chinese for the definitions of tools. */
export const schemasChinese = {
  schemas: {
    title: '工具定义',
    total: (tokens) => `每个请求 ${tokens} 个 token`,
    saved: (tokens) => `按需查找：每个请求节省 ${tokens} 个 token。`,
    price: (tokens) => `开关工具会更改工具列表，下一个请求会把全部 ${tokens} 个 token 重新写入提示词缓存。`,
    freeOnDemand: '开关按需查找的工具不影响提示词缓存。',
    builtIn: '内置工具',
    server: (name) => `MCP 服务器 ${name}`,
    switchServer: (name) => `MCP 服务器 ${name} 的工具`,
    on: (on, all) => (on === all ? `已启用 ${all} 个` : `已启用 ${on} 个，共 ${all} 个`),
    onDemand: '按需查找',
    tokens: (tokens) => `${tokens} 个 token`,
    uses: (count, text) => (count === 0 ? '尚未使用' : `使用了 ${text} 次`),
    fixed: '始终启用：压缩后的对话会引用它。',
  },
} satisfies Translation<SchemasStrings>;
