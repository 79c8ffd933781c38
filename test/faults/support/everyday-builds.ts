/** Command lines of everyday work that a user may allow permanently, one per line. */
export const everydayBuilds = String.raw`
npm test
npm t
npm start
npm ci
npm install
npm install left-pad --save-dev
npm run lint -- --fix
npm run test:unit -- lock
npm run build --workspace=a
npm --silent test
npm test 2>&1 | tail -n 40
npm test | head -5
npm test | wc
npm test | wc -l
npm test | grep -c foo
npm test | grep -nE 'foo|bar' -A 3
npm test | grep --color=never -i fail | head
npm test | sort | uniq -c | sort -rn | head -20
npm test | sort -t, -k2,2 -n
npm test | cut -d: -f1
npm test | cut -d ' ' -f 2-
npm test | cut -c1-80
npm test | tr a-z A-Z
npm test | tr -d '\n'
npm test | tr -s ' '
npm test | nl
npm test | tac
npm test | rev
npm test | fold -w 100
npm test | column -t
npm test | sed -n 1,40p
npm test | sed -n '1,5p;20,30p'
npm test | sed 's/a/b/g'
npm test | sed 's#^./##'
npm test | sed -E 's/[0-9]+/N/g'
npm test | sed 10q
npm test | sed 1d
npm test | awk '{print $1}'
npm test | awk '{ print $2, $NF }'
npm test | awk -F: '{print $1}'
npm test | cat -n
npm test |& tail -20
npm test; printf '\n--- done ---\n'; npm run lint
npm test || true
pnpm test
pnpm install
pnpm --filter web test
pnpm -r build
pnpm lint
pnpm exec tsc --noEmit
yarn
yarn install
yarn test
yarn workspace web build
yarn lint
bun test
bun run build
bun install
deno test
deno task build
deno lint
npx vitest run src/a.ts
npx tsc --noEmit
node --test
node --test --test-reporter=spec
node --test --test-name-pattern=lock
node scripts/build.mjs
node --no-warnings scripts/build.mjs
tsx scripts/build.ts
tsc -p .
tsc --noEmit
eslint src
eslint . --fix
prettier --check .
biome check src
vitest run
jest --runInBand src
mocha
playwright test
cypress run
webpack
vite build
next build
ng test
nx run-many -t test
turbo run build
lerna run test
rollup -c
make
make test
make -j4 all
make -C sub test
cmake -B build
cmake --build build
ctest
ninja -C build
meson compile
bazel test ...
cargo build
cargo build --release
cargo test
cargo test --lib lock::tests
cargo +nightly test
cargo test -- --nocapture
cargo clippy --all-targets
cargo fmt --check
cargo run
cargo nextest run
cargo check --features a
rustc src/a.rs
go build
go test ./...
go test -run TestA ./pkg
go vet ./...
go mod tidy
go run ./cmd/x
gofmt -l src
golangci-lint run
staticcheck ./...
python manage.py test
python3 script.py
python3 -u scripts/run.py --fast
python -m pytest
python -m pytest -q tests/test_a.py
python3 -m unittest discover
python -m pip list
python3 -m mypy src
python -Werror -m pytest
.venv/bin/python -m pytest
.venv/bin/pytest -q
pytest
pytest tests/test_a.py::TestA::test_b
pytest -k 'a and b' -x
pytest -q 2>&1 | tail -20
ruff check src
ruff format --check
black --check .
mypy src
flake8
tox -e py312
nox -s tests
pre-commit run
uv sync
uv run pytest
uv pip list
poetry install
poetry run pytest
pdm run pytest
pip install -r requirements.txt
pip list
hatch test
bundle install
bundle exec rspec
bundle exec rake test
bin/rails test
rake test
rspec spec/a_spec.rb
rubocop
ruby test/a_test.rb
composer install
composer test
php artisan test
php -l src/a.php
phpunit
phpstan analyse
perl -c lib/A.pm
prove -l
mvn -q test
mvn clean verify
./mvnw test
gradle test
gradle clean build
./gradlew test
./gradlew :app:assembleDebug
sbt test
dotnet build
dotnet test
dotnet format
swift build
swift test
xcodebuild -list
swiftlint
flutter test
flutter analyze
dart analyze
mix test
mix format
stack build
stack test
cabal build
dune build
dune test
zig build test
clang -O2 -std=c11 -Isrc -o a a.c
julia --project=. test/runtests.jl
Rscript tests/a.R
lua test.lua
gcc -Wall -o a a.c
g++ -std=c++20 -c a.cpp
clang-format --dry-run a.c
javac src/A.java
shellcheck run.sh
shfmt -d run.sh
bash scripts/test.sh
bash -e scripts/test.sh
sh test.sh
./build.sh --fast
./run.sh
scripts/check
bats test
hadolint Dockerfile
yamllint .
markdownlint README.md
just test
task build
mkdir -p build/a
touch src/new.ts
cp src/a.ts src/c.ts
mv src/a.ts src/d.ts
date
sleep 5
uname -a
whoami
ps aux
df -h
cloc src
tokei
mise run test
mise exec -- go test ./...
git fetch
git fetch --all --prune
git fetch origin main
git pull
git pull --rebase
git pull --ff-only origin main
git merge main
git merge --no-ff feature/a
git merge --abort
git cherry-pick abc1234
git cherry-pick --continue
git revert --no-edit HEAD~1
git switch main
git switch -c feature/a
git stash
git stash push -m wip
git stash pop
git tag v1.2.3
git tag -a v1.2.3 -m 'Release'
git tag -l 'v*'
git branch -d old
git branch feature/a
git mv src/a.ts src/e.ts
git rm --cached src/a.ts
git commit --amend --no-edit
git commit -m 'Fix' --no-verify
git init
git ls-remote --tags origin
git version
git log --format='%h %an %ad %s'
git log --pretty=format:'%C(yellow)%h%C(reset) %s'
git log --pretty=oneline
git log --pretty=fuller -3
git log --format=%x09%s
CI=1 npm test
NODE_ENV=test npm test
cd sub && npm test
npm run build && npm test
npm run lint; npm test | head`;

/** Command lines of everyday work in the shell of Windows, one per line. */
export const everydayBuildsOfWindows = String.raw`
npm test
npm.cmd test
npm run build && npm test
npm test && echo done
yarn test
pnpm.cmd install
node scripts\build.mjs
node.exe --test
python -m pytest
py -m pytest
.venv\Scripts\python.exe -m pytest
.\gradlew.bat test
mvn test
dotnet test
dotnet build
cargo test
go test
make test
cmake --build build
git fetch
git status
git pull --rebase
cd sub && npm test
mkdir build`;
