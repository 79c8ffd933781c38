import { createPassageIndex, type PassageIndex } from '../../../src/compaction/retrieval/history-search.ts';
import { passagesOf, type Passage } from '../../../src/compaction/retrieval/passages.ts';
import { identifierParts } from '../../../src/compaction/text/words.ts';
import { loadEncoding } from '../../../src/compaction/tokens/token-counter.ts';
import { readLocomo, type Conversation } from '../locomo.ts';
import { longSession } from '../long-session.ts';
import { medianTimes, type BenchPart, type Measure } from '../part.ts';

/** Messages of the session: 5 MB of text. */
const messageCount = 1_000;
/** Tokens of a passage, as the search of the history has them. */
const passageTokens = 300;
/** Queries of each kind for passages that are known to be there. */
const knownItems = 200;
/** Passages that a search gives, and words of which the queries of frequent ones are made. */
const passagesAtOnce = 8;
const frequentCount = 24;
/** Times that something short is timed. */
const timings = 7;
/** Tokens that the passages found for a question may take together. */
const roomForAnswers = 4_096;

/** The search of the history: how long it takes, and what it finds. */
export const part: BenchPart = {
  title: 'Searching the history',
  async measure() {
    const session = longSession(messageCount);
    const count = await loadEncoding('o200k_base');
    const slices: (readonly Passage[])[] = [];
    const counts = (texts: readonly string[]) => Promise.resolve(texts.map(count));
    for await (const slice of passagesOf(session, passageTokens, counts)) slices.push(slice);
    const passages = slices.flat();
    const build = async () => {
      const index = await createPassageIndex({ readsQuestions: true });
      for (const slice of slices) index.add(slice);
      return index;
    };
    const times = await medianTimes({
      stringify: { run: () => JSON.stringify(session) },
      build: { run: build },
    });
    const index = await build();
    const items = everyNth(passages, knownItems);
    const chinese = items.flatMap(({ text }) => /\p{Script=Han}{6}/u.exec(text)?.[0] ?? []);
    const queries = [...items.map(({ text }) => rareWords(text).join(' ')), ...chinese];
    const frequent = frequentQueries(passages);
    const timesOf = (asked: readonly string[]) =>
      leastTimes(asked.map((query) => () => index.search(query, passagesAtOnce)));
    return [
      { name: 'passages', value: passages.length, unit: 'count' },
      { name: 'indexing, against `JSON.stringify`', value: times.build / times.stringify, unit: 'times' },
      {
        name: 'indexing, longest slice on the thread that searches',
        value: Math.max(...(await sliceTimes(slices))),
        unit: 'milliseconds',
        target: { atMost: 10 },
      },
      {
        name: 'a query of rare words, 95 of 100',
        value: percentile(timesOf(queries), 0.95),
        unit: 'milliseconds',
        target: { atMost: 1 },
      },
      {
        name: 'a query of the most frequent words, 95 of 100',
        value: percentile(timesOf(frequent), 0.95),
        unit: 'milliseconds',
        target: { atMost: 1 },
      },
      {
        name: 'a question of them, 95 of 100',
        value: percentile(timesOf(frequent.map((query) => `What did you say of ${query}?`)), 0.95),
        unit: 'milliseconds',
        target: { atMost: 1 },
      },
      ...(await knownItemRecall()),
      ...(await answerRecall(count)),
    ];
  },
};

/** Places in a made-up text of their own, so that each is the only right answer. */
async function knownItemRecall(): Promise<readonly Measure[]> {
  const names = everyNth(
    Array.from({ length: 20_000 }, (_, index) => index),
    2_000,
  );
  const verbs = [
    'open',
    'close',
    'read',
    'write',
    'flush',
    'merge',
    'split',
    'drop',
    'count',
    'sort',
    'trim',
  ];
  const nouns = ['Store', 'Journal', 'Session', 'Window', 'Budget', 'Record', 'Ledger', 'Passage', 'Cache'];
  const ends = [
    'ForReader',
    'AfterCrash',
    'InOrder',
    'WithLock',
    'ByName',
    'AtStart',
    'OfWorker',
    'FromDisk',
  ];
  const han = '仓库写入恢复记录窗口预算会话锁文件读取合并拆分计数排序缓存索引队列解析快照日志线程请求摘要';
  const texts = names.map((seed, index) => {
    const identifier = `${verbs[seed % 11]}${nouns[(seed >> 2) % 9]}${ends[(seed >> 4) % 8]}`;
    const sentence = Array.from(
      { length: 12 },
      (_, at) => han[(seed * 7 + at * at * 13 + index) % han.length],
    ).join('');
    return {
      identifier,
      sentence,
      text: `function ${identifier}() { return step${index}; }\n// ${sentence}。`,
    };
  });
  const index = await indexOf(texts.map(({ text }, at) => ({ messageId: `m${at}`, role: 'tool', text })));
  const recall = (
    query: (text: (typeof texts)[number]) => string,
    has: (found: string, text: (typeof texts)[number]) => boolean,
  ) =>
    everyNth(texts, knownItems).filter((text) =>
      index.search(query(text), 5).some((passage) => has(passage.text, text)),
    ).length / knownItems;
  return [
    {
      name: 'six Chinese characters, found among the first 5',
      value: recall(
        ({ sentence }) => sentence.slice(3, 9),
        (found, { sentence }) => found.includes(sentence.slice(3, 9)),
      ),
      unit: 'share',
      target: { atLeast: 0.9 },
    },
    {
      name: 'parts of an identifier in other words, found among the first 5',
      value: recall(
        ({ identifier }) => identifierParts(identifier).join(' '),
        (found, { identifier }) => found.includes(identifier),
      ),
      unit: 'share',
      target: { atLeast: 0.7 },
    },
  ];
}

