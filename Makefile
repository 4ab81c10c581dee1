# gpuscale - predict how multi-GPU programs scale.       `make help` for targets

PREFIX  ?= /usr/local
LIBDIR  ?= $(PREFIX)/lib
CFLAGS  ?= -O2 -g
NVCC    ?= nvcc
NVCCFLAGS ?= -O3
# The GPUs to compile for: those that are here, or all from 7.0 on.
NVCCARCH ?= $$(NVCC="$(NVCC)" scripts/arch)
B       := build

# Lua's pkg-config file; where it has none: LUA= with LUA_CFLAGS and LUA_LIBS.
LUA     ?= lua5.4
PKGS    := gsl jansson expat sqlite3 yajl zlib $(LUA)
WARN    := -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wundef \
           -Wvla -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings
CPPFLAGS += -D_POSIX_C_SOURCE=200809L -Imodel $(shell pkg-config --cflags $(PKGS)) $(LUA_CFLAGS)
LDLIBS  += -lcsv $(shell pkg-config --libs $(PKGS)) $(LUA_LIBS) -lm
# The compiler must not fuse a*b+c: results would differ between machines.
override CFLAGS += -ffp-contract=off
# One set of objects for both kinds of library.
PIC     := -fPIC -fno-semantic-interposition

VERSION := $(shell sed -n 's/^\#define GSCALE_VERSION "\(.*\)"/\1/p' model/gpuscale.h)
ABI     := $(shell cut -d' ' -f 1 model/abi)
LIB     := $(B)/libgpuscale.a
LUALIB  := $(B)/libgpuscale-lua.a
SHARED  := $(B)/libgpuscale.so.$(VERSION) $(B)/libgpuscale-lua.so.$(VERSION)
CLI     := $(B)/gpuscale
LIBOBJ  := $(patsubst %.c,$(B)/%.o,$(wildcard model/*.c model/*/*.c model/*/*/*.c))
LUAOBJ  := $(patsubst %.c,$(B)/%.o,$(wildcard lua/language/*.c))
CLIOBJ  := $(LUAOBJ) $(patsubst %.c,$(B)/%.o,$(wildcard cli/*.c cli/*/*.c))
TESTS   := $(patsubst tests/%.c,$(B)/tests/%,$(wildcard tests/t_*.c))
CUDA    := $(patsubst %.cu,$(B)/%,$(wildcard params/bench/*.cu params/bench/apps/*.cu))
TRACES  := $(addprefix $(B)/params/traces/,jacobi pagerank sssp als ct)
BENCHED := $(patsubst %,$(B)/bench/%.trace,jacobi pagerank pull sssp als ct)
SOURCES := $(wildcard model/*.[ch] model/*/*.[ch] model/*/*/*.[ch] lua/*/*.[ch] \
             cli/*.[ch] cli/*/*.[ch] tests/*.[ch] params/bench/*.c params/traces/*.[ch])

# A line for each file that is made, unless make is silent; V=1 shows the commands.
ifeq ($(V)$(findstring s,$(firstword -$(MAKEFLAGS))),)
told = @echo '  $(1) $@';
endif

all: $(LIB) $(CLI)                      ## library and command line

shared: $(SHARED) $(LUALIB)             ## what is installed besides: shared libraries

TRANSCRIPTS := $(wildcard tests/*.t)
# What tests build themselves they build as all else was built.
CHECKED = $(TESTS) $(B)/tests/guard/questions $(B)/tests/guard/monotone $(CLI) $(SHARED) $(LUALIB) $(B)/params/bench/host $(TRACES)
BUILT_BY = B=$(B) CC="$(CC)" CXX="$(CXX)" CFLAGS="$(CFLAGS)"

check: $(CHECKED)                       ## the short suite, no GPU
	@$(BUILT_BY) tests/check $(TESTS) $(TRANSCRIPTS)

check-long: $(CHECKED)                  ## all of the suite, with what takes long
	@$(BUILT_BY) GPUSCALE_LONG=1 tests/check $(TESTS) $(TRANSCRIPTS)

check-full: $(CHECKED)                  ## the statistical tests at full length
	@$(BUILT_BY) GPUSCALE_LONG=1 GPUSCALE_FULL=1 tests/check $(TESTS) $(TRANSCRIPTS)

check-all:                              ## gcc, clang, sanitizers, format: scripts/test
	scripts/test

fuzz:                                   ## build fuzzers of all readers; needs clang
	@$(MAKE) -s B=$(B)/fuzz CC=clang \
	  CFLAGS='-O1 -g -fsanitize=fuzzer-no-link,address,undefined -fno-sanitize-recover=all' \
	  $(B)/fuzz/tests/guided

checked: all $(CHECKED)                 ## build what the suite runs

tests: $(TESTS)                         ## build the test programs

# What they include that is made is there once all is built.
warnings:                               ## what CC says of every source; makes nothing
	@echo $(filter-out tests/faults.c,$(filter %.c,$(SOURCES)) $(wildcard tests/*/*.c)) | xargs -n 40 -P $$(getconf _NPROCESSORS_ONLN) \
	  $(CC) $(WARN) $(CPPFLAGS) -Ilua -Icli -Itests -I$(B)/cli $(CFLAGS) -fsyntax-only

