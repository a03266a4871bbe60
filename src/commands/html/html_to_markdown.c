/* html_to_markdown.c -- html-to-markdown: web pages as text that can be read */
#include "base/error.h"
#include "commands/html/html.h"
#include "commands/lib/each.h"

struct html_args {
    struct str base;
    struct out out;
};

static int html_file(struct in *in, void *ud)
{
    struct html_args *a = ud;
    struct str page;
    struct buf b;
    int r = in_all(in, &page);
    if (r < 0)
        return r;
    buf_init(&b, &in->proc->kernel->heap);
    r = markdown_write(in->proc, page, a->base, &b);
    out_str(&a->out, buf_get(&b));
    buf_fini(&b);
    return r;
}

static int html_run(struct proc *p, void *args)
{
    struct html_args *a = args;
    out_init(&a->out, p, 1);
    int r = each_file(p, html_file, a);
    return command_close(p, &a->out, r);
}

static const struct opt html_opts[] = {
    OPT_STRING('b', "base", struct html_args, base, "URL",
               "where the page is from: links become whole"),
    OPT_END,
};

const struct command cmd_html_to_markdown = {
    .name = "html-to-markdown",
    .usage = "[OPTION]... [FILE]...",
    .summary = "Print HTML as Markdown: headings, lists, links, code, tables, quotes, emphasis.",
    .opts = html_opts,
    .args_size = sizeof(struct html_args),
    .usage_status = 1,
    .run = html_run,
};
