import { describe, expect, it } from 'vitest';
import { extractLedger } from '../../src/compaction/ledger/extract.ts';
import { isTyped } from '../../src/compaction/messages/message.ts';
import { ownWords } from '../../src/compaction/messages/typed-parts.ts';
import {
  agreedSentences,
  hashOf,
  labelledSessions,
  labelsOf,
  sentenceHashes,
} from '../support/agents/said-labels.ts';
import { skipReason } from '../support/transcripts.ts';

const sessions = labelledSessions().map((messages) => ({
  ledger: extractLedger(messages),
  typed: messages.filter(isTyped).map((message) => ({ message, text: ownWords(message).trim() })),
}));

/** Judgements of both labellers on the facts under one heading, without those on which they differ. */
function judged(isRight: readonly (readonly boolean[])[]): {
  readonly right: number;
  readonly wrong: readonly number[];
} {
  const agreed = isRight.flatMap(([one, other], index) => (one === other ? [{ isRight: one, index }] : []));
  return {
    right: agreed.filter((one) => one.isRight).length,
    wrong: agreed.flatMap((one) => (one.isRight === true ? [] : [one.index])),
  };
}

/** Tests if each labeller gave one of the kinds to one of the sentences of a fact. */
function labelled(
  fact: string,
  texts: readonly { readonly text: string }[],
  kinds: readonly string[],
): readonly boolean[] {
  const hashes = sentenceHashes(fact);
  const given = texts.flatMap(({ text }) => {
    const sentences = labelsOf(text)?.sentences ?? {};
    return hashes.flatMap((hash) => (sentences[hash] === undefined ? [] : [sentences[hash]]));
  });
  return [0, 1].map((labeller) => given.some((both) => both[labeller]!.some((kind) => kinds.includes(kind))));
}

const share = ({ right, wrong }: ReturnType<typeof judged>): number =>
  right + wrong.length === 0 ? 1 : right / (right + wrong.length);

describe.skipIf(sessions.length === 0)(
  `statements of users in ${sessions.length} labelled sessions (${skipReason})`,
  () => {
    it('are listed as requests with a precision of at least 95 %', () => {
      const listed = sessions.flatMap(({ ledger, typed }) => {
        const requests = new Set(ledger.requests);
        return typed.filter(({ message }) =>
          extractLedger([message]).requests.some((request) => requests.has(request)),
        );
      });
      const known = listed.flatMap(({ text }) => labelsOf(text) ?? []);
      const found = judged(known.map(({ typed }) => typed.map((label) => label !== 'program')));
      expect(found.right).toBeGreaterThan(250);
      expect(share(found)).toBeGreaterThanOrEqual(0.95);
    });

    it.each([
      ['constraints', ['rule'], 1],
      ['decisions', ['decision'], 15],
    ] as const)('are listed as %s with a precision of at least 95 %', (section, kinds, atLeast) => {
      const facts = sessions.flatMap(({ ledger, typed }) =>
        ledger[section].map((fact) => labelled(fact, typed, kinds)),
      );
      const found = judged(facts);
      expect(found.right).toBeGreaterThanOrEqual(atLeast);
      expect(share(found)).toBeGreaterThanOrEqual(0.95);
    });

    it('are replaced only by sentences that a labeller calls a retraction', () => {
      const wrong = sessions.flatMap(({ ledger, typed }) =>
        ledger.replaced.filter(({ by }) => !labelled(by, typed, ['retraction']).includes(true)),
      );
      expect(wrong).toEqual([]);
    });

    // Forms that find more also list sentences of other sessions that settle nothing, and precision has
    // priority.
    it('include at least 25 % of the rules and decisions on which both labellers agree', () => {
      const found = new Set(
        sessions.flatMap(({ ledger: { constraints, decisions, replaced } }) =>
          [...constraints, ...decisions, ...replaced.map(({ text }) => text)].flatMap(sentenceHashes),
        ),
      );
      const said = new Set(sessions.flatMap(({ typed }) => typed.map(({ text }) => hashOf(text))));
      const agreed = agreedSentences().filter(([message]) => said.has(message));
      expect(
        agreed.filter(([, sentence]) => found.has(sentence)).length / agreed.length,
      ).toBeGreaterThanOrEqual(0.25);
    });
  },
);
