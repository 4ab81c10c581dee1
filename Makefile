# gpuscale - predict how multi-GPU programs scale.       `make help` for targets

PREFIX  ?= /usr/local
CFLAGS  ?= -O2 -g
NVCC    ?= nvcc
B       := build

LUA     ?= lua5.4
PKGS    := gsl jansson expat $(LUA)
WARN    := -std=c11 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wundef \
           -Wvla -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings
CPPFLAGS += -D_POSIX_C_SOURCE=200809L -Imodel $(shell pkg-config --cflags $(PKGS))
LDLIBS  += -lcsv $(shell pkg-config --libs $(PKGS)) -lm
# The compiler must not fuse a*b+c: results would differ between machines.
override CFLAGS += -ffp-contract=off

LIB     := $(B)/libgpuscale.a
CLI     := $(B)/gpuscale
LIBOBJ  := $(patsubst %.c,$(B)/%.o,$(wildcard model/*.c model/*/*.c model/*/*/*.c))
CLIOBJ  := $(patsubst %.c,$(B)/%.o,$(wildcard lua/*.c lua/*/*.c))
TESTS   := $(patsubst tests/%.c,$(B)/tests/%,$(wildcard tests/t_*.c))
CUDA    := $(patsubst %.cu,$(B)/%,$(wildcard params/bench/*.cu params/bench/apps/*.cu))
TRACES  := $(addprefix $(B)/params/traces/,jacobi pagerank sssp als ct)
BENCHED := $(patsubst %,$(B)/bench/%.trace,jacobi pagerank pull sssp als ct)
SOURCES := $(wildcard model/*.[ch] model/*/*.[ch] model/*/*/*.[ch] lua/*.[ch] lua/*/*.[ch] \
             tests/*.[ch] params/bench/*.c params/traces/*.[ch])

all: $(LIB) $(CLI)                      ## library and command line

check: $(TESTS) $(CLI) $(B)/params/bench/host $(TRACES) ## the short suite, no GPU
	@B=$(B) tests/check $(TESTS) tests/*.t

check-long: $(TESTS) $(CLI) $(B)/params/bench/host $(TRACES) ## the statistical tests at full length
	@B=$(B) GPUSCALE_LONG=1 tests/check $(TESTS) tests/*.t

check-all:                              ## gcc, clang, sanitizers, format: scripts/test
	scripts/test

tests: $(TESTS)                         ## build the test programs

format:                                 ## fail if clang-format would change a file
	@scripts/format check $(SOURCES) || [ $$? = 77 ]

bench-model: $(B)/tests/bench_model $(B)/tests/bench_timeline $(CLI) ## predictions per second, cold start
	$(B)/tests/bench_model
	$(B)/tests/bench_timeline
	tests/bench_cold $(CLI)

bench-replay: $(B)/tests/bench_replay $(BENCHED) ## records per second through each write queue
	$(B)/tests/bench_replay
	$(B)/tests/bench_replay $(BENCHED)

traces: $(TRACES)                       ## programs that emit the stores of real algorithms

bench: $(CUDA)                          ## CUDA microbenchmarks; needs nvcc

plots: $(CLI)                           ## every figure, into build/plots
	scripts/plots $(B)/plots

reproduce: $(CLI) $(TRACES)             ## what the papers print, and their figures
	B=$(B) scripts/reproduce $(B)/reproduce

doc:                                    ## the equations and their sources
	@sed -n '/^\/\*\*/,/;$$/p' model/gpuscale.h model/gpuscale/*.h

fmt:                                    ## format in place
	@scripts/format fix $(SOURCES)

sources:
	@echo $(SOURCES)

install: all                            ## into $(DESTDIR)$(PREFIX)
	install -D -m755 $(CLI) $(DESTDIR)$(PREFIX)/bin/gpuscale
	install -D -m644 $(LIB) $(DESTDIR)$(PREFIX)/lib/libgpuscale.a
	install -D -m644 model/gpuscale.h $(DESTDIR)$(PREFIX)/include/gpuscale.h
	for f in model/gpuscale/*.h; do \
	  install -D -m644 $$f $(DESTDIR)$(PREFIX)/include/$${f#model/} || exit; done
	for f in params/*.lua lua/workloads/*.lua lua/examples/*.lua \
    lua/schemas/*.json \
    lua/published/*.lua data/published/*.csv data/*.csv data/*/discrepancy.csv \
    plots/*.gp; do \
	  install -D -m644 $$f $(DESTDIR)$(PREFIX)/share/gpuscale/$$f || exit; done

clean:                                  ## remove everything built
	rm -rf $(B)

help:                                   ## this list
	@sed -n 's/^\([a-z-]*\):.*## */  \1\t/p' Makefile | expand -t 16

# ---- how things are made ----------------------------------------------------

$(LIB): $(LIBOBJ)
	@rm -f $@
	$(AR) rcs $@ $^

$(CLI): $(CLIOBJ) $(LIB)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ $(LDLIBS)

$(CLIOBJ): CPPFLAGS += -Ilua

# t_describe tests a part of the program, without its main().
DESCRIBE := $(patsubst %.c,$(B)/%.o,$(wildcard lua/language/*.c))
$(B)/tests/t_describe: $(DESCRIBE)
$(B)/tests/t_describe: EXTRA = $(DESCRIBE)
$(B)/tests/t_describe: CPPFLAGS += -Ilua
$(B)/tests/t_uncertainty: $(DESCRIBE)
$(B)/tests/t_uncertainty: EXTRA = $(DESCRIBE)
$(B)/tests/t_uncertainty: CPPFLAGS += -Ilua

$(B)/tests/t_arena: $(B)/lua/language/arena.o
$(B)/tests/t_arena: EXTRA = $(B)/lua/language/arena.o
$(B)/tests/t_arena: CPPFLAGS += -Ilua

GROUPS := $(addprefix $(B)/lua/validate/,groups.o lexicon.o)
$(B)/tests/t_groups: $(GROUPS)
$(B)/tests/t_groups: EXTRA = $(GROUPS)
$(B)/tests/t_groups: CPPFLAGS += -Ilua

$(B)/tests/t_digest: $(DESCRIBE)
$(B)/tests/t_digest: EXTRA = $(DESCRIBE)
$(B)/tests/t_digest: CPPFLAGS += -Ilua

$(B)/tests/t_published: $(B)/lua/reproduce/published.o $(B)/lua/reproduce/sheet.o $(DESCRIBE)
$(B)/tests/t_published: EXTRA = $(B)/lua/reproduce/published.o $(B)/lua/reproduce/sheet.o $(DESCRIBE)
$(B)/tests/t_published: CPPFLAGS += -Ilua

# t_faults makes calls of the program fail, by a library loaded before it.
$(B)/tests/t_faults: $(B)/tests/faults.so
$(B)/tests/faults.so: tests/faults.c
	@mkdir -p $(@D)
	$(CC) $(filter-out -Wmissing-prototypes,$(WARN)) $(CPPFLAGS) $(CFLAGS) -fPIC -shared -o $@ $< -ldl

$(B)/tests/%: tests/%.c $(LIB)
	@mkdir -p $(@D)
	$(CC) $(WARN) $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) -MMD -MP -o $@ $< $(EXTRA) $(LIB) $(LDLIBS)

$(B)/%.o: %.c
	@mkdir -p $(@D)
	$(CC) $(WARN) $(CPPFLAGS) $(CFLAGS) -MMD -MP -c -o $@ $<

$(B)/params/bench/%: params/bench/%.cu $(wildcard params/bench/*.cuh)
	@mkdir -p $(@D)
	$(NVCC) -O3 -std=c++17 -arch=sm_90 -lineinfo -Xcompiler -Wall,-Wextra \
	  $(shell sed -n 's|^// flags: *||p' $<) -o $@ $<

$(B)/params/bench/host: params/bench/host.c
	@mkdir -p $(@D)
	$(CC) $(WARN) $(CPPFLAGS) $(CFLAGS) -O2 -pthread $(LDFLAGS) -o $@ $< -lm

# What they share; the tools of a program are libc and libm.
TRACING := $(addprefix $(B)/params/traces/,trace.o machine.o count.o graph.o)
$(B)/params/traces/ct: $(B)/params/traces/projector.o
$(TRACES): %: %.o $(TRACING)
	$(CC) $(CFLAGS) $(LDFLAGS) -o $@ $^ -lm

# Stores of algorithms, for bench-replay.
$(B)/bench/%.trace: $(B)/params/traces/%
	@mkdir -p $(@D)
	$< --gpus 4 -o $@

$(B)/bench/pull.trace: $(B)/params/traces/pagerank
	@mkdir -p $(@D)
	$< --gpus 4 --pull 1 -o $@

.PHONY: all check check-long check-all tests format bench-model bench-replay bench traces plots reproduce doc fmt sources install clean help
.DELETE_ON_ERROR:
.SECONDARY:
-include $(shell find $(B) -name '*.d' 2>/dev/null)
