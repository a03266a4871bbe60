/* models_table.c -- the models that are built in: window, output, prices, what they can do
 *
 * Providers change these numbers; an agent's own table or a models file (docs/models.md) replaces
 * rows. The window is what the input may be: where a provider counts input and output together and
 * bounds the input, the bound stands here. Prices are dollars per million tokens.
 */
#include "hob.h"

#include "base/types.h"

/* clang-format off */
static const hob_model models_table[] = {
    /* window, output, input, output, cache read, cache write; thinks, sees images */
    {"anthropic/claude-opus-4-7",                  1000000, 128000,    5,   25,   0.5,  6.25, 1, 1},
    {"anthropic/claude-opus-4-6",                  1000000, 128000,    5,   25,   0.5,  6.25, 1, 1},
    {"anthropic/claude-sonnet-4-6",                1000000,  64000,    3,   15,   0.3,  3.75, 1, 1},
    {"anthropic/claude-haiku-4-5",                  200000,  64000,    1,    5,   0.1,  1.25, 1, 1},
    {"anthropic/claude-opus-4-5",                   200000,  64000,    5,   25,   0.5,  6.25, 1, 1},
    {"anthropic/claude-sonnet-4-5",                 200000,  64000,    3,   15,   0.3,  3.75, 1, 1},
    {"anthropic/claude-opus-4-1",                   200000,  32000,   15,   75,   1.5, 18.75, 1, 1},
    {"anthropic/claude-opus-4-20250514",            200000,  32000,   15,   75,   1.5, 18.75, 1, 1},
    {"anthropic/claude-opus-4-0",                   200000,  32000,   15,   75,   1.5, 18.75, 1, 1},
    {"anthropic/claude-sonnet-4-20250514",          200000,  64000,    3,   15,   0.3,  3.75, 1, 1},
    {"anthropic/claude-sonnet-4-0",                 200000,  64000,    3,   15,   0.3,  3.75, 1, 1},
    {"anthropic/claude-3-7-sonnet",                 200000,  64000,    3,   15,   0.3,  3.75, 1, 1},
    {"anthropic/claude-3-5-haiku",                  200000,   8192,  0.8,    4,  0.08,     1, 0, 1},

    {"openai/gpt-5.5",                              922000, 128000,    5,   30,   0.5,     0, 1, 1},
    {"openai/gpt-5.4",                              922000, 128000,  2.5,   15,  0.25,     0, 1, 1},
    {"openai/gpt-5.4-mini",                         272000, 128000, 0.75,  4.5, 0.075,     0, 1, 1},
    {"openai/gpt-5.4-nano",                         272000, 128000,  0.2, 1.25,  0.02,     0, 1, 1},
    {"openai/gpt-5.3-codex",                        272000, 128000, 1.75,   14, 0.175,     0, 1, 1},
    {"openai/gpt-5.2",                              272000, 128000, 1.75,   14, 0.175,     0, 1, 1},
    {"openai/gpt-5.1",                              272000, 128000, 1.25,   10, 0.125,     0, 1, 1},
    {"openai/gpt-5",                                272000, 128000, 1.25,   10, 0.125,     0, 1, 1},
    {"openai/gpt-5-codex",                          272000, 128000, 1.25,   10, 0.125,     0, 1, 1},
    {"openai/gpt-5-mini",                           272000, 128000, 0.25,    2, 0.025,     0, 1, 1},
    {"openai/gpt-5-nano",                           272000, 128000, 0.05,  0.4, 0.005,     0, 1, 1},
    {"openai/gpt-4.1",                             1047576,  32768,    2,    8,   0.5,     0, 0, 1},
    {"openai/gpt-4.1-mini",                        1047576,  32768,  0.4,  1.6,   0.1,     0, 0, 1},
    {"openai/gpt-4.1-nano",                        1047576,  32768,  0.1,  0.4, 0.025,     0, 0, 1},
    {"openai/gpt-4o",                               128000,  16384,  2.5,   10,  1.25,     0, 0, 1},
    {"openai/gpt-4o-mini",                          128000,  16384, 0.15,  0.6, 0.075,     0, 0, 1},
    {"openai/o3",                                   200000, 100000,    2,    8,   0.5,     0, 1, 1},
    {"openai/o4-mini",                              200000, 100000,  1.1,  4.4, 0.275,     0, 1, 1},

    {"openrouter/moonshotai/kimi-k2.6",             262144,  65536, 0.75,  3.5,  0.15,     0, 1, 1},
    {"openrouter/moonshotai/kimi-k2.5",             262144,  65536,  0.6,    3,   0.1,     0, 1, 1},
    {"openrouter/anthropic/claude-opus-4.7",       1000000, 128000,    5,   25,   0.5,  6.25, 1, 1},
    {"openrouter/anthropic/claude-opus-4.6",       1000000, 128000,    5,   25,   0.5,  6.25, 1, 1},
    {"openrouter/anthropic/claude-sonnet-4.6",     1000000,  64000,    3,   15,   0.3,  3.75, 1, 1},
    {"openrouter/anthropic/claude-haiku-4.5",       200000,  64000,    1,    5,   0.1,  1.25, 1, 1},
    {"openrouter/openai/gpt-5.5",                   922000, 128000,    5,   30,   0.5,     0, 1, 1},
    {"openrouter/openai/gpt-5.4",                   922000, 128000,  2.5,   15,  0.25,     0, 1, 1},
    {"openrouter/openai/gpt-5-mini",                272000, 128000, 0.25,    2, 0.025,     0, 1, 1},
    {"openrouter/google/gemini-2.5-pro",           1048576,  65536, 1.25,   10, 0.125,     0, 1, 1},
    {"openrouter/google/gemini-2.5-flash",         1048576,  65536,  0.3,  2.5,  0.03,     0, 1, 1},
    {"openrouter/deepseek/deepseek-v3.2",           163840,  65536, 0.28, 0.42, 0.028,     0, 1, 0},
    {"openrouter/qwen/qwen3-coder",                 262144,  65536, 0.22,    1,     0,     0, 0, 0},
    {"openrouter/x-ai/grok-4",                      256000,  64000,    3,   15,  0.75,     0, 1, 1},
    {"openrouter/meta-llama/llama-3.3-70b-instruct", 131072, 16384, 0.13,  0.4,     0,     0, 0, 0},
};
/* clang-format on */

const hob_model *hob_models(size_t *n)
{
    if (n)
        *n = COUNT(models_table);
    return models_table;
}