format:                                 ## fail if clang-format would change a file
	@scripts/format check $(SOURCES) || [ $$? = 77 ]

bench-model: $(B)/tests/bench_model $(CLI) ## predictions per second, cold start
	$(B)/tests/bench_model
	tests/bench_cold $(CLI)

bench-replay: $(B)/tests/bench_replay $(BENCHED) ## records per second through each write queue
	$(B)/tests/bench_replay
	$(B)/tests/bench_replay $(BENCHED)

traces: $(TRACES)                       ## the stores of real algorithms, into build/traces
	@B=$(B) scripts/traces $(B)/traces

bench: $(CUDA)                          ## CUDA microbenchmarks; needs nvcc

plots: $(CLI)                           ## every fit of the shipped calibration, into build/plots
	scripts/plots $(B)/plots

notebooks: $(CLI)                       ## run the notebooks, keep what they show
	@scripts/notebooks

reproduce: $(CLI) $(TRACES)             ## what the papers print, and their figures
	B=$(B) scripts/reproduce $(B)/reproduce

doc:                                    ## the equations and their sources
	@sed -n '/^\/\*\*/,/;$$/p' model/gpuscale.h model/gpuscale/*.h

fmt:                                    ## format in place
	@scripts/format fix $(SOURCES)

sources:
	@echo $(SOURCES)

install: all shared                     ## into $(DESTDIR)$(PREFIX)
	@scripts/install $(B) "$(DESTDIR)" "$(PREFIX)" "$(LIBDIR)" $(VERSION) $(ABI) "$(LUA)" "$(LUA_LIBS)"

uninstall: all shared                   ## removes what install put there
	@scripts/uninstall $(B) "$(DESTDIR)" "$(PREFIX)" "$(LIBDIR)" $(VERSION) $(ABI) "$(LUA)" "$(LUA_LIBS)"

paper: $(CLI)                           ## docs/paper/paper.md, with numbers of now
	@PATH="$(CURDIR)/$(B):$$PATH" scripts/paper

site:                                   ## the documentation with search, by mkdocs and pandoc, into build/site
	@rm -rf $(B)/site $(B)/site-pages && mkdir -p $(B)/site-pages
	@git ls-files '*.md' '*.svg' ':(glob)data/*.csv' docs notebooks model/gpuscale.h | tar cf - -T - | tar xf - -C $(B)/site-pages
	@f=docs/explanation/formulas.md; pandoc -f gfm+tex_math_dollars -t html --mathml $$f | \
	  sed 's/\.md"/.html"/g' >$(B)/site-pages/$$f
	@mkdocs build -q -d $(B)/site

dist:                                   ## a tarball of what is committed, into build/
	@scripts/dist $(B)

clean:                                  ## remove everything built
	rm -rf $(B)

help:                                   ## this list
	@sed -n 's/^\([a-z-]*\):.*## */  \1\t/p' Makefile | expand -t 16

