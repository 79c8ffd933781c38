import type { customSentences } from '../english/custom-english.ts';
import { translations } from '../translations.ts';

/** The sentences about custom strategies in Simplified Chinese. */
export const customChinese = translations<typeof customSentences>('custom')({
  named: '{name}：{problem}',
  answerOf: '{name}：其回答',
  none: '无',

  invalidReference:
    '设置 contextBudget.strategies.custom 必须指定模块及其导出 "./path/file.mjs#ExportName"，或已注册的策略 "publisher.extension/strategy-id"。当前值为{given}。',
  noFolder: '只能从已打开且受信任的文件夹加载模块。',
  outsideWorkspace: '该文件在工作区之外，因此未加载。',
  noFile: '没有此文件。',
  noExport: '模块没有此导出。它的导出有：{exports}。',
  notRegistered: '没有已安装的扩展注册此策略，或者注册它的扩展已将其移除。当前已注册：{ids}。',
  empty: '空',

  noFunction: '导出的内容既不是类，也不是函数。',
  injectNoList: '"inject" 必须是由 {ports} 组成的列表。',
  injectUnknown: '"inject" 中有 {name}。可用的有 {ports}。',
  noPlanMethod: '该策略没有方法 plan(input, ports, signal)。',
  noModel: '没有模型。',
  takesString: '{port} 的参数是字符串。',
  takesStrings: '{port} 的参数是字符串列表。',
  notPlainData: '其回答不是纯数据。{problem}',
  ownMessage: '该策略发送了约定之外的消息。',
  messageTooLarge: '一条消息最多 {most} 字节，而这条为 {size} 字节。',
  messageTooFull: '一条消息最多包含 {most} 个值。',
  messageTooDeep: '一条消息最多嵌套 {most} 层。',

  tookTooLong: '该策略用时超过 {seconds} 秒。',
  computedTooLong: '该策略的计算时间超过 {seconds} 秒。',
  tooMuchMemory: '该策略占用的内存超过 {megabytes} MB。',
  tooManyBytes: '该策略与 Context Budget 交换的数据超过 {most} 字节。',
  tooManyCalls: '该策略调用端口超过 {most} 次。',
  tooManyWaiting: '等待答复的端口调用超过 {most} 个。',
  tooManyRequests: '一个方案最多可以要求 {most} 次摘要和提示（合计）。',
  tooManySearches: '一个方案最多可以搜索 {most} 次。',

  cannotConfine: 'Node.js {version} 无法隔离自定义策略。22.15 或更高版本可以。',
  starInFolder: '名称中有 * 的文件夹无法隔离：{folder}',
  processNotStarted: '无法启动该策略的进程：{reason}',
  processSignalled: '进程在回答之前结束（{signal}）。可能是内存不足。',
  processExited: '进程在回答之前结束（退出代码 {code}）。',
  cannotImport: '自定义策略不能导入 {module}。',
  wrongModuleFormat: '自定义策略只能导入 ES 模块和 JSON，不能导入 {file}。',
  noPath: '自定义策略通过路径读取文件。',
  cannotReadOutside: '自定义策略不能读取其工作区之外的内容：{path}',
});
