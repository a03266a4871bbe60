/* rg_types.c -- kinds of files by their names: -t, -T, --type-add, --type-list */
#include "commands/rg/rg.h"

#include "base/utf8.h"
#include "commands/lib/files.h"

/* "name: glob, glob": sorted by name. */
static const char *const rg_types_known[] = {
    "agda: *.agda, *.lagda",
    "aidl: *.aidl",
    "amake: *.bp, *.mk",
    "asciidoc: *.adoc, *.asc, *.asciidoc",
    "asm: *.S, *.asm, *.s",
    "asp: *.ascx, *.ascx.cs, *.ascx.vb, *.aspx, *.aspx.cs, *.aspx.vb",
    "ats: *.ats, *.dats, *.hats, *.sats",
    "avro: *.avdl, *.avpr, *.avsc",
    "awk: *.awk",
    "bazel: *.BUILD, *.bazel, *.bazelrc, *.bzl, BUILD, WORKSPACE",
    "bitbake: *.bb, *.bbappend, *.bbclass, *.conf, *.inc",
    "brotli: *.br",
    "buildstream: *.bst",
    "bzip2: *.bz2, *.tbz2",
    "c: *.[chH], *.[chH].in, *.cats",
    "cabal: *.cabal",
    "cbor: *.cbor",
    "ceylon: *.ceylon",
    "clojure: *.clj, *.cljc, *.cljs, *.cljx",
    "cmake: *.cmake, CMakeLists.txt",
    "coffeescript: *.coffee",
    "config: *.cfg, *.conf, *.config, *.ini",
    "coq: *.v",
    "cpp: *.[ChH], *.[ChH].in, *.[ch]pp, *.[ch]pp.in, *.[ch]xx, *.[ch]xx.in, *.cc, *.cc.in, "
    "*.hh, *.hh.in, *.inl",
    "creole: *.creole",
    "crystal: *.cr, Projectfile",
    "cs: *.cs",
    "csharp: *.cs",
    "cshtml: *.cshtml",
    "css: *.css, *.scss",
    "csv: *.csv",
    "cython: *.pxd, *.pxi, *.pyx",
    "d: *.d",
    "dart: *.dart",
    "dhall: *.dhall",
    "diff: *.diff, *.patch",
    "docker: *Dockerfile*",
    "dvc: *.dvc, Dvcfile",
    "ebuild: *.ebuild",
    "edn: *.edn",
    "elisp: *.el",
    "elixir: *.eex, *.ex, *.exs",
    "elm: *.elm",
    "erb: *.erb",
    "erlang: *.erl, *.hrl",
    "fidl: *.fidl",
    "fish: *.fish",
    "flatbuffers: *.fbs",
    "fortran: *.F, *.F77, *.F90, *.F95, *.f, *.f77, *.f90, *.f95, *.pfo",
    "fsharp: *.fs, *.fsi, *.fsx",
    "fut: .fut",
    "gap: *.g, *.gap, *.gd, *.gi, *.tst",
    "gn: *.gn, *.gni",
    "go: *.go",
    "gradle: *.gradle",
    "groovy: *.gradle, *.groovy",
    "gzip: *.gz, *.tgz",
    "h: *.h, *.hpp",
    "haml: *.haml",
    "haskell: *.c2hs, *.cpphs, *.hs, *.hsc, *.lhs",
    "hbs: *.hbs",
    "hs: *.hs, *.lhs",
    "html: *.ejs, *.htm, *.html",
    "idris: *.idr, *.lidr",
    "java: *.java, *.jsp, *.jspx, *.properties",
    "jinja: *.j2, *.jinja, *.jinja2",
    "jl: *.jl",
    "js: *.js, *.jsx, *.vue",
    "json: *.json, composer.lock",
    "jsonl: *.jsonl",
    "julia: *.jl",
    "jupyter: *.ipynb, *.jpynb",
    "k: *.k",
    "kotlin: *.kt, *.kts",
    "less: *.less",
    "license: *[.-]LICEN[CS]E*, AGPL-*[0-9]*, APACHE-*[0-9]*, BSD-*[0-9]*, CC-BY-*, COPYING, "
    "COPYING[.-]*, COPYRIGHT, COPYRIGHT[.-]*, EULA, EULA[.-]*, GFDL-*[0-9]*, GNU-*[0-9]*, "
    "GPL-*[0-9]*, LGPL-*[0-9]*, LICEN[CS]E, LICEN[CS]E[.-]*, MIT-*[0-9]*, MPL-*[0-9]*, "
    "NOTICE, NOTICE[.-]*, OFL-*[0-9]*, PATENTS, PATENTS[.-]*, UNLICEN[CS]E, "
    "UNLICEN[CS]E[.-]*, agpl[.-]*, gpl[.-]*, lgpl[.-]*, licen[cs]e, licen[cs]e.*",
    "lisp: *.el, *.jl, *.lisp, *.lsp, *.sc, *.scm",
    "lock: *.lock, package-lock.json",
    "log: *.log",
    "lua: *.lua",
    "lz4: *.lz4",
    "lzma: *.lzma",
    "m4: *.ac, *.m4",
    "make: *.mak, *.mk, [Gg][Nn][Uu]makefile, [Gg][Nn][Uu]makefile.am, "
    "[Gg][Nn][Uu]makefile.in, [Mm]akefile, [Mm]akefile.am, [Mm]akefile.in",
    "mako: *.mako, *.mao",
    "man: *.[0-9][cEFMmpSx], *.[0-9lnpx]",
    "markdown: *.markdown, *.md, *.mdown, *.mkdn",
    "matlab: *.m",
    "md: *.markdown, *.md, *.mdown, *.mkdn",
    "meson: meson.build, meson_options.txt",
    "minified: *.min.css, *.min.html, *.min.js",
    "mint: *.mint",
    "mk: mkfile",
    "ml: *.ml",
    "msbuild: *.csproj, *.fsproj, *.proj, *.props, *.targets, *.vcxproj",
    "nim: *.nim, *.nimble, *.nimf, *.nims",
    "nix: *.nix",
    "objc: *.h, *.m",
    "objcpp: *.h, *.mm",
    "ocaml: *.ml, *.mli, *.mll, *.mly",
    "org: *.org, *.org_archive",
    "pascal: *.dpr, *.inc, *.lpr, *.pas, *.pp",
    "pdf: *.pdf",
    "perl: *.PL, *.perl, *.pl, *.plh, *.plx, *.pm, *.t",
    "php: *.php, *.php3, *.php4, *.php5, *.phtml",
    "po: *.po",
    "pod: *.pod",
    "postscript: *.eps, *.ps",
    "protobuf: *.proto",
    "ps: *.cdxml, *.ps1, *.ps1xml, *.psd1, *.psm1",
    "puppet: *.erb, *.pp, *.rb",
    "purs: *.purs",
    "py: *.py",
    "qmake: *.prf, *.pri, *.pro",
    "qml: *.qml",
    "r: *.R, *.Rmd, *.Rnw, *.r",
    "racket: *.rkt",
    "rdoc: *.rdoc",
    "readme: *README, README*",
    "red: *.r, *.red, *.reds",
    "robot: *.robot",
    "rst: *.rst",
    "ruby: *.gemspec, *.rb, *.rbw, .irbrc, Gemfile, Rakefile, config.ru",
    "rust: *.rs",
    "sass: *.sass, *.scss",
    "scala: *.sbt, *.scala",
    "sh: *.bash, *.bashrc, *.csh, *.cshrc, *.ksh, *.kshrc, *.sh, *.tcsh, *.zsh, .bash_login, "
    ".bash_logout, .bash_profile, .bashrc, .cshrc, .kshrc, .login, .logout, .profile, "
    ".tcshrc, .zlogin, .zlogout, .zprofile, .zshenv, .zshrc, bash_login, bash_logout, "
    "bash_profile, bashrc, profile, zlogin, zlogout, zprofile, zshenv, zshrc",
    "slim: *.skim, *.slim, *.slime",
    "smarty: *.tpl",
    "sml: *.sig, *.sml",
    "soy: *.soy",
    "spark: *.spark",
    "spec: *.spec",
    "sql: *.psql, *.sql",
    "stylus: *.styl",
    "sv: *.h, *.sv, *.svh, *.v, *.vg",
    "svg: *.svg",
    "swift: *.swift",
    "swig: *.def, *.i",
    "systemd: *.automount, *.conf, *.device, *.link, *.mount, *.path, *.scope, *.service, "
    "*.slice, *.socket, *.swap, *.target, *.timer",
    "taskpaper: *.taskpaper",
    "tcl: *.tcl",
    "tex: *.bib, *.cls, *.dtx, *.ins, *.ltx, *.sty, *.tex",
    "textile: *.textile",
    "tf: *.tf",
    "thrift: *.thrift",
    "toml: *.toml, Cargo.lock",
    "ts: *.ts, *.tsx",
    "twig: *.twig",
    "txt: *.txt",
    "typoscript: *.ts, *.typoscript",
    "vala: *.vala",
    "vb: *.vb",
    "vcl: *.vcl",
    "verilog: *.sv, *.svh, *.v, *.vh",
    "vhdl: *.vhd, *.vhdl",
    "vim: *.vim",
    "vimscript: *.vim",
    "webidl: *.idl, *.webidl, *.widl",
    "wiki: *.mediawiki, *.wiki",
    "xml: *.dtd, *.rng, *.sch, *.xhtml, *.xjb, *.xml, *.xml.dist, *.xsd, *.xsl, *.xslt",
    "xz: *.txz, *.xz",
    "yacc: *.y",
    "yaml: *.yaml, *.yml",
    "yang: *.yang",
    "z: *.Z",
    "zig: *.zig",
    "zsh: *.zsh, .zlogin, .zlogout, .zprofile, .zshenv, .zshrc, zlogin, zlogout, zprofile, "
    "zshenv, zshrc",
    "zstd: *.zst, *.zstd",
};

