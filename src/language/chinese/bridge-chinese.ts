import type { bridgeSentences } from '../english/bridge-english.ts';
import { translations } from '../translations.ts';

/** The sentences about connections to other agents, in Simplified Chinese. */
export const bridgeChinese = translations<typeof bridgeSentences>('bridge')({
  alreadyConnected: '{agent} 已连接。',
  chooseConnected: '选择要断开的代理。更改会先显示出来。',
  chooseToConnect: '选择要连接的代理。对其配置的更改会先显示出来。',
  configChanged: '{path} 在此期间已被更改。请重新查看更改。',
  configFailed: '无法更改 {path}。{reason}',
  configHardLinked: '它有多个名称（硬链接），更改只会作用于其中一个。',
  configOfAnother: '它属于另一个用户。',
  configTitle: '{agent}：配置的更改',
  configTooLarge: '它大于 {megabytes} MB。',
  configUnreadable: '无法读取。',
  configUnwritable: '无法写入。',
  connectAgent: '连接代理',
  connectDone: '{agent} 已连接。从下一次会话起，它会取回压缩所丢失的内容，并可查询更多。',
  connectDoneOnceTrusted:
    '{agent} 已连接。它只运行您信任的钩子：请在其下一次会话中输入 /hooks，并信任 Context Budget 的钩子。',
  connectDoneWithoutHooks: '{agent} 已连接。从下一次会话起，它可以查询压缩所丢失的内容。',
  connectionsLocked: '另一个窗口正在更改连接。请重试。',
  connectQuestion: '要进行此更改，让 {agent} 使用 Context Budget 吗？',
  disconnectAgent: '断开代理',
  disconnectDone: '{agent} 已断开。',
  disconnectQuestion: '要进行此更改，让 {agent} 不再使用 Context Budget 吗？',
  invalidJson: '不是有效的 JSON：见第 {line} 行。',
  invalidToml: '不是有效的 TOML：见第 {line} 行。',
  leaveAsItIs: '取消',
  makeChange: '进行更改',
  nodeHasNoWord:
    '代理通过 Node.js 启动 Context Budget，但无法在其命令中写入该路径：{path}。请将 Node.js 安装到不含空格的文件夹，然后重试。',
  nodeNeeded:
    '其他代理通过 Node.js 启动 Context Budget，但未找到它。请安装 Node.js {version} 或更高版本，使终端中可以运行“node --version”，然后重试。',
  notAnArray: '“{path}”不是数组。',
  notAnObject: '“{path}”不是对象。',
  notATable: '“{path}”不是可以添加内容的表。',
  nothingConnected: '没有已连接的代理。',
  otherForm: '“{path}”的写法不同。请手动删除。',
  standsTwice: '“{path}”出现了两次。',
});
