import { hasFileName } from '../../compaction/ledger/path-words.ts';
import { isStopWord, stemOf } from '../../compaction/text/question-words.ts';
import { withoutEnd } from '../../compaction/text/clip.ts';
import { identifierParts, isUnspaced, segmentsOf, wordsOf } from '../../compaction/text/words.ts';

/** Further words that have no meaning for a search. */
const english = `above after again all am anything because before below between both came cannot come decide decides
  down each either else every few further get gets give go goes going good got happen happened happens
  hello help hers hey hi however itself just kindly know let look looks made make makes maybe mean
  means more most must need needs nor now off ok okay once one only onto other out over own please
  really said same say see seem show something still sure take tell thank thanks thing things through
  too under until up upon use used uses using very via want wants way well whether while within
  without work works yes yet explain describe find search locate list read open display print quote
  answer question understand morning evening bye goodbye`;

const chinese = `的 了 是 在 我 你 您 他 她 它 们 我们 你们 他们 这 那 这个 那个 这些 那些 这里 那里 哪 哪个 哪些 哪里 哪儿 什么 怎么 怎样
  怎么样 如何 为什么 为何 吗 呢 吧 啊 呀 嘛 和 与 或 或者 及 以及 并 而 但 但是 把 被 对 从 到 给 用 有 没有 没 不 也 都 就 会 能 能够 可以
  要 想 需要 请 请问 帮 帮我 帮忙 一下 告诉 解释 说明 介绍 描述 看 看看 找 找到 查找 查看 搜索 显示 打开 读 读取 列出 里 里面 中 上 下 内
  个 一个 些 一些 多少 几 还 再 很 关于 进行 使用 通过 时候 时 后 前 做 是否 怎 么 你好 您好 谢谢 多谢 再见 早上好 得 地 着 过 让 使 去 来 说`;

/** Words common in every workspace. They and their forms are used only if a question has no other words. */
const everywhere = `file code project function class classes method line implement implementation define definition declared
  folder folders directory repository repo workspace codebase program app application module value type return
  variable name example work call write written handle content entry text
  文件 代码 项目 函数 类 方法 行 实现 定义 目录 文件夹 工程 程序 模块 变量 类型 名称 工作`;

const listed = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/));

const englishStopWords = listed(english);
const chineseStopWords = listed(chinese);
const weakStems: ReadonlySet<string> = new Set([...listed(everywhere)].map(stemOf));

function saysNothing(word: string): boolean {
  return isStopWord(word) || englishStopWords.has(word) || chineseStopWords.has(word);
}

/** A search term. */
export interface Term {
  readonly text: string;
  readonly kind: 'quoted' | 'identifier' | 'word';
  readonly weight: number;
  /** Lower-case spellings, first of the text itself. A line or path with one of them contains the term. */
  readonly forms: readonly string[];
}

/** Files and terms that a question names. */
export interface QuestionTerms {
  readonly files: readonly string[];
  readonly terms: readonly Term[];
}