/* The globs of a type, those that were defined by options included. fn's true ends the walk. */
static bool rg_type_each(const struct rg *o, struct str name, bool (*fn)(void *ud, struct str glob),
                         void *ud)
{
    bool cleared = false;
    for (const struct rg_type *t = o->defined; t; t = t->next)
        if (str_eq(t->name, name)) {
            cleared |= !t->glob.p;
            if (t->glob.p && !cleared && fn(ud, t->glob))
                return true;
        }
    for (size_t i = 0; i < COUNT(rg_types_known) && !cleared; i++) {
        struct str row = str_z(rg_types_known[i]);
        if (row.n <= name.n || row.p[name.n] != ':' || !str_starts(row, name))
            continue;
        for (row = str_from(row, name.n + 2); row.n;) {
            ptrdiff_t comma = str_find(row, STR(", "));
            if (fn(ud, comma < 0 ? row : str_sub(row, 0, (size_t)comma)))
                return true;
            row = comma < 0 ? STR("") : str_from(row, (size_t)comma + 2);
        }
    }
    return false;
}

static int rg_type_push(struct proc *p, struct rg *o, struct str name, struct str glob)
{
    struct rg_type *t = arena_zalloc(p->arena, sizeof *t);
    if (!t)
        return HOB_ENOMEM;
    t->name = arena_str(p->arena, name);
    t->glob = glob.p ? arena_str(p->arena, glob) : STR_NONE;
    t->next = o->defined;
    o->defined = t;
    return t->name.p && (t->glob.p || !glob.p) ? 0 : HOB_ENOMEM;
}

