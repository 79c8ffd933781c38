import { describe, expect, it } from 'vitest';
import { isInsideGit, isSecretPath, sensitivityOf } from '../../../src/agent/edits/sensitive-path.ts';
import { words } from '../words.ts';

describe('an edit that can be allowed permanently', () => {
  it.each([
    ...words(`src/lock.ts index.html app.py src/deep/er/Widget.tsx lib/a.rb main.go src/main.rs
      test/lock.test.ts tests/test_lock.py src/style.css app/[id]/page.tsx app/(group)/x.vue
      README.md CHANGELOG.md docs/guide.md docs/security.md src/notes.txt i18n/de.po
      src/config.ts src/hooks/use-lock.ts src/agent/tools/read-file.ts src/Größe.java`),
    'src/a b.ts',
  ])('changes %s', (path) => {
    expect(sensitivityOf(path)).toBeUndefined();
  });
});

describe('an edit that needs approval each time', () => {
  it.each([
    // Packages and builds.
    ...words(`package.json sub/package.json package-lock.json pnpm-lock.yaml Makefile GNUmakefile
      build.rs sub/build.rs Cargo.toml setup.py setup.cfg pyproject.toml noxfile.py build.gradle
      build.gradle.kts gradlew gradlew.bat pom.xml CMakeLists.txt a.cmake justfile Taskfile.yml
      Rakefile Gemfile a.gemspec mix.exs go.mod a.csproj Directory.Build.props BUILD.bazel
      WORKSPACE meson.build SConstruct Package.swift project.clj gulpfile.js Gruntfile.js
      binding.gyp requirements.txt requirements/dev.txt composer.json deno.json angular.json
      project.json docker-compose.yml Dockerfile tasks.py scripts/build.ts bin/run.js tools/x.py
      node_modules/x/index.js magefile.go`),
    // Tests and tools.
    ...words(`vitest.config.ts vitest.workspace.ts jest.config.js jest.setup.ts conftest.py
      test/conftest.py karma.conf.js playwright.config.ts vite.config.mjs eslint.config.js
      webpack.prod.js babel.config.cjs next.config.mjs tsconfig.json src/global-setup.ts
      spec/spec_helper.rb sitecustomize.py tailwind.config.ts pnpmfile.cjs pytest.ini tox.ini`),
    // Editors, git and CI.
    ...words(`a.code-workspace .vscode/settings.json .idea/x.xml .gitattributes .gitmodules .husky/x
      HEAD config objects/x refs/heads/x.txt hooks/pre-commit sub/HEAD sub/hooks/update
      objects/x.ts refs/x.md hooks/x.js repository.git/x.ts .github/workflows/ci.yml Jenkinsfile
      azure-pipelines.yml .gitlab-ci.yml .circleci/config.yml .pre-commit-config.yaml`),
    // Files that guide agents.
    ...words(`AGENTS.md sub/AGENTS.md agents.md Agents.override.md CLAUDE.md claude.local.md GEMINI.md
      docs/copilot-instructions.md x.instructions.md docs/x.prompt.md x.chatmode.md
      skills/x/SKILL.md docs/SKILL.md CONVENTIONS.md WARP.md NEWAGENT.md docs/NEWAGENT.md
      .cursorrules .cursor/rules/x.mdc .claude/settings.json .mcp.json mcp.json llms.txt`),
    // Files that run automatically.
    ...words(`run.sh src/run.sh npm.cmd a.bat a.ps1 git.exe a.vbs .bashrc .envrc a.desktop a.service
      a.plist a.reg a.lnk a.jar a.so a.dll a.wasm a src/a`),
    // Disguised names.
    ...words(`src/.hidden src/a.ts:stream src/a.ts. PACKAG~1.JSO src/PACKAG~1.ts ../a.ts ｃｌａｕｄｅ.md
      src/../package.json /etc/a.ts C:/a.ts BUILD.RS Vitest.Config.TS ConfTest.py docs/ſkill.md
      -rf.ts`),
    ...['src/a.ts ', 'src/a\u200b.ts', 'CLAUDE\u200b.md', '', 'src\\a.ts', 'a\nb.ts'],
  ])('changes %j', (path) => {
    expect(sensitivityOf(path)).toBe(isSecretPath(path) ? 'secret' : 'powerful');
  });
});

describe('a path that may hold secrets', () => {
  it.each([
    ...words(`.env .env.local app/.env.production .ENV .env. .env::$DATA prod.env .envrc id_rsa
      id_ed25519.bak keys/id_ecdsa id_work server.pem TLS.KEY a.p12 a.pfx a.jks .npmrc
      app/.npmrc .yarnrc.yml .netrc _netrc .pypirc .pgpass .git-credentials .aws/credentials
      .aws/config .azure/x .kube/config kubeconfig .docker/config.json .config/gcloud/x
      .config/gh/hosts.yml .ssh/config .cargo/credentials.toml .m2/settings.xml credentials.json
      aws-credentials credentials.prod.json secrets.yaml app-secrets.toml
      gcp-service-account.json client_secret_1.json passwords.txt terraform.tfstate prod.tfvars
      .git/config .git/modules/x/config .GIT/config git~1/config x.git/config .bash_history
      auth.json`),
    'config\\.env',
    'C:\\w\\.env',
  ])('includes %j', (path) => {
    expect(isSecretPath(path)).toBe(true);
  });

  it.each(
    words(`src/lock.ts package.json environment.ts env.ts src/credentials.ts secret-path.ts
      password-reset.html id_map.py keys.ts .gitignore .github/x.yml tokens.json a.env/file`),
  )('excludes %j', (path) => {
    expect(isSecretPath(path)).toBe(false);
  });
});

describe('a path', () => {
  it.each([
    '/w/.git/config',
    '/w/.git',
    '/w/.GIT/hooks/pre-commit',
    'C:\\w\\.git.\\config',
    '/w/git~1/config',
    '/w/.git::$INDEX',
    '/w/.g\u200cit/config',
  ])('belongs to git in any spelling: %s', (path) => {
    expect(isInsideGit(path)).toBe(true);
  });

  it.each(['/w/.gitignore', '/w/.github/x', '/w/git/x', '/w/repository.git/x'])(
    'does not belong to git: %s',
    (path) => {
      expect(isInsideGit(path)).toBe(false);
    },
  );
});