const quotation =
  /`([^`\n]{2,100})`|"([^"\n]{2,100})"|“([^”\n]{2,100})”|「([^」\n]{2,100})」|(?<![\p{L}\d])'([^'\n]{2,100})'(?![\p{L}\d])/gu;
const pathLike =
  // eslint-disable-next-line regexp/no-super-linear-move -- longer runs were cut out before
  /(?<![\w@/])(?:\.{0,2}\/)?(?:[\w@.*-]+\/)+[\w@.*{},-]*|(?<![\w@/.])[\w@*-][\w@.*-]*\.[a-zA-Z]\w{0,9}\b(?!\()|(?<!\S)\.[a-zA-Z][\w.-]+/gu;
const identifier =
  /\b[a-zA-Z][a-zA-Z\d]*(?:-[a-zA-Z\d]+)+\b|[a-zA-Z_$][\w$]*(?:(?:\.|::|->|#)[a-zA-Z_$][\w$]*)*(?:\(\))?/g;
/** A word longer than any name or path. It is skipped, because the patterns scan each word several times. */
const longRun = /[\w@.*{},/#:>$()-]{300,}/g;
const abbreviation = /\b(?:e\.g|i\.e|a\.m|p\.m|etc|vs)\b\.?/gi;
const mostTerms = 12;

/** Splits a question into terms. Supports English, Chinese, and names from code in both. */
export function questionTermsOf(question: string): QuestionTerms {
  const files: string[] = [];
  const terms = new Map<string, Term>();
  const add = (text: string, kind: Term['kind'], weight: number, forms: readonly string[] = []) => {
    const key = text.toLowerCase();
    if (key === '' || (terms.get(key)?.weight ?? 0) >= weight) return;
    terms.set(key, { text, kind, weight, forms: [...new Set([key, ...forms])] });
  };

  let rest = question
    .replace(longRun, ' ')
    .replace(/https?:\/\/\S+/g, ' ')
    .replace(abbreviation, ' ');
  rest = rest.replace(quotation, (_whole, ...groups: unknown[]) => {
    const text = String(groups.slice(0, 5).find((group) => typeof group === 'string')).trim();
    if (isFile(text)) files.push(text);
    else if (isIdentifier(text)) add(text, 'identifier', 6, spellingsOf(text));
    else add(text, 'quoted', 6);
    return ' ';
  });
  rest = rest.replace(pathLike, (text) => {
    const path = withoutEnd(text, '.,');
    if (!isFile(path)) return text;
    files.push(path);
    return ' ';
  });
  rest = rest.replace(identifier, (text) => {
    const name = text.replace(/\(\)$/, '');
    if (name.includes('-')) add(name, 'word', 2.5, spellingsOf(name));
    else if (isIdentifier(text)) add(name, 'identifier', 5, spellingsOf(name));
    else return text;
    return ' ';
  });
  for (const { text, weight, forms } of wordsIn(rest)) add(text, 'word', weight, forms);

  const sorted = [...terms.values()].sort((one, other) => other.weight - one.weight);
  const isTelling = sorted.some(({ weight }) => weight >= 1) || files.length > 0;
  const kept = isTelling ? sorted.filter(({ weight }) => weight >= 1) : sorted;
  return { files: [...new Set(files)], terms: kept.slice(0, mostTerms) };
}

/** Returns the parts of an identifier for a second search: `file` and `lock` for `fileLock` and `file_lock`. */
export function partsOf(name: string): readonly string[] {
  return identifierParts(name).filter((part) => part.length >= 3 && !saysNothing(part));
}

/** Returns the meaningful words of a text for comparison. */
export function comparedWords(text: string): readonly string[] {
  return wordsOf(text, 3).filter((word) => !saysNothing(word));
}

/** Returns the common beginning of a word's forms, so that `locks` and `locking` match `lock`. */
export function commonStart(word: string): string {
  const stem = stemOf(word);
  const isShared = (_: string, index: number) => word.startsWith(stem.slice(0, index + 1));
  const start = Array.from(stem).filter(isShared).join('');
  return start.length >= 4 ? start.replace(/i$/, '') : word;
}

function spellingsOf(name: string): readonly string[] {
  const parts = partsOf(name);
  return parts.length < 2 ? [] : ['-', '_', ' ', ''].map((joint) => parts.join(joint));
}

function isFile(text: string): boolean {
  if (!/^[\p{L}\p{N}_@.*{},/-]+$/u.test(text) || !/[a-zA-Z\d]/.test(text)) return false;
  if (!text.includes('/')) return /^\.[a-zA-Z]/.test(text) || hasFileName(text);
  // Excludes a slash between words, such as `and/or`.
  return text.split('/').some((part) => part !== '' && !saysNothing(part.toLowerCase()));
}

/** True for a name that is typical of code: with several parts, in capitals, or a call. */
function isIdentifier(text: string): boolean {
  const name = text.replace(/\(\)$/, '');
  if (!/^[\w$.:#>-]{2,}$/.test(name)) return false;
  return (
    text.endsWith('()') ||
    /[a-z\d][A-Z]|[A-Z]{2}[a-z]|[a-zA-Z\d][_$][a-zA-Z\d]|\w(?:\.|::|->|#)[a-zA-Z]/.test(name) ||
    /^[A-Z][A-Z\d]{3,}$/.test(name)
  );
}

interface Word {
  readonly text: string;
  readonly weight: number;
  readonly forms: readonly string[];
}

function wordsIn(text: string): readonly Word[] {
  const words: Word[] = [];
  /** Adjacent words that form a compound. Chinese words are joined, and other words are paired. */
  let compound: string[] = [];
  let isIdeographic = false;
  const closeCompound = () => {
    if (isIdeographic && compound.length > 1) words.push({ text: compound.join(''), weight: 3, forms: [] });
    if (!isIdeographic) words.push(...pairsOf(compound));
    compound = [];
  };
  for (const { text: segment, isWord } of segmentsOf(text)) {
    const word = segment.toLowerCase().split(/['’]/, 1)[0] ?? '';
    if (word === ' ') continue;
    if (!isWord || saysNothing(word)) {
      closeCompound();
      continue;
    }
    if (isUnspaced(word) !== isIdeographic) closeCompound();
    isIdeographic = isUnspaced(word);
    const isShort = word.length < (isIdeographic ? 2 : 3) && !/^[A-Z\d]{2,}$/.test(segment);
    if (isIdeographic || (!isShort && !weakStems.has(stemOf(word)))) compound.push(word);
    else closeCompound();
    if (isShort || /^\d+$/.test(word)) continue;
    const weight = weakStems.has(stemOf(word)) ? 0.5 : isIdeographic ? 2 : weightOf(word);
    const start = commonStart(word);
    words.push({ text: word, weight, forms: start === word ? [] : [start] });
  }
  closeCompound();
  return words;
}

/** Returns the weight of a word. Long words count more, and verbs (`where is it stored?`) count less than nouns. */
function weightOf(word: string): number {
  return word.endsWith('ed') ? 1 : Math.min(2, 1 + word.length / 12);
}

/** Returns pairs of adjacent words, because a pair is often one name: `trigger ratio` is `triggerRatio`. */
function pairsOf(words: readonly string[]): readonly Word[] {
  return words.slice(1).map((word, index) => {
    const one = words[index] ?? '';
    const forms = [word, commonStart(word)].flatMap((other) =>
      [' ', '-', '_', ''].map((joint) => one + joint + other),
    );
    return { text: `${one} ${word}`, weight: 2.2, forms };
  });
}