struct rg_type_copy {
    struct proc *p;
    struct rg *o;
    struct str name;
    int err;
    bool any;
};

static bool rg_type_copy(void *ud, struct str glob)
{
    struct rg_type_copy *c = ud;
    c->any = true;
    c->err = rg_type_push(c->p, c->o, c->name, glob);
    return c->err < 0;
}

int rg_type_define(struct proc *p, struct rg *o, struct str text)
{
    ptrdiff_t colon = str_chr(text, ':');
    struct str name = colon < 0 ? STR("") : str_sub(text, 0, (size_t)colon);
    struct str glob = colon < 0 ? STR("") : str_from(text, (size_t)colon + 1);
    bool ok = name.n > 0 && glob.n > 0;

    for (size_t i = 0; i < name.n; i++)
        ok &= ascii_alnum(name.p[i]) || (unsigned char)name.p[i] >= 0x80;
    if (ok && str_starts(glob, STR("include:"))) {
        struct rg_type_copy c = {p, o, name, 0, false};
        for (struct str rest = str_from(glob, 8); rest.n;) {
            ptrdiff_t comma = str_chr(rest, ',');
            c.any = false;
            rg_type_each(o, comma < 0 ? rest : str_sub(rest, 0, (size_t)comma), rg_type_copy, &c);
            ok &= c.any;
            rest = comma < 0 ? STR("") : str_from(rest, (size_t)comma + 1);
        }
        if (ok)
            return c.err;
    }
    if (!ok) {
        proc_printf_err(p, "invalid definition (format is type:glob, e.g., html:*.html)\n");
        return 3;
    }
    return rg_type_push(p, o, name, glob);
}

