import type { Translation } from '../../shared/localisation.ts';
import type { PreviewStrings } from './preview-english.ts';

/** The inspector's Simplified Chinese for a compaction that is looked at before it counts. */
export const previewChinese = {
  compactWithPreview: '预览后压缩…',
  preview: {
    title: (strategy) => `预览：${strategy}`,
    note: '尚未作任何更改。',
    planning: (strategy) => `正在使用 ${strategy} 规划…`,
    applying: '正在应用…',
    stop: '停止',
    failed: (problem) => `规划失败：${problem}`,
    back: '所有压缩',
    apply: '应用',
    withFocus: '指定重点后重新生成…',
    otherStrategy: '其他策略…',
    discard: '放弃',
    stale: '规划之后对话已有变化，因此无法应用。你的文本已保留。',
    planAgain: '重新规划',
    summary: '摘要',
    summaryOf: (index, total) => `摘要 ${index}/${total}`,
    tokens: (text) => `${text} 个 token`,
    checking: '正在检查…',
    refused: (reason) => `此文本无法应用：${reason}`,
    losesNothing: '已由你编辑，未因此丢失任何事实。',
    loses: (names) => `已由你编辑，因此缺少 ${names}。`,
    waiting: '有一个预览尚未应用。',
    show: '显示预览',
  },
} satisfies Translation<PreviewStrings>;
