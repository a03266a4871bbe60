# Makefile -- builds, tests and installs Hob. GNU make; everything made goes to build/.
#
#   make               the library (static and shared) and the program
#   make run           install what is missing, build, and take a tour in a virtual sandbox
#   make test          install what is missing, build, and run every test
#   make install       PREFIX=/usr/local DESTDIR=
#
# Options are variables and choose a build directory of their own, so objects never mix:
#
#   CC=clang                   another compiler
#   SAN=address,undefined      sanitizers
#   CORE=1                     the embedded core: a C compiler alone, made small
#   V=1                        show the commands
#
# Further targets: unit api agent model spec differential record examples torture fuzz fuzz-replay tsan conform
# bench check core-size format amalgamation uninstall clean deps.

.DEFAULT_GOAL := all
.DELETE_ON_ERROR:
.SUFFIXES:
MAKEFLAGS += --no-builtin-rules --no-print-directory

# ---- options ---------------------------------------------------------------------------------
ifeq ($(origin CC),default)
CC := gcc
endif
SAN     ?=
CORE    ?=
V       ?=
TESTEE  ?= hob
PREFIX  ?= /usr/local
DESTDIR ?=
JOBS    ?= $(shell nproc 2>/dev/null || echo 2)

comma := ,
space := $(subst ,, )
# The build directory follows from the options: build, build/core, build/san-address, build/clang...
kind := $(filter-out gcc cc,$(notdir $(firstword $(CC)))) $(if $(CORE),core) \
        $(if $(SAN),san-$(subst $(comma),-,$(SAN)))
B := $(patsubst %/,%,build/$(subst $(space),-,$(strip $(kind))))

# The version has one home: the public header.
version_of = $(shell sed -n 's/^.define HOB_VERSION_$(1)  *\([0-9][0-9]*\).*/\1/p' include/hob.h \
        2>/dev/null)
MAJOR   := $(or $(call version_of,MAJOR),0)
VERSION := $(MAJOR).$(or $(call version_of,MINOR),1).$(or $(call version_of,PATCH),0)

# ---- sources: the line of layers ---------------------------------------------------------------
PURE    := base text task net vfs shell commands
LAYERS  := $(PURE) host sandbox connectors agent server
ifneq ($(CORE),)
LAYERS  := $(PURE) host sandbox
endif

sources_of = $(sort $(wildcard src/$(1)/*.c src/$(1)/*/*.c))
LIB_SRC := $(foreach layer,$(LAYERS),$(call sources_of,$(layer)))
# The core has the shell and the everyday commands: those in Y( ) of table.c are not among them.
NOT_CORE := awk/% jq/% rg/% curl/% html/% zip/% file/% bc/% sqlite3/% tar/% patch/% diff/% wget.c \
        diff3.c sdiff.c compress.c tree.c ps.c pgrep.c uptime.c iconv.c numfmt.c dd.c xxd.c column.c \
        factor.c man.c watch.c expr.c sort/sort_debug.c yq/% basenc.c reflow.c look.c pathchk.c csplit.c \
        install.c df.c hexdump/% pr/% dc/% lib/count.c terminal.c flock.c getconf.c
ifneq ($(CORE),)
LIB_SRC := $(filter-out $(NOT_CORE:%=src/commands/%) src/text/bignum.c src/text/decimal.c \
        src/text/codec.c src/text/zonedata.c src/text/schema%.c src/text/frontmatter.c src/net/sse.c,\
        $(LIB_SRC))
endif
CLI_SRC := $(if $(CORE),,$(call sources_of,cli))
HEADERS := $(wildcard include/*.h src/*/*.h src/*/*/*.h)
object_of = $(patsubst src/%.c,$(B)/obj/%.o,$(1))
LIB_OBJ := $(call object_of,$(LIB_SRC))
CLI_OBJ := $(call object_of,$(CLI_SRC))