async function answerRecall(count: (text: string) => number): Promise<readonly Measure[]> {
  const conversations = await readLocomo();
  if (conversations === undefined) {
    console.log('LoCoMo is not measured: it is not in out/bench and cannot be fetched.');
    return [];
  }
  const perConversation = conversations.map((conversation) => evidenceFound(conversation, count));
  const found = (await Promise.all(perConversation)).flat();
  const share = (isFound: (one: (typeof found)[number]) => boolean) =>
    found.filter(isFound).length / found.length;
  return [
    { name: 'questions of LoCoMo', value: found.length, unit: 'count' },
    {
      name: 'any turn that answers, within 4,096 tokens',
      value: share(({ kept }) => kept > 0),
      unit: 'share',
      target: { atLeast: 0.88 },
    },
    {
      name: 'all turns that answer, within 4,096 tokens',
      value: share(({ kept, total }) => kept === total),
      unit: 'share',
    },
  ];
}

async function evidenceFound({ turns, questions }: Conversation, count: (text: string) => number) {
  const index = await indexOf(turns.map(({ id, text }) => ({ messageId: id, role: 'user', text })));
  const sizes = new Map(turns.map(({ id, text }) => [id, count(text)]));
  return questions.flatMap(({ text, evidence }) => {
    const wanted = evidence.filter((id) => sizes.has(id));
    if (wanted.length === 0) return [];
    const shown = new Set<string>();
    let room = roomForAnswers;
    for (const { messageId } of index.search(text, turns.length)) {
      room -= sizes.get(messageId) ?? 0;
      if (room < 0) break;
      shown.add(messageId);
    }
    return [{ kept: wanted.filter((id) => shown.has(id)).length, total: wanted.length }];
  });
}

async function indexOf(passages: readonly Passage[]): Promise<PassageIndex> {
  const index = await createPassageIndex({ readsQuestions: true });
  index.add(passages);
  return index;
}

function rareWords(text: string): readonly string[] {
  return (text.match(/[A-Za-z_]{4,}\d*/gu) ?? [])
    .toSorted((one, other) => other.length - one.length)
    .slice(0, 3);
}

function everyNth<Value>(values: readonly Value[], count: number): readonly Value[] {
  const step = Math.max(1, Math.floor(values.length / count));
  return values.filter((_, index) => index % step === 0).slice(0, count);
}

/** Queries of the words that most passages have. */
function frequentQueries(passages: readonly Passage[]): readonly string[] {
  const having = new Map<string, number>();
  for (const { text } of passages) {
    for (const word of new Set(text.match(/[A-Za-z]{3,}/gu))) having.set(word, (having.get(word) ?? 0) + 1);
  }
  const words = [...having].toSorted(([, one], [, other]) => other - one).map(([word]) => word);
  return Array.from({ length: frequentCount }, (_, at) =>
    [0, 1, 3, 6].map((step) => words[(at + step) % frequentCount]).join(' '),
  );
}

/** Of each slice, the time of its addition to an index, once code is compiled. */
async function sliceTimes(slices: readonly (readonly Passage[])[]): Promise<readonly number[]> {
  const rounds: (readonly number[])[] = [];
  for (let round = 0; round < timings; round++) {
    const index = await createPassageIndex({ readsQuestions: true });
    rounds.push(slices.map((slice) => timeOf(() => index.add(slice))));
  }
  return leastOf(rounds);
}

/** Milliseconds of each work, the least of several rounds: other programs lengthen it the least. */
function leastTimes(works: readonly (() => unknown)[]): readonly number[] {
  return leastOf(Array.from({ length: timings }, () => works.map(timeOf)));
}

function leastOf(rounds: readonly (readonly number[])[]): readonly number[] {
  return rounds.reduce((least, times) => times.map((time, at) => Math.min(time, least[at] ?? time)));
}

/** Real time: the processor time of a thread is known in steps of some milliseconds only. */
function timeOf(work: () => unknown): number {
  const before = performance.now();
  work();
  return performance.now() - before;
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}
