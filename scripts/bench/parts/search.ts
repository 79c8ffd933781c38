import { createPassageIndex } from '../../../src/compaction/retrieval/history-search.ts';
import { passagesOf, type Passage } from '../../../src/compaction/retrieval/passages.ts';
import { type CountTokens, loadEncoding } from '../../../src/compaction/tokens/token-counter.ts';
import { readLocomo, type Conversation } from '../locomo.ts';
import { longSession } from '../long-session.ts';
import { medianTimes, type BenchPart, type Measure } from '../part.ts';

/** Number of messages in the session. Together they have 5 MB of text. */
const messageCount = 1_000;
/** Maximum tokens of a passage, as in the search of the history. */
const passageTokens = 300;
/** Number of passages that a search returns. */
const passagesAtOnce = 8;
/** Maximum tokens of all passages that are found for a question. */
const roomForAnswers = 4_096;

/** Measures the search of the history: its speed and its results. */
export const part: BenchPart = {
  title: 'Searching the history',
  async measure() {
    const count = await loadEncoding('o200k_base');
    return [...(await times(count)), ...(await answerRecall(count))];
  },
};

async function times(count: CountTokens): Promise<readonly Measure[]> {
  const session = longSession(messageCount);
  const passages: Passage[] = [];
  const counts = (texts: readonly string[]) => Promise.resolve(texts.map(count));
  for await (const slice of passagesOf(session, passageTokens, counts)) passages.push(...slice);
  const index = await indexOf(passages);
  const questions = passages.slice(0, 200).map(({ text }) => `Where was ${text.slice(0, 40)}?`);
  const { stringify, build, search } = await medianTimes({
    stringify: { run: () => JSON.stringify(session) },
    build: { run: () => indexOf(passages) },
    search: { run: () => questions.forEach((question) => index.search(question, passagesAtOnce)) },
  });
  return [
    { name: 'indexing, against `JSON.stringify`', value: build / stringify, unit: 'times' },
    {
      name: 'a question, mean',
      value: search / questions.length,
      unit: 'milliseconds',
      target: { atMost: 1 },
    },
  ];
}

async function answerRecall(count: CountTokens): Promise<readonly Measure[]> {
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

async function evidenceFound({ turns, questions }: Conversation, count: CountTokens) {
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

async function indexOf(passages: readonly Passage[]) {
  const index = await createPassageIndex({ readsQuestions: true });
  index.add(passages);
  return index;
}
