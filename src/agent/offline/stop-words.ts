/** Words that say nothing about what to look for. */
const english = `a about above after again all also am an and any anything are as at be because been before being
  below between both but by came can cannot come could decide decides did do does doing done down each either else ever every few
  for from further get gets give go goes going good got had happen happened happens has have having hello help her
  here hers hey hi him his how however i if in into is it its itself just kindly know let like look looks made make
  makes many may maybe me mean means might more most much must my need needs no nor not now of off ok okay on once
  one only onto or other our out over own please really said same say see seem she should show so some something
  still such sure take tell than thank thanks that the their them then there these they thing things this those
  through to too under until up upon us use used uses using very via want wants was way we well were what when where
  whether which while who whom whose why will with within without work works would yes yet you your explain describe
  find search locate list read open display print quote answer question understand morning evening bye goodbye`;

const chinese = `的 了 是 在 我 你 您 他 她 它 们 我们 你们 他们 这 那 这个 那个 这些 那些 这里 那里 哪 哪个 哪些 哪里 哪儿 什么 怎么 怎样
  怎么样 如何 为什么 为何 吗 呢 吧 啊 呀 嘛 和 与 或 或者 及 以及 并 而 但 但是 把 被 对 从 到 给 用 有 没有 没 不 也 都 就 会 能 能够 可以
  要 想 需要 请 请问 帮 帮我 帮忙 一下 告诉 解释 说明 介绍 描述 看 看看 找 找到 查找 查看 搜索 显示 打开 读 读取 列出 里 里面 中 上 下 内
  个 一个 些 一些 多少 几 还 再 很 关于 进行 使用 通过 时候 时 后 前 做 是否 怎 么 你好 您好 谢谢 多谢 再见 早上好 得 地 着 过 让 使 去 来 说`;

/** Words that appear everywhere in a workspace: worth searching for only where there is nothing else. */
const everywhere = `file files code project projects function functions class classes method methods line lines
  implement implements implemented implementation define defines defined definition declared folder folders
  directory directories repository repo workspace codebase program app application module modules value values
  type types return returns variable variables name names example work working call calls called write written
  handle handles handled content contents entry entries text
  文件 代码 项目 函数 类 方法 行 实现 定义 目录 文件夹 工程 程序 模块 变量 类型 名称 工作`;

const wordsOf = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

export const stopWords: ReadonlySet<string> = new Set([...wordsOf(english), ...wordsOf(chinese)]);
export const weakWords: ReadonlySet<string> = wordsOf(everywhere);
