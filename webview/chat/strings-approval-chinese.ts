import type { englishApproval } from './strings-approval-english.ts';

/** The texts of what a person is asked, in Simplified Chinese. */
export const chineseApproval: typeof englishApproval = {
  label: (title) => `批准：${title}`,
  runCommand: '是否运行此命令？',
  details: '将要执行的操作',
  length: (lines, characters) => `${lines} 行，${characters} 个字符；结尾在按钮上方。`,
  toBeginning: '显示开头',
  strange: (names) => `包含与其他字母相似的字母：${names.join('、')}。它可能与看上去的不同。`,
  whereItRuns: '运行位置',
  reach: {
    sandbox: '在沙盒内，无网络',
    network: '在沙盒内，有网络',
    everything: '在沙盒外',
  },
  ruleReach: {
    sandbox: '，在沙盒内且无网络',
    network: '，在沙盒内且有网络',
    everything: '，在沙盒外',
  },
  risk: '在沙盒外，它可以做你能做的一切。',
  withoutSandbox: {
    off: '沙盒已关闭，命令在沙盒外运行：它可以做你能做的一切。',
    missing: '此计算机没有沙盒，命令在沙盒外运行：它可以做你能做的一切。',
    home: '主文件夹在工作区内，命令在沙盒外运行：它可以做你能做的一切。',
  },
  asksForNetwork: (reason) => (reason === '' ? '请求使用网络。' : `请求使用网络：“${reason}”`),
  changes: '将要进行的更改',
  once: '允许一次',
  session: '在此会话中允许',
  always: '始终允许',
  reject: '拒绝',
  allows: (rule) => `会话内允许和始终允许适用于：${rule}`,
  feedback: '应当改为怎么做？(可选)',
  back: '返回',
  count: (count) => `${count} 项操作等待你确认`,
  which: (title) => `：${title}`,
  show: '显示',
  showNext: '显示下一项',
};
