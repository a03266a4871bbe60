/* replay.c -- the main of a fuzz target without libFuzzer: feeds it every file of a folder */
#include <dirent.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Reads a whole file into memory owned by the caller; NULL when it cannot be read. */
static uint8_t *replay_read(const char *path, size_t *size)
{
    FILE *f = fopen(path, "rb");
    if (!f)
        return NULL;
    uint8_t *data = NULL;
    if (fseek(f, 0, SEEK_END) == 0) {
        long n = ftell(f);
        rewind(f);
        data = n < 0 ? NULL : malloc((size_t)n + 1);
        *size = data ? fread(data, 1, (size_t)n, f) : 0;
    }
    fclose(f);
    return data;
}

/* Runs one file in a buffer of its exact size, so that a read past the end is seen. */
static int replay_file(const char *path, int number)
{
    size_t size = 0;
    uint8_t *data = replay_read(path, &size);
    if (!data) {
        printf("not ok %d - %s cannot be read\n", number, path);
        return 1;
    }
    uint8_t *exact = malloc(size ? size : 1);
    if (!exact) {
        free(data);
        return 1;
    }
    memcpy(exact, data, size);
    free(data);
    printf("# %s\n", path);
    fflush(stdout);
    LLVMFuzzerTestOneInput(exact, size);
    free(exact);
    printf("ok %d - %s\n", number, path);
    return 0;
}

int main(int argc, char **argv)
{
    int number = 0, bad = 0;
    for (int i = 1; i < argc; i++) {
        struct dirent **names = NULL;
        int n = scandir(argv[i], &names, NULL, alphasort);
        if (n < 0) {
            bad += replay_file(argv[i], ++number);
            continue;
        }
        for (int k = 0; k < n; k++) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s", argv[i], names[k]->d_name);
            if (names[k]->d_name[0] != '.')
                bad += replay_file(path, ++number);
            free(names[k]);
        }
        free(names);
    }
    printf("1..%d\n", number);
    return bad != 0;
}