programs_of = $(patsubst $(1)/%.c,$(B)/$(1)/%,$(filter-out %/replay.c,$(sort $(wildcard $(1)/*.c))))
UNIT     := $(call programs_of,tests/unit)
API      := $(call programs_of,tests/api)
CONTRACT := $(call programs_of,tests/contract)
AGENT    := $(call programs_of,tests/agent)
MODEL    := $(call programs_of,tests/model)
NET      := $(call programs_of,tests/net)
TORTURE  := $(call programs_of,tests/torture)
EXAMPLES := $(call programs_of,examples)
BENCH    := $(call programs_of,bench)
REPLAY   := $(call programs_of,fuzz)
FUZZERS  := $(patsubst fuzz/%.c,$(B)/fuzzer/%,$(filter-out %/replay.c,$(wildcard fuzz/*.c)))

# ---- flags -------------------------------------------------------------------------------------
WARN := -Wall -Wextra -Werror -Wshadow -Wstrict-prototypes -Wmissing-prototypes -Wpointer-arith -Wvla
ifneq ($(SAN),)
  # A failed check ends the program, so that no test passes over it.
  OPT    := -O1 -g -fsanitize=$(SAN) -fno-sanitize-recover=all -fno-omit-frame-pointer
  # Instrumented code leads gcc to see uninitialised values where there are none.
  OPT    += $(if $(findstring clang,$(CC)),,-Wno-maybe-uninitialized)
  LDFLAGS += -fsanitize=$(SAN)
else ifneq ($(CORE),)
  OPT    := -Os -DHOB_CORE=1 -ffunction-sections -fdata-sections -fno-asynchronous-unwind-tables
else
  OPT    := -O2 -g -ffunction-sections -fdata-sections
  OPT    += -D_FORTIFY_SOURCE=2 -fstack-protector-strong -fstack-clash-protection
  LDFLAGS += -Wl,-z,relro,-z,now
endif

CFLAGS_ALL := -std=c11 -Isrc -Iinclude $(WARN) $(OPT) -fPIC -fvisibility=hidden $(CFLAGS)

# What stands right of `commands` may use the whole of the system's C library, and the libraries found.
layer_flags = $(if $(filter $(firstword $(subst /, ,$(1))),$(PURE)),$(PURE_CFLAGS),-D_GNU_SOURCE $(LIB_CFLAGS)) \
              $(if $(filter cli/%,$(1)),$(EDIT_CFLAGS))
cflags_of   = $(strip $(CFLAGS_ALL) $(call layer_flags,$(patsubst src/%,%,$(1))))

# Optional libraries, found by pkg-config.
EDIT_LIBS   := $(if $(CORE),,$(shell pkg-config --libs libedit 2>/dev/null))
EDIT_CFLAGS := $(if $(EDIT_LIBS),-DHAVE_LIBEDIT=1 $(shell pkg-config --cflags libedit))
# Those of the library itself: libcurl for HTTP (without it no model but offline/ can be reached),
# SQLite for sessions that last.
CURL_LIBS     := $(if $(CORE),,$(shell pkg-config --libs libcurl 2>/dev/null))
CURL_CFLAGS   := $(if $(CURL_LIBS),-DHAVE_LIBCURL=1 $(shell pkg-config --cflags libcurl))
SQLITE_LIBS   := $(if $(CORE),,$(shell pkg-config --libs sqlite3 2>/dev/null))
SQLITE_CFLAGS := $(if $(SQLITE_LIBS),-DHAVE_SQLITE3=1 $(shell pkg-config --cflags sqlite3))
# What the commands that pack and unpack need; bzip2 has no file for pkg-config.
PACK_LIBS     := $(if $(CORE),,$(strip $(shell pkg-config --libs zlib 2>/dev/null) \
                 $(shell pkg-config --libs liblzma 2>/dev/null) \
                 $(shell pkg-config --libs libzstd 2>/dev/null) \
                 $(shell echo '\#include <bzlib.h>' | $(CC) -E - >/dev/null 2>&1 && echo -lbz2)))
PACK_CFLAGS   := $(patsubst -lz,-DHAVE_ZLIB=1,$(patsubst -lbz2,-DHAVE_BZIP2=1,$(patsubst \
                 -llzma,-DHAVE_LZMA=1,$(patsubst -lzstd,-DHAVE_ZSTD=1,$(filter -l%,$(PACK_LIBS))))))
# Perl's regular expressions: grep -P, rg -P, and those of jq.
PCRE_LIBS     := $(if $(CORE),,$(shell pkg-config --libs libpcre2-8 2>/dev/null))
PCRE_CFLAGS   := $(if $(PCRE_LIBS),-DHAVE_PCRE2=1 $(shell pkg-config --cflags libpcre2-8))
PURE_CFLAGS   := $(strip $(PACK_CFLAGS) $(PCRE_CFLAGS) $(SQLITE_CFLAGS))
LIB_CFLAGS    := $(strip $(CURL_CFLAGS) $(PURE_CFLAGS))
LDLIBS        := $(strip $(CURL_LIBS) $(SQLITE_LIBS) $(PACK_LIBS) $(PCRE_LIBS) -lm -pthread)

say = $(if $(V),,@printf '  %-5s %s\n' $(1) $(2);)

# ---- the library and the program ---------------------------------------------------------------
# libhob.a is one object whose only global names are hob_*: it cannot clash with the program that
# links it. internal.a holds the same objects with every name visible, for `hob` and the tests.
STATIC   := $(B)/libhob.a
INTERNAL := $(B)/internal.a
SHARED   := $(B)/libhob.so.$(VERSION)
PROGRAM  := $(B)/hob

all: $(STATIC)
ifeq ($(CORE),)
all: $(SHARED) $(if $(CLI_SRC),$(PROGRAM)) $(B)/hob.pc $(B)/compile_commands.json
endif
objects: $(LIB_OBJ) $(CLI_OBJ)

# Objects depend on this file, which changes when a flag does.
$(B)/flags: FORCE
	@mkdir -p $(@D)
	@now='$(CC) $(CFLAGS_ALL) $(EDIT_CFLAGS) $(LIB_CFLAGS)'; [ "$$now" = "$$(cat $@ 2>&1)" ] || echo "$$now" > $@

$(B)/obj/%.o: src/%.c $(B)/flags
	@mkdir -p $(@D)
	$(call say,CC,$<) $(CC) $(call cflags_of,$<) -MMD -MP -c -o $@ $<

$(INTERNAL): $(LIB_OBJ)
	@rm -f $@
	$(call say,AR,$@) ar rcs $@ $(LIB_OBJ)

$(STATIC): $(LIB_OBJ)
	@rm -f $@
	$(call say,AR,$@) ld -r -o $(B)/obj/hob.o $(LIB_OBJ) && \
	    objcopy --localize-hidden $(B)/obj/hob.o && ar rcs $@ $(B)/obj/hob.o

$(SHARED): $(LIB_OBJ) tools/hob.map
	$(call say,LINK,$@) $(CC) $(LDFLAGS) -shared -Wl,-soname,libhob.so.$(MAJOR) \
	    -Wl,--version-script=tools/hob.map $(if $(SAN),,-Wl,-z,defs) -o $@ $(LIB_OBJ) $(LDLIBS)
	@ln -sf $(@F) $(B)/libhob.so.$(MAJOR)
	@ln -sf $(@F) $(B)/libhob.so

$(PROGRAM): $(CLI_OBJ) $(INTERNAL)
	$(call say,LINK,$@) $(CC) $(LDFLAGS) -o $@ $(CLI_OBJ) $(INTERNAL) $(EDIT_LIBS) $(LDLIBS)

$(B)/hob.pc: tools/hob.pc.in FORCE
	@mkdir -p $(@D)
	@sed -e 's|@PREFIX@|$(PREFIX)|' -e 's|@VERSION@|$(VERSION)|' -e 's|@LIBS@|$(LDLIBS)|' $< > $@

# Written by make itself: the list is longer than a command line may be.
all_sources := $(LIB_SRC) $(CLI_SRC)
compile_entry = {"directory":"$(CURDIR)","file":"$(1)","command":"$(CC) $(call cflags_of,$(1)) -c \
    $(1)"}$(if $(filter $(lastword $(all_sources)),$(1)),,$(comma))
$(B)/compile_commands.json: Makefile $(B)/flags $(all_sources)
	$(file >$@,[)$(foreach s,$(all_sources),$(file >>$@,$(call compile_entry,$(s))))$(file >>$@,])@:

# ---- programs of the tests ---------------------------------------------------------------------
# Unit and torture programs see the internals; api programs, examples and benchmarks see hob.h alone.
TEST_FLAGS = -std=c11 -D_GNU_SOURCE $(WARN) $(OPT) $(CFLAGS) -Iinclude

$(B)/tests/unit/% $(B)/tests/agent/% $(B)/tests/model/% $(B)/tests/torture/%: INSIDE = -Isrc -Itests/unit
$(UNIT) $(AGENT) $(MODEL) $(TORTURE): $(B)/%: %.c $(INTERNAL)
	@mkdir -p $(@D)
	$(call say,TEST,$<) $(CC) $(TEST_FLAGS) $(INSIDE) -MMD -MP $(LDFLAGS) -o $@ $< $(INTERNAL) \
	    $(LDLIBS)

$(API) $(CONTRACT) $(NET) $(EXAMPLES) $(BENCH): $(B)/%: %.c $(STATIC)
	@mkdir -p $(@D)
	$(call say,TEST,$<) $(CC) $(TEST_FLAGS) -Itests/unit -MMD -MP $(LDFLAGS) -o $@ $< $(STATIC) \
	    $(LDLIBS)

# A fuzz target is built twice: with a main that replays files, and with libFuzzer. That of `hob
# batch` holds two files of the program, and is linked with the others.
$(B)/fuzz/batch $(B)/fuzzer/batch: EXTRA = $(filter-out %/main.o %/batch.o,$(CLI_OBJ)) $(EDIT_LIBS)
$(B)/fuzz/batch $(B)/fuzzer/batch: $(CLI_OBJ)
$(REPLAY): $(B)/%: %.c fuzz/replay.c $(INTERNAL)
	@mkdir -p $(@D)
	$(call say,TEST,$<) $(CC) $(TEST_FLAGS) -Wno-missing-prototypes -Isrc $(LDFLAGS) -o $@ $< \
	    fuzz/replay.c $(filter %.o,$(EXTRA)) $(INTERNAL) $(filter-out %.o,$(EXTRA)) $(LDLIBS)

$(FUZZERS): $(B)/fuzzer/%: fuzz/%.c $(INTERNAL)
	@mkdir -p $(@D)
	$(call say,FUZZ,$<) $(CC) $(TEST_FLAGS) -Wno-missing-prototypes -Isrc \
	    -fsanitize=fuzzer,address,undefined -o $@ $< $(filter %.o,$(EXTRA)) $(INTERNAL) \
	    $(filter-out %.o,$(EXTRA)) $(LDLIBS)

# ---- test targets ------------------------------------------------------------------------------
# Each part ends with a line `N passed, N failed`. tests/run calls them all and adds them up.
.PHONY: all objects help run test programs unit api contract agent model net spec differential record \
        examples torture \
        fuzz fuzz-replay tsan run-tsan run-fuzz conform bench check check-build core-size format \
        amalgamation check-amalgamation install uninstall clean deps FORCE

submake = $(MAKE) $(if $(findstring j,$(filter -j% --job%,$(MAKEFLAGS))),,-j$(JOBS))

run:
	@tools/deps build
	@$(submake) all
	@tools/tour $(PROGRAM)

test:
	@tools/deps test
	@$(submake) all programs
	@BUILD=$(B) SAN=$(SAN) CC='$(CC)' MAKE='$(MAKE)' tests/run $(PARTS)

programs: $(UNIT) $(API) $(CONTRACT) $(AGENT) $(MODEL) $(NET) $(TORTURE) $(EXAMPLES) $(REPLAY)

unit: $(UNIT)
	@tests/tap $^
api: $(API)
	@tests/tap $^
# One suite over every kind of sandbox.
contract: $(CONTRACT)
	@tests/tap $^
agent: $(AGENT)
	@tests/tap $^
# The model providers against a stand-in server, and that against the vendors' clients.
model: $(MODEL)
	@tests/model/run $(MODEL)
# The network of a sandbox against a server of the test's own, and curl against curl.
net: $(NET)
	@tests/net/run $(NET)
examples: $(EXAMPLES)
	@tests/tap --expect examples $(EXAMPLES)
torture: $(TORTURE)
	@tests/spec/run --export $(B)/spec-scripts
	@TAP_LIMIT=2400 tests/tap $(TORTURE:%=%@$(B)/spec-scripts)
fuzz-replay: $(REPLAY)
	@tests/tap $(foreach r,$(REPLAY),$(r)@fuzz/corpus/$(notdir $(r)))

spec: $(if $(filter hob,$(TESTEE)),$(PROGRAM))
	@tests/spec/run --testee $(TESTEE) --hob $(PROGRAM) $(SPECS)
record: $(PROGRAM)
	@tests/spec/run --record --testee $(TESTEE) --hob $(PROGRAM) $(SPECS)
# Generated scripts in hob and in bash: make differential KIND=shell COUNT=100000 SEED=7
KIND  ?= shell
COUNT ?= 1000
SEED  ?= 1
differential: $(PROGRAM)
	@tests/differential/run --hob $(PROGRAM) --kind $(KIND) --count $(COUNT) --seed $(SEED)
conform: $(PROGRAM)
	@tools/conform $(PROGRAM)

# Sandboxes on many threads, under the thread sanitizer.
tsan:
	@$(MAKE) SAN=thread run-tsan
run-tsan: $(filter %/parallel %/threads,$(API))
	@tests/tap $^

# make fuzz TARGET=parse SECONDS=60
TARGET  ?= parse
SECONDS ?= 60
fuzz: deps
	@$(submake) CC=clang SAN=fuzzer-no-link,address,undefined run-fuzz
run-fuzz: $(B)/fuzzer/$(TARGET)
	@mkdir -p build/corpus/$(TARGET) fuzz/corpus/$(TARGET)
	$< -max_total_time=$(SECONDS) -timeout=20 -rss_limit_mb=2048 -artifact_prefix=build/corpus/ \
	    $(addprefix -dict=,$(wildcard fuzz/$(TARGET).dict)) build/corpus/$(TARGET) fuzz/corpus/$(TARGET)

bench: all $(BENCH)
	@bench/run $(B) $(BENCHARGS)

check: check-build
	@tools/check-layers
	@tools/check-style
	@tools/check-threats

# What only the made files can show.
check-build: $(STATIC) $(SHARED)
	@tools/check-objects $(B)/obj $(PURE)
	@tools/check-exports $(SHARED) $(STATIC)

core-size:
	@$(submake) CORE=1 SAN=
	@tools/check-size build/core/libhob.a 1024

format:
	clang-format -i $(LIB_SRC) $(CLI_SRC) $(HEADERS) \
	    $(wildcard tests/*/*.[ch] examples/*.c fuzz/*.c bench/*.c)

# ---- the amalgamation: the whole library as hob.c and hob.h -------------------------------------
amalgamation: build/amalgamation/hob.c
build/amalgamation/hob.c: tools/amalgamate $(LIB_SRC) $(HEADERS)
	@tools/amalgamate --version $(VERSION) --output $(@D) $(LIB_SRC)

# It compiles without a warning by both compilers, and exports what the library does.
check-amalgamation: build/amalgamation/hob.c
	@for cc in gcc clang; do \
	    $$cc -std=c11 -Wall -Wextra -Werror -O1 -fPIC -fvisibility=hidden -c \
	        -o build/amalgamation/$$cc.o $< && \
	    ar rcs build/amalgamation/lib$$cc.a build/amalgamation/$$cc.o || exit 1; done
	@$(CC) -shared -o build/amalgamation/libhob.so build/amalgamation/gcc.o $(LDLIBS)
	@tools/check-exports build/amalgamation/libhob.so build/amalgamation/libgcc.a

# ---- installing ----------------------------------------------------------------------------------
prefix   := $(DESTDIR)$(PREFIX)
man      := $(prefix)/share/man/man1
complete := $(prefix)/share/bash-completion/completions
install: all
	install -d $(prefix)/bin $(prefix)/include $(prefix)/lib/pkgconfig $(man) $(complete)
	install -m 755 $(PROGRAM) $(prefix)/bin/hob
	install -m 644 include/hob.h $(prefix)/include/hob.h
	install -m 644 $(STATIC) $(prefix)/lib/libhob.a
	install -m 755 $(SHARED) $(prefix)/lib/libhob.so.$(VERSION)
	ln -sf libhob.so.$(VERSION) $(prefix)/lib/libhob.so.$(MAJOR)
	ln -sf libhob.so.$(VERSION) $(prefix)/lib/libhob.so
	install -m 644 $(B)/hob.pc $(prefix)/lib/pkgconfig/hob.pc
	install -m 644 docs/man/hob.1 $(man)/hob.1
	install -m 644 docs/completion/hob.bash $(complete)/hob

uninstall:
	rm -f $(prefix)/bin/hob $(prefix)/include/hob.h $(prefix)/lib/libhob.a \
	    $(prefix)/lib/libhob.so $(prefix)/lib/libhob.so.$(MAJOR) \
	    $(prefix)/lib/libhob.so.$(VERSION) $(prefix)/lib/pkgconfig/hob.pc $(man)/hob.1 \
	    $(complete)/hob

clean:
	rm -rf build

deps:
	@tools/deps fuzz
help:
	@sed -n '2,/^$$/s/^# \{0,1\}//p' Makefile
FORCE:

-include $(LIB_OBJ:.o=.d) $(CLI_OBJ:.o=.d) $(addsuffix .d,$(UNIT) $(API) $(CONTRACT) $(AGENT) $(MODEL) $(TORTURE) \
    $(EXAMPLES))
