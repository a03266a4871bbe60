/* init.c -- hob init: a project to start from, which runs at once */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "cli/agentcli.h"

static const struct init_file {
    const char *path, *text;
    mode_t mode;
} init_files[] = {
    {"agents/assistant.md",
     "---\n"
     "description: A first agent\n"
     "# The offline model plays replies/assistant.ndjson, so that this runs without a key. With\n"
     "# ANTHROPIC_API_KEY set, take a real one:\n"
     "# model: anthropic/claude-sonnet-4-6\n"
     "model: offline/assistant\n"
     "providers:\n"
     "  offline:\n"
     "    url: replies/assistant.ndjson\n"
     "sandbox:\n"
     "  kind: virtual\n"
     "  files:\n"
     "    notes.txt: |\n"
     "      Buy milk.\n"
     "      Water the plants.\n"
     "---\n"
     "\n"
     "You look after the notes in notes.txt. Keep them short.\n",
     0644},
    {"workflows/tidy.sh",
     "#!/usr/bin/env hob\n"
     "#---\n"
     "# agent: assistant\n"
     "# description: Let the agent sort the notes, and give them back\n"
     "#---\n"
     "prompt \"Sort the notes in notes.txt.\"\n"
     "fs read notes.txt | result\n",
     0755},
    {"skills/sorting/SKILL.md",
     "---\n"
     "name: sorting\n"
     "description: How lists are sorted here\n"
     "---\n"
     "\n"
     "Sort by the alphabet with `sort -f`, and leave no empty lines.\n",
     0644},
    {"replies/assistant.ndjson",
     "{\"text\":\"I will look at the notes.\",\"calls\":[{\"name\":\"activate_skill\",\"args\":"
     "{\"name\":\"sorting\"}},{\"name\":\"bash\",\"args\":{\"command\":\"cat notes.txt\"}}]}\n"
     "{\"calls\":[{\"name\":\"bash\",\"args\":{\"command\":\"sort -f -o notes.txt notes.txt; cat "
     "notes.txt\"}}]}\n"
     "{\"text\":\"The notes are sorted.\",\"repeat\":true}\n",
     0644},
    {".env.example", "# Copy to .env and fill in.\nANTHROPIC_API_KEY=\n", 0644},
};

static int init_folders(char *path)
{
    for (char *p = strchr(path + 1, '/'); p; p = strchr(p + 1, '/')) {
        *p = '\0';
        int r = mkdir(path, 0777);
        *p = '/';
        if (r < 0 && errno != EEXIST)
            return -1;
    }
    return 0;
}

/* 0, or an exit status after a message. */
static int init_write(const char *dir, const struct init_file *f)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", dir, f->path);
    int fd =
        init_folders(path) < 0 ? -1 : open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, f->mode);
    if (fd < 0 || write(fd, f->text, strlen(f->text)) != (ssize_t)strlen(f->text)) {
        cli_error("%s: %s", path, strerror(errno));
        if (fd >= 0)
            close(fd);
        return AGENT_FAILED;
    }
    close(fd);
    printf("made %s\n", path);
    return 0;
}

static int init_run(const struct project_options *o)
{
    const char *dir = o->name ? o->name : ".";
    char path[4096];
    int status = 0;

    if (o->noperands)
        return cli_usage("init", "one folder is enough");
    for (size_t i = 0; i < COUNT(init_files) && !o->force; i++) {
        snprintf(path, sizeof path, "%s/%s", dir, init_files[i].path);
        if (access(path, F_OK) == 0) {
            cli_error("%s is there already; --force overwrites", path);
            return AGENT_FAILED;
        }
    }
    for (size_t i = 0; i < COUNT(init_files) && status == 0; i++)
        status = init_write(dir, &init_files[i]);
    if (status == 0)
        printf("\nTry:\n  hob run -C %s tidy\n  hob chat -C %s assistant\n", dir, dir);
    return status;
}

static int init_main(int argc, char **argv)
{
    struct project_options o;
    int r = project_parse(&o, &cli_init, PROJECT_FORCE, argc, argv);
    if (r == 0 && o.help)
        cli_print_help(&cli_init);
    else if (r == 0)
        r = init_run(&o);
    project_options_fini(&o);
    return r;
}

const struct cli_command cli_init = {
    .name = "init",
    .usage = "init [--force] [DIR]",
    .summary = "Make a project with an agent, a workflow and a skill.",
    .help = "      --force           overwrite files that are there\n"
            "      --help            show this help\n"
            "\n"
            "DIR is the present folder without it. What is made runs at once, without a key.\n",
    .run = init_main,
};
