import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Sentence } from '../../../src/language/sentence.ts';
import { commandNames } from '../../../src/presenters/chat/command-catalogue.ts';
import {
  type CommandHost,
  completeCommand,
  helpLines,
  parseCommand,
  runSlashCommand,
  unescapeCommand,
} from '../../../src/presenters/chat/slash-commands.ts';

describe('reading slash commands', () => {
  describe('parseCommand', () => {
    it.each([
      ['/compact', 'compact', ''],
      ['/compact  the lock, not the tests ', 'compact', 'the lock, not the tests'],
      ['/compact\nfirst line\nsecond line', 'compact', 'first line\nsecond line'],
      ['  /undo\n', 'undo', ''],
      ['/strategy ladder', 'strategy', 'ladder'],
      ['/compact 锁文件', 'compact', '锁文件'],
      ['/no-such-thing at all', 'no-such-thing', 'at all'],
    ])('reads %j as a command', (text, name, argument) => {
      expect(parseCommand(text)).toEqual({ name, argument });
    });

    it.each([
      '',
      '/',
      '/ compact',
      '/src/lock.ts is broken',
      '/compact.md is too long',
      '/Users is full',
      '/compact, please',
      '/2 is a half',
      '//compact is a command',
      'please /compact',
      '// compact this comment',
    ])('reads %j as a message', (text) => {
      expect(parseCommand(text)).toBeUndefined();
    });

    it('accepts any text, and returns only known commands', () => {
      fc.assert(
        fc.property(fc.constantFrom('/', '/undo ', ' /a-b\n'), fc.string(), (beginning, rest) => {
          const { name = '', argument = '' } = parseCommand(beginning + rest) ?? {};
          expect(beginning + rest).toContain(name);
          expect(rest).toContain(argument);
        }),
      );
    });
  });

  describe('an escaped command', () => {
    it('is sent with one slash instead of two', () => {
      expect(unescapeCommand('//compact is a command')).toBe('/compact is a command');
    });

    it.each(['// a comment', 'https://example.com', '//Compact', 'a //compact', '/compact'])(
      'is not recognised in %j, which is sent unchanged',
      (text) => {
        expect(unescapeCommand(text)).toBe(text);
      },
    );
  });
});

describe('running slash commands', () => {
  /** A host that records its requests. */
  class HostDouble implements CommandHost {
    readonly done: (readonly unknown[])[] = [];
    compact = (focus?: string) => this.note('compact', focus);
    selectStrategy = (id?: string) => this.note('selectStrategy', id);
    showContext = () => this.note('showContext');
    undo = () => this.note('undo');
    pin = (id?: string) => this.note('pin', id);
    exportChat = (format?: string) => this.note('exportChat', format);
    handOff = (note?: string) => this.note('handOff', note);
    newChat = () => this.note('newChat');
    selectModel = () => this.note('selectModel');
    showHelp = (lines: readonly Sentence[]) => this.note('showHelp', lines);

    private note(...call: readonly unknown[]): Promise<void> {
      this.done.push(call);
      return Promise.resolve();
    }
  }

  async function run(text: string, host = new HostDouble()) {
    const command = parseCommand(text);
    if (command === undefined) throw new Error(`${text} is no command`);
    const problem = await runSlashCommand(command, host).catch((error: unknown) => (error as Error).message);
    return { problem, done: host.done };
  }

  describe('runCommand', () => {
    it.each([
      ['/compact', ['compact', undefined]],
      ['/compact keep the lock', ['compact', 'keep the lock']],
      ['/strategy', ['selectStrategy', undefined]],
      ['/strategy ladder', ['selectStrategy', 'ladder']],
      ['/context', ['showContext']],
      ['/undo', ['undo']],
      ['/pin', ['pin', undefined]],
      ['/pin last', ['pin', undefined]],
      ['/pin m12', ['pin', 'm12']],
      ['/export', ['exportChat', undefined]],
      ['/export html', ['exportChat', 'html']],
      ['/handoff', ['handOff', undefined]],
      ['/handoff mind the tests', ['handOff', 'mind the tests']],
      ['/new', ['newChat']],
      ['/model', ['selectModel']],
      ['/help', ['showHelp', helpLines()]],
    ])('executes %s', async (text, call) => {
      expect(await run(text)).toEqual({ problem: undefined, done: [call] });
    });

    it.each([
      [
        '/compat',
        'There is no command /compat. Did you mean /compact [focus]? To send it as a message, begin with //.',
      ],
      ['/nwe', 'There is no command /nwe. Did you mean /new? To send it as a message, begin with //.'],
      [
        '/tomorrow we go on',
        'There is no command /tomorrow. /help lists the commands. To send it as a message, begin with //.',
      ],
      [
        '/constructor',
        'There is no command /constructor. /help lists the commands. To send it as a message, begin with //.',
      ],
      ['/strategy lader', 'There is no strategy "lader". Did you mean ladder?'],
      ['/export pdf', 'There is no format "pdf". Choose one of: markdown, html, json.'],
      ['/undo everything', '/undo takes no argument.'],
      ['/pin m1 m2', '/pin takes the id of one message, for example m12, or "last".'],
    ])('answers %s with a sentence and does nothing', async (text, problem) => {
      expect(await run(text)).toEqual({ problem, done: [] });
    });

    it('reports failures of the host', async () => {
      const host = new HostDouble();
      host.undo = () => Promise.reject(new Error('There is no compaction to undo in this chat.'));
      expect((await run('/undo', host)).problem).toBe('There is no compaction to undo in this chat.');
    });

    it('lists every command in the help', () => {
      const help = helpLines().map(({ english }) => english);
      for (const name of commandNames) {
        expect(help.filter((line) => line.startsWith(`/${name}`))).toHaveLength(1);
      }
    });
  });

  describe('completeCommand', () => {
    const labels = (text: string) => completeCommand(text).map(({ label }) => label);

    it.each([
      ['/', commandNames.length],
      ['/x', 0],
      ['', 0],
      ['hello', 0],
      ['/undo ', 0],
      ['/compact the lock', 0],
      ['/nonsense la', 0],
    ])('offers, for %j, %i completions', (text, count) => {
      expect(labels(text)).toHaveLength(count);
    });

    it('completes a name', () => {
      expect(completeCommand('/co')).toMatchObject([
        { text: '/compact ', label: '/compact [focus]' },
        { text: '/context', label: '/context' },
      ]);
    });

    it('completes an argument', () => {
      expect(labels('/export ')).toEqual(['markdown', 'html', 'json']);
      expect(completeCommand('/export h')).toEqual([
        { text: '/export html', label: 'html', summary: undefined },
      ]);
    });

    it('shows the titles of strategies, and inserts their ids', () => {
      expect(completeCommand('/strategy retr')).toMatchObject([
        { text: '/strategy retrieve-facts', label: 'retrieve-facts', summary: { english: 'Retrieve Facts' } },
      ]);
    });
  });
});
