/* configmemory.c -- reading a project with every allocation failing once */
#include "testheap.h"

#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "agent/workflow.h"

static char root[64];

static void put(const char *path, const char *text)
{
    char full[200];
    snprintf(full, sizeof full, "%s/%s", root, path);
    for (char *p = strchr(full + 1, '/'); p; p = strchr(p + 1, '/')) {
        *p = '\0';
        mkdir(full, 0777);
        *p = '/';
    }
    FILE *f = fopen(full, "w");
    if (CHECK(f != NULL)) {
        fputs(text, f);
        fclose(f);
    }
}

static int read_all(struct heap *h)
{
    static const char *const env[] = {"A=1", "SECRET=x", NULL};
    struct config c;
    struct config_agent *a;
    struct workflow w = {0};
    hob_sandbox *box = NULL;
    hob_error err = {0};
    int r = config_open(&c, h, root, env, NULL, &err);

    if (r == 0)
        r = config_agent_read(&c, STR("main"), &a, &err);
    if (r == 0)
        r = config_sandbox_open(&c, a, NULL, &box, &err);
    if (r == 0 && CHECK_EQ(hob_exists(box, ".agents/skills/s/SKILL.md"), 1))
        CHECK_EQ(hob_exists(box, "data/f"), 1);
    if (r == 0)
        r = workflow_read(&w, &c, STR("w"), &err);
    if (r < 0 && !CHECK(h->oom || r == HOB_ENOMEM || h->fail_at))
        printf("# %s\n", err.msg);
    if (w.config)
        workflow_fini(&w);
    hob_sandbox_free(box);
    config_close(&c);
    return r;
}

static void project(void)
{
    char command[100];
    snprintf(root, sizeof root, "/tmp/hob-project-XXXXXX");
    REQUIRE(mkdtemp(root));
    put(".env", "B=two # c\nexport C='3'\n");
    put("skills/s/SKILL.md", "---\nname: s\ndescription: d\n---\nBody\n");
    put("data/f", "file");
    put("agents/helper.md", "Help.\n");
    put("agents/main.md",
        "---\nmodel: offline/x\nthinking: low\nsubagents: [helper]\nbuiltin: [read, bash]\n"
        "sandbox:\n  env: {T: '${SECRET} ${B}', HOME: null}\n  files:\n    data: {from: data}\n"
        "    x: text\n    l: {link: x}\n  mounts: ['data:/mnt:ro']\n  limits: {memory: 64M}\n"
        "  network:\n    allow: [{url: 'https://a.example', methods: [GET, POST]}]\n"
        "    secrets: [{host: a.example, header: H, value: '${SECRET}'}]\n"
        "tools:\n  - name: t\n    command: |\n      echo $ARG_x\n"
        "    parameters: {type: object, properties: {x: {type: string}}}\n"
        "providers: {offline: {url: r.ndjson, headers: {A: b}}}\n"
        "models: {x/y: {window: 5, price: {input: 1.5}}}\nresult: {type: array}\n---\nBody.\n");
    put("workflows/w.sh", "#!/x\n#---\n# agent: main\n# payload: {type: object}\n#---\necho\n");
    testheap_torture(read_all);
    snprintf(command, sizeof command, "rm -rf %s", root);
    CHECK_EQ(system(command), 0);
}

UNIT_MAIN(UNIT(project))
