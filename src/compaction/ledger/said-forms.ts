/**
 * The explicit forms in which users state a rule, make a decision or take something back, in English, Chinese and
 * German. Sentences in other words, or in other languages, are found by a model only. Each form stands with examples,
 * which are its tests.
 */
export interface SaidForm {
  readonly kind: 'rule' | 'decision' | 'retraction';
  /** Searched in each clause, so `^` is the beginning of a clause: "and", "please", "ok" and the like are cut off. */
  readonly pattern: RegExp;
  /** Sentences that have the form. */
  readonly examples: readonly string[];
  /** Sentences with the same words that have another meaning. */
  readonly counterexamples?: readonly string[];
}

/** Verbs for work that only an agent does to a project, never a program to its data. */
const work =
  'commit|push|merge|deploy|publish|release|rebase|amend|force[- ]push|stage|stash|edit|modify|touch|refactor|rewrite|reformat|implement|install|proceed|continue|guess|assume|invent|make up|hallucinate|mock';
/** Things that an agent may bring into a project. */
const additions = 'dependenc(?:y|ies)|packages?|librar(?:y|ies)|frameworks?|comments|emojis?|abstractions?';
const soFar = '(?!.*\\b(?:yet|for now|right now|at the moment|this time)\\b)';

const rules: readonly SaidForm[] = [
  {
    kind: 'rule',
    pattern:
      /^(?:never|do(?: not|n['’]?t) ever)\s+(?!mind\b|(?:been|had|seen|done|heard|used to|got|mind|again)\b|\w+ed\b)\p{L}/iu,
    examples: [
      'Never touch the vendor folder.',
      'Please never push to main.',
      'ok, but don’t ever amend commits',
    ],
    counterexamples: ['Never mind.', 'It never worked.', 'I never said that.', 'Never seen this before.'],
  },
  {
    kind: 'rule',
    pattern:
      /^always\s+(?!(?:the|an?|in|on|at|this|that|been|had|was|got|so|is|are)\b|\w+(?:ed|[^s\W]s)\b)\p{L}/iu,
    examples: ['Always run the linter.', 'Also, always ask before you install something.'],
    counterexamples: ['It always fails.', 'Always the same error.'],
  },
  {
    kind: 'rule',
    pattern:
      /\b(?:from now on|going forward|for the rest of (?:this|the) (?:session|conversation|chat)|under no circumstances|at all times)\b/iu,
    examples: ['From now on, report all sizes in tokens.', 'Use conventional commits going forward.'],
  },
  {
    kind: 'rule',
    pattern:
      /\b(?:without (?:asking|checking with|telling|consulting) me|unless i (?:say|ask|tell|approve|confirm)|until i (?:say|tell|ask|approve|confirm|give|answer|reply)|(?:ask|check with|tell|consult|confirm with) me (?:first|before)|ask (?:first|before)|wait for my|without my (?:ok|okay|approval|permission|consent|confirmation))\b/iu,
    examples: [
      'Do not install anything without asking me.',
      'Wait for my approval.',
      'Ask me before you delete a file.',
      'Don’t start until I say so.',
    ],
  },
  {
    kind: 'rule',
    pattern:
      /^only (?:stop|ask|interrupt|proceed|continue|commit|push|merge|deploy|edit|modify|touch|change|work|answer|reply|respond|report|look at)\b/iu,
    examples: ['Yes, keep going. Only stop if you have a question.', 'Only change files under src.'],
    counterexamples: ['Only the first test fails.'],
  },
  {
    kind: 'rule',
    pattern: new RegExp(
      `^do(?: not|n['’]?t) (?:${work})\\b${soFar}|^do(?: not|n['’]?t) (?:add|use|introduce|include|write|create) (?:any |new |more |extra |external |third-party )*(?:${additions})\\b${soFar}|^do(?: not|n['’]?t) stop\\b.{0,40}\\b(?:until|unless|before)\\b`,
      'iu',
    ),
    examples: [
      'Don’t commit.',
      'do not touch the public API',
      'Do not add any new dependencies.',
      'Don’t stop until all tests pass.',
    ],
    counterexamples: [
      'Don’t commit yet.',
      'I don’t use it.',
      'Don’t move the cursor.',
      'Don’t worry about it.',
    ],
  },
  {
    kind: 'rule',
    pattern: new RegExp(
      `^no (?:new|external|extra|additional|more|third[- ]party) (?:${additions}|files|features)\\b|^no (?:${additions})$`,
      'iu',
    ),
    examples: ['No new dependencies, please.', 'Keep it small, no emojis.'],
    counterexamples: ['No new errors.', 'No comments were found.'],
  },
  {
    kind: 'rule',
    pattern:
      /^you (?:must|may (?:not|only|never)|should (?:always|never|only)|(?:need|have) to always|are (?:not |never |only )?allowed to|can(?:not|['’]?t| only| never) (?:use|change|touch|edit|modify|commit|push|install|add|access))\b(?! (?:have|be) )/iu,
    examples: [
      'You must run the tests first.',
      'You may not use the network.',
      'You should always cite the file.',
    ],
    counterexamples: ['You must have missed the second file.', 'You should see a dialog.'],
  },
  {
    kind: 'rule',
    pattern:
      /^we should(?:n['’]?t| not| never| always| only| just always) (?!need|have to|worry|see|get|be able)|^i(?:['’]ll| will) (?:run|test|commit|push|deploy|merge|start|do) .{1,40}\bmyself\b/iu,
    examples: ['We shouldn’t use console.log.', 'I’ll run the app myself whenever needed.'],
    counterexamples: ['We should see a dialog.', 'We shouldn’t need it.'],
  },
  {
    kind: 'rule',
    pattern:
      /^i (?:(?:do not|don['’]?t|never) want you to|(?:want|need|expect) you to (?:always|never|only))\b/iu,
    examples: ['I don’t want you to write code.', 'I want you to always show the diff.'],
    counterexamples: ['I want you to fix the tests.'],
  },
  {
    kind: 'rule',
    pattern:
      /\b(?:(?:every|each) time|whenever) you (?:commit|push|change|edit|modify|make|add|write|finish|complete|fix|create|start|update|implement|touch|need|are)\b|\b(?:before|after) (?:each|every|any) (?:commit|push|change|edit|step|task|phase|merge|deploy|release|file)\b|\bbefore (?:you (?:commit|push|merge|deploy)|(?:committing|pushing|merging|deploying))\b/iu,
    examples: [
      'Every time you change a schema, write a migration.',
      'Run the tests before you commit.',
      'After each step, show me what you did.',
    ],
    counterexamples: ['It crashes every time I click.', 'Every time you click it, the menu closes.'],
  },
  {
    kind: 'rule',
    pattern:
      /^(?:keep (?:going|working) (?:until|unless)|remember to|remember,? (?:you (?:must|may|should)|to))\b/iu,
    examples: ['Keep going until all of it is done.', 'Remember to update the changelog.'],
    counterexamples: ['I remember to have seen it.'],
  },
  {
    kind: 'rule',
    pattern:
      /^(?:hard |project |house |coding |important |my |the )*(?:rule|constraint|requirement|policy)(?: \d)?: \S/iu,
    examples: ['Hard constraint: the API stays as it is.', 'Rule: one commit for each fix.'],
    counterexamples: ['The rule is broken.'],
  },
  {
    kind: 'rule',
    pattern:
      /^(?:nie(?:mals)?|auf keinen fall|unter keinen umständen)\s+\p{L}|\b(?:ab (?:jetzt|sofort)|von nun an)\b|\bohne (?:mich )?(?:vorher |zuerst )?(?:zu fragen|rückfrage|rücksprache)\b|^(?:commit|push|frag|verwend|nutz|benutz|schreib|antwort|änder|lösch|test|führ|prüf|arbeit|rühr)(?:e|st|t)?\b.*\b(?:nie(?:mals)?|immer|auf keinen fall|vorher|nur wenn|erst wenn)\b|^du (?:darfst|musst|sollst) (?:nie(?:mals)?|immer|nur|nicht|keine?n?)\b|^immer (?:erst|zuerst|vorher)\b/iu,
    examples: [
      'Niemals auf main pushen.',
      'Ab jetzt bitte alle Zeiten in UTC.',
      'Committe nichts, ohne mich zu fragen.',
      'Frag mich immer, bevor du etwas löschst.',
      'Du darfst nur Dateien unter src ändern.',
    ],
    counterexamples: ['Das ist nie passiert.', 'Der Test schlägt immer fehl.'],
  },
  {
    kind: 'rule',
    pattern:
      /(?:从现在(?:起|开始)|从今以后|^以后(?:都|请|不要|别|必须|每次)|今后|(?:永远|绝对|千万)(?:不要|不能|不准|别)|每次(?:提交|修改|改|写|回答|完成|推送)|(?:不要|不得|不准|禁止|请勿)(?:修改|改动|提交|推送|删除|引入|擅自)|^一律|未经(?:我|允许|同意)|除非我|先(?:问我|征求我)|^(?:必须|务必))/u,
    examples: [
      '从现在开始，用中文回答。',
      '请不要修改公开的接口。',
      '每次提交前先运行测试。',
      '未经我同意，不要推送。',
      '千万不要动数据库',
    ],
    counterexamples: ['这个函数必须返回数字。'],
  },
];

const option =
  '(?:option|approach|variant|alternative|solution|proposal|version|plan) (?:#?\\d{1,2}|[a-f])\\b|the (?:first|second|third|fourth|last|former|latter) (?:one|option|approach|variant|alternative|solution|proposal|version|plan)\\b';

const decisions: readonly SaidForm[] = [
  {
    kind: 'decision',
    pattern:
      /^let['’]?s (?:use|go (?:with|for)|stick (?:with|to)|stay with|choose|pick|adopt|settle on|switch (?:to|from|over to)|drop|ditch|call (?:it|this|them|the)(?! a day)|name|not (?!worry|forget|mess|get|jump|rush|panic)(?=\w)|keep (?!going|working|moving|looking|digging|trying|an eye|in mind)|leave (?!it (?:here|there|at that)))\b/iu,
    examples: [
      'Let’s go with Zustand.',
      'ok, let’s keep the old endpoint',
      'let’s not support Windows',
      "Let's use Postgres.",
    ],
    counterexamples: ['Let’s see.', 'Let’s keep going.', 'Let’s take a look.', 'Let’s not worry about it.'],
  },
  {
    kind: 'decision',
    pattern:
      /^(?:we(?:['’]ll| will|['’]re going to| are going to) (?:use|go with|stick (?:with|to)|keep|drop|adopt|stay with)|(?:i(?:['’]ll|['’]d| would| will)|we(?:['’]re)|i['’]m)? ?(?:go|going) with)\b/iu,
    examples: [
      'We’ll use SQLite.',
      'I’ll go with the second design.',
      'Go with B.',
      'we are going to keep the monolith',
    ],
    counterexamples: ['It goes with the theme.'],
  },
  {
    kind: 'decision',
    pattern:
      /^(?:we|i)(?:['’]ve| have)? (?:now |just |already |finally )?(?:decided|agreed|settled) (?:to|on|that|against|not|for)\b|^(?:we|i)(?:['’]ve| have)? (?:chose|chosen|opted for)\b|^(?:final )?decision: \S/iu,
    examples: [
      'We decided to keep the monolith.',
      'I have settled on fsnotify.',
      'Decision: listen on port 8080.',
    ],
    counterexamples: ['The decision: unclear.', 'They decided to leave.'],
  },
  {
    kind: 'decision',
    pattern:
      /^(?:use|take|choose|pick|adopt|keep|call it|name it|make it)\s.{1,80}?(?:\binstead\b|\brather than\b|,? (?:and )?not [`"']?[\w@/.-]+[`"']?$)/iu,
    examples: [
      'Use Vitest instead of Jest.',
      'use port 9191 instead',
      'Keep the lock in memory rather than on disk.',
    ],
    counterexamples: ['It should use Vitest instead of Jest?'],
  },
  {
    kind: 'decision',
    pattern: /^(?:call|name) (?:it|this|them) [`"']?[\w./-]+[`"']?$/iu,
    examples: ['Call it notebook.', 'name it `ledger`'],
    counterexamples: ['Let’s call it a day.'],
  },
  {
    kind: 'decision',
    pattern:
      /^use (?:(?:port|version|branch|region|node|python) )?(?!(?:it|them|this|that|these|those|each|both|all)\b)[`"']?[\w@./+-]{2,40}[`"']?(?: (?:for|as) .{1,60})?$/iu,
    examples: ['Use zod.', 'use pnpm for the workspace', 'Use port 9191.'],
    counterexamples: ['Use the tool to find it.'],
  },
  {
    kind: 'decision',
    pattern: new RegExp(
      `^(?:(?:i(?:['’]d| would)? (?:prefer|like|choose|pick|want|say|take)|let['’]?s (?:do|try|go with|go for|start with)|do|use|take|pick|choose|go (?:with|for)|(?:go ahead|proceed|continue) with) )(?:${option})|^(?:${option})(?: (?:please|it is|is (?:fine|good|better|ok(?:ay)?)|sounds good|then|looks good|works))?$`,
      'iu',
    ),
    examples: [
      'Option 2.',
      'yes, let’s do option B',
      'I prefer the first one.',
      'the second approach, please',
    ],
    counterexamples: ['Option A: rewrite it.', 'The first one fails.'],
  },
  {
    kind: 'decision',
    pattern:
      /^(?:we(?:['’]ll| will)? (?:drop|ditch)|we (?:won['’]?t|will not|are not going to|aren['’]t going to|no longer) (?:use|support|need|do|add|keep|implement|ship|have)|(?:drop|remove) support for|switch(?:ing)? (?:to|over to|from))\b|\b(?:is|are) (?:out of scope|off the table)\b/iu,
    examples: ['We drop Windows.', 'we won’t support IE', 'Switch to pnpm.', 'Migrations are out of scope.'],
    counterexamples: ['Why did you switch to pnpm?'],
  },
  {
    kind: 'decision',
    pattern:
      /^we (?:(?:do not|don['’]?t) (?:actually |really |even )?(?:want|need (?!to\b))|want (?:an?|the|one|no) |(?:will|['’]ll) only )|^we['’]ll only |^i (?:do not|don['’]?t) want (?:to (?:use|add|have|support|depend|rely|introduce|maintain|keep)|an?|any|the)\b|^(?:there(?:['’]s| is) )?no need (?:to|for) (?:maintain|keep|support|preserve|handle|backwards?)\b/iu,
    examples: [
      'We don’t need a migration script.',
      'we want a single repository for all of it',
      'We will only test sqlite3 for now.',
      'I don’t want to use this library because it is not active.',
      'There’s no need to maintain backward compatibility.',
    ],
    counterexamples: ['We don’t need to worry.', 'I don’t want to see it.'],
  },
  {
    kind: 'decision',
    pattern:
      /^(?:keep|leave) .{1,60}?(?:\bas[- ]is\b|\bas (?:it is|they are|it was)\b|\balone\b|\bunchanged\b|\buntouched\b)/iu,
    examples: ['Just leave it as it is.', 'keep the old parser as is', 'leave the tests alone'],
  },
  {
    kind: 'decision',
    pattern:
      /^(?:wir (?:nehmen|verwenden|nutzen|benutzen|bleiben bei|lassen es|verzichten auf|haben (?:uns )?(?:für|gegen|entschieden|beschlossen))|ich (?:nehme|habe mich (?:für|gegen|entschieden))|lass(?:t)? uns .{1,60}\b(?:nehmen|verwenden|nutzen|benutzen|bleiben)|(?:nimm|verwende|nutze|benutze) .{1,60}\b(?:statt|anstatt|anstelle|stattdessen)|(?:(?:nimm|dann|wir machen|mach) )?(?:option|variante) (?:\d|[a-f])\b(?!:)|entscheidung: \S)/iu,
    examples: [
      'Wir nehmen Postgres.',
      'Verwende pnpm statt npm.',
      'Variante B.',
      'Wir bleiben bei SQLite.',
      'Entscheidung: Port 9191.',
    ],
    counterexamples: ['Nehmen wir Postgres?', 'Variante B: alles neu schreiben'],
  },
  {
    kind: 'decision',
    pattern:
      /^(?:我们?)?(?:最终|最后|已经)?(?:决定|选定|选择)(?:了|用|采用|使用|改|不)?|^(?:我们?|那|还是)?(?:就|都)?(?:改用|采用|用)(?!户|法|例|途|不了|来|于).{1,30}(?:吧|就行|就好|即可|代替|而不是|不(?:再)?用.{1,20})$|^(?:改用|就用|采用|换成)|不再(?:用|使用|支持)|^(?:就)?(?:选)?方案[A-Z一二三四\d](?:吧|$)/u,
    examples: [
      '我们决定用 MySQL。',
      '改用 PostgreSQL，不再用 MySQL。',
      '就用方案二吧',
      '方案B',
      '那就用 Redis 吧',
    ],
    counterexamples: ['用户登录失败', '方案A：重写'],
  },
];

const retractions: readonly SaidForm[] = [
  {
    kind: 'retraction',
    pattern:
      /^(?:scratch|strike|forget|disregard|ignore|drop|cancel)(?: about)? (?:(?:that|this|it|all (?:of )?(?:that|this))(?: (?:idea|plan|one|last one))?(?:$|:)|(?:everything|all)\b|what i (?:just )?said|my (?:last|previous|earlier)|the (?:last|previous|earlier) (?:message|request|instructions?|point|one|idea|plan))/iu,
    examples: [
      'Scratch that.',
      'forget what I said',
      'Ignore my last message.',
      'Scratch that: use port 9191 instead.',
      'Ignore everything so far.',
    ],
    counterexamples: ['Ignore this warning.', 'Forget the tests that fail.'],
  },
  {
    kind: 'retraction',
    pattern:
      /^(?:never ?mind|nvm)(?:$|[:.]| (?:that|this|it|about|i|my|the last)\b| [\w.-]+$)|^on second thou?ghts?\b|^i(?:['’]ve| have)? changed my mind\b|^i take (?:that|it) back\b|^let me revise\b|^change of plans?\b/iu,
    examples: [
      'Never mind.',
      'On second thought, let’s go with Zustand.',
      'I changed my mind.',
      'Never mind Redis, we’ll use Memcached.',
      'Change of plan: keep sessions in files.',
    ],
    counterexamples: ['Never mind the warnings.'],
  },
  {
    kind: 'retraction',
    pattern:
      /^(?:vergiss (?:das|es|was ich)|streich das|das nehme ich zurück|ich (?:hab(?:e)?(?: es|['’]s)?|habe mir das) mir? ?(?:das )?anders überlegt|doch nicht$|kommando zurück)/iu,
    examples: ['Vergiss das.', 'Ich habe es mir anders überlegt.', 'Doch nicht.'],
  },
  {
    kind: 'retraction',
    pattern:
      /^(?:算了|我改(?:变)?主意了|忘(?:掉|了)(?:刚才|之前|前面)|收回(?:刚才|之前|前面)|还是不(?:要|用)了|取消(?:刚才|之前|上一)|前面(?:说)?的(?:全部)?(?:作废|不算))/u,
    examples: ['算了，用 Redis 吧。', '我改主意了。', '忘掉之前的计划。'],
  },
];

export const saidForms: readonly SaidForm[] = [...retractions, ...rules, ...decisions];