void rg_type_clear(struct proc *p, struct rg *o, struct str name)
{
    rg_type_push(p, o, name, STR_NONE);
}

static bool rg_type_any(void *ud, struct str glob)
{
    (void)ud;
    (void)glob;
    return true;
}

int rg_type_check(struct rg_run *r)
{
    const struct strs *lists[] = {&r->o->types, &r->o->types_not};
    for (size_t l = 0; l < 2; l++)
        for (size_t i = 0; i < lists[l]->n; i++) {
            struct str name = lists[l]->p[i];
            if (str_eqz(name, "all") || rg_type_each(r->o, name, rg_type_any, NULL))
                continue;
            proc_printf_err(r->p, "unrecognized file type: %.*s\n", STR_ARG(name));
            return 2;
        }
    return 0;
}

struct rg_type_test {
    struct rg_run *r;
    struct str name;
};

static bool rg_type_matches(void *ud, struct str glob)
{
    struct rg_type_test *t = ud;
    struct arena_mark mark = arena_mark(t->r->p->arena);
    struct rg_rule *rule = rg_rule_add(t->r->p, NULL, glob, false);
    bool yes = rg_rule_match(rule, t->name, false) > 0;
    arena_release(t->r->p->arena, mark);
    return yes;
}

static bool rg_type_is(struct rg_run *r, struct str type, struct str name)
{
    struct rg_type_test t = {r, name};
    if (!str_eqz(type, "all"))
        return rg_type_each(r->o, type, rg_type_matches, &t);
    for (size_t i = 0; i < COUNT(rg_types_known); i++) {
        struct str row = str_z(rg_types_known[i]);
        if (rg_type_each(r->o, str_sub(row, 0, (size_t)str_chr(row, ':')), rg_type_matches, &t))
            return true;
    }
    return false;
}

bool rg_type_skips(struct rg_run *r, struct str path)
{
    struct str name = files_base(path);
    for (size_t i = 0; i < r->o->types_not.n; i++)
        if (rg_type_is(r, r->o->types_not.p[i], name))
            return true;
    for (size_t i = 0; i < r->o->types.n; i++)
        if (rg_type_is(r, r->o->types.p[i], name))
            return false;
    return r->o->types.n > 0;
}

static bool rg_type_print(void *ud, struct str glob)
{
    struct rg_type_test *t = ud;
    out_puts(&t->r->out, t->name.n ? ", " : "");
    out_str(&t->r->out, glob);
    t->name = STR("x");
    return false;
}

void rg_type_list(struct rg_run *r)
{
    for (size_t i = 0; i < COUNT(rg_types_known); i++) {
        struct str row = str_z(rg_types_known[i]);
        struct rg_type_test t = {r, STR("")};
        struct str name = str_sub(row, 0, (size_t)str_chr(row, ':'));
        if (!rg_type_each(r->o, name, rg_type_any, NULL))
            continue;
        out_printf(&r->out, "%.*s: ", STR_ARG(name));
        rg_type_each(r->o, name, rg_type_print, &t);
        out_putc(&r->out, '\n');
    }
    for (const struct rg_type *d = r->o->defined; d; d = d->next) {
        bool known = !d->glob.p;
        for (size_t i = 0; i < COUNT(rg_types_known); i++) {
            struct str row = str_z(rg_types_known[i]);
            known |= str_eq(d->name, str_sub(row, 0, (size_t)str_chr(row, ':')));
        }
        for (const struct rg_type *e = r->o->defined; e != d && !known; e = e->next)
            known = str_eq(e->name, d->name);
        struct rg_type_test t = {r, STR("")};
        if (known)
            continue;
        out_printf(&r->out, "%.*s: ", STR_ARG(d->name));
        rg_type_each(r->o, d->name, rg_type_print, &t);
        out_putc(&r->out, '\n');
    }
}