# ---- how things are made ----------------------------------------------------

$(LIB): $(LIBOBJ)
	@rm -f $@
	$(call told,AR )$(AR) rcs $@ $^

$(LUALIB): $(LUAOBJ)
	@rm -f $@
	$(call told,AR )$(AR) rcs $@ $^

# Only what the headers declare is seen from outside.
LINK_SHARED = $(call told,LD )$(CC) $(CFLAGS) $(LDFLAGS) -shared -Wl,-soname,$(basename $(basename $(basename $(@F)))).$(ABI) \
  -Wl,--version-script=model/exports.map -Wl,--no-undefined -o $@

$(B)/libgpuscale.so.$(VERSION): $(LIBOBJ) model/exports.map model/abi
	$(LINK_SHARED) $(LIBOBJ) $(LDLIBS)

$(B)/libgpuscale-lua.so.$(VERSION): $(LUAOBJ) $(B)/libgpuscale.so.$(VERSION) model/abi
	$(LINK_SHARED) $(LUAOBJ) $(B)/libgpuscale.so.$(VERSION) $(LDLIBS)

$(CLI): $(CLIOBJ) $(LIB)
	$(call told,LD )$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(CLIOBJ): CPPFLAGS += -Ilua -Icli

# Each file of cli/verbs/ is a verb: the date of the folder tells when one comes or goes.
VERBS := $(basename $(notdir $(wildcard cli/verbs/*.c)))
$(B)/cli/verbs.def: cli/verbs
	@mkdir -p $(@D)
	@printf 'VERB(%s)\n' $(VERBS) >$@
$(B)/cli/main.o: $(B)/cli/verbs.def
$(B)/cli/main.o: CPPFLAGS += -I$(B)/cli

# The script of a page that is moved by hand, and programs of profiles, a string a line.
$(B)/cli/sliders.inc: cli/report/sliders.js
$(B)/cli/traced.inc: cli/describe/traced.lua
$(B)/cli/body.inc: cli/describe/body.lua
$(B)/cli/sliders.inc $(B)/cli/traced.inc $(B)/cli/body.inc:
	@mkdir -p $(@D)
	@sed 's/[\\"]/\\&/g; s/^/"/; s/$$/\\n",/' $< >$@
$(B)/cli/report/sliders.o: $(B)/cli/sliders.inc
$(B)/cli/describe/traced_write.o: $(B)/cli/traced.inc
$(B)/cli/describe/body_write.o: $(B)/cli/body.inc
$(B)/cli/report/sliders.o $(B)/cli/describe/traced_write.o $(B)/cli/describe/body_write.o: CPPFLAGS += -I$(B)/cli

$(LIBOBJ) $(LUAOBJ): override CFLAGS += $(PIC)

# t_describe tests a part of the program, without its main().
DESCRIBE := $(patsubst %.c,$(B)/%.o,$(wildcard lua/language/*.c))
LOADING := $(addprefix $(B)/tests/t_,describe uncertainty asked plan wires)
$(LOADING): $(DESCRIBE)
$(LOADING): EXTRA = $(DESCRIBE)
$(LOADING): CPPFLAGS += -Ilua -Icli

# Of scripts/guard: drawn questions about what is shipped, and what is drawn.
$(B)/tests/guard/questions $(B)/tests/guard/monotone: $(DESCRIBE)
$(B)/tests/guard/questions $(B)/tests/guard/monotone: EXTRA = $(DESCRIBE)
$(B)/tests/guard/questions $(B)/tests/guard/monotone: CPPFLAGS += -Ilua -Icli -Itests


# All of the program but its main().
PROGRAM := $(filter-out $(B)/cli/main.o,$(CLIOBJ))
$(B)/tests/t_over: $(PROGRAM)
$(B)/tests/t_over: EXTRA = $(PROGRAM)
$(B)/tests/t_over: CPPFLAGS += -Ilua -Icli

GROUPS := $(addprefix $(B)/cli/validate/,groups.o intern.o)
$(B)/tests/t_groups: $(GROUPS)
$(B)/tests/t_groups: EXTRA = $(GROUPS)
$(B)/tests/t_groups: CPPFLAGS += -Ilua -Icli

$(B)/tests/t_digest: $(DESCRIBE)
$(B)/tests/t_digest: EXTRA = $(DESCRIBE)
$(B)/tests/t_digest: CPPFLAGS += -Ilua -Icli

# Readers of files and texts are fuzzed: t_fuzz by itself, `make fuzz` as libFuzzer is led.
FUZZED := $(B)/tests/fuzz/readers.o $(filter-out $(B)/cli/main.o,$(CLIOBJ))
$(B)/tests/fuzz/readers.o: CPPFLAGS += -Ilua -Icli
$(B)/tests/t_fuzz: $(FUZZED)
$(B)/tests/t_fuzz: EXTRA = $(FUZZED)
$(B)/tests/t_fuzz: CPPFLAGS += -Ilua -Icli -Itests
$(B)/tests/guided: tests/fuzz/guided.c $(FUZZED) $(LIB)
	$(CC) $(WARN) $(CPPFLAGS) $(CFLAGS) -fsanitize=fuzzer -o $@ $< $(FUZZED) $(LIB) $(LDLIBS)

# t_faults makes calls of the program fail, by a library loaded before it.
$(B)/tests/t_faults: $(B)/tests/faults.so
$(B)/tests/faults.so: tests/faults.c
	@mkdir -p $(@D)
	$(CC) $(filter-out -Wmissing-prototypes,$(WARN)) $(CPPFLAGS) $(CFLAGS) -fPIC -shared -o $@ $< -ldl

$(B)/tests/%: tests/%.c $(LIB)
	@mkdir -p $(@D)
	$(call told,CC )$(CC) $(WARN) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -MMD -MP -o $@ $< $(EXTRA) $(LIB) $(LDLIBS)

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(call told,CC )$(CC) $(WARN) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(B)/params/bench/%: params/bench/%.cu $(wildcard params/bench/*.cuh)
	@mkdir -p $(@D)
	$(NVCC) $(NVCCFLAGS) -std=c++17 $(NVCCARCH) -lineinfo -Xcompiler -Wall,-Wextra \
	  $(shell sed -n 's|^// flags: *||p' $<) -o $@ $<

$(B)/params/bench/host: params/bench/host.c
	@mkdir -p $(@D)
	$(call told,CC )$(CC) $(WARN) $(CPPFLAGS) $(CFLAGS) -O2 -pthread $(LDFLAGS) -o $@ $< -lm

# What they share; the tools of a program are libc and libm.
TRACING := $(addprefix $(B)/params/traces/,trace.o machine.o count.o graph.o)
$(B)/params/traces/ct: $(B)/params/traces/projector.o
$(TRACES): %: %.o $(TRACING)
	$(call told,LD )$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lm

# Stores of algorithms, for bench-replay.
$(B)/bench/%.trace: $(B)/params/traces/%
	@mkdir -p $(@D)
	$< --gpus 4 -o $@

$(B)/bench/pull.trace: $(B)/params/traces/pagerank
	@mkdir -p $(@D)
	$< --gpus 4 --pull 1 -o $@

.PHONY: all shared check checked warnings check-long check-full check-all fuzz tests format bench-model bench-replay bench traces plots notebooks reproduce doc fmt sources install uninstall paper dist clean help
.DELETE_ON_ERROR:
.SECONDARY:
-include $(shell find $(B) -name '*.d' 2>/dev/null)
# SPDX-License-Identifier: GPL-3.0-or-later
