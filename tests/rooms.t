# Rooms of model/ know those below them only, as docs/architecture.md draws them (tests/rooms).
#once
$ $SRC/tests/rooms $B

# None changes what all of the process share.
$ nm $B/libgpuscale.a | grep -E "gsl_set_error_handler|setlocale|signal"; echo $?
1

# ---- what it finds, in a house of a few files
$ mkdir -p house/tests house/model/ground house/model/price house/lua house/cli/common house/cli/verbs; \
  cp $SRC/tests/rooms house/tests; cd house; mkdir docs; \
  printf '%s\n' ' +' '   | c replay | a' '   | b price |' ' +' ' 1 | a ground | b' '| 1 | `model/price/plan.c`' > docs/architecture.md; \
  echo 'void price(void); int kept[2]; void text(void) { price(); }' > model/ground/text.c; \
  echo 'extern void text(void); void (*const row[])(void) = {text}; void price(void) { row[0](); }' > model/price/plan.c; \
  echo 'void list(void); void say(void) {} int main(void) { list(); }' > cli/main.c; \
  echo 'void say(void); void list(void) { say(); }' > cli/verbs/list.c; \
  for c in 'a b' 'b c' 'c d' 'd a'; do set -- $c; echo "void $2(void); void $1(void) { $2(); }" > cli/common/$1.c; done; \
  echo '#include "price/plan.h"' > model/ground/ground.h; yes | head -601 > model/price/plan.h; \
  for c in $(find . -name '*.c'); do mkdir -p build/${c%/*}; ${CC:-cc} -fPIC -O0 -c -o build/${c%c}o $c; done; \
  tests/rooms; echo $?
circle: cli/common/a.c needs b of cli/common/b.c
circle: cli/common/b.c needs c of cli/common/c.c
circle: cli/common/c.c needs d of cli/common/d.c
circle: cli/common/d.c needs a of cli/common/a.c
circle: cli/main.c needs list of cli/verbs/list.c
circle: cli/verbs/list.c needs say of cli/main.c
circle: model/ground/ground.h needs "price/plan.h" of model/price/plan.h
circle: model/ground/text.c needs price of model/price/plan.c
circle: model/price/plan.c needs text of model/ground/text.c
large: model/price/plan.h: 601 lines
plan: 1 is in model/price/plan.c
plan: cli is not drawn
plan: model/price/plan.c needs text of model/ground/text.c
plan: replay is not there
plan: replay needs nothing of ground
up: model/ground/ground.h needs "price/plan.h" of model/price/plan.h
up: model/ground/text.c needs price of model/price/plan.c
variable: model/ground/text.o: kept
1
