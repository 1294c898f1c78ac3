#define _GNU_SOURCE
#include "settings.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

const char *setting(const char *name) {
    static _Thread_local char value[512];
    const char *all = getenv("FOOTHOLD_FAKE_CAMERA");
    const size_t length = strlen(name);
    while (all && *all) {
        const char *end = strchrnul(all, ';');
        if (!strncmp(all, name, length) && all[length] == '=') {
            snprintf(value, sizeof value, "%.*s", (int)(end - all - (ptrdiff_t)length - 1), all + length + 1);
            return value;
        }
        all = *end ? end + 1 : end;
    }
    return NULL;
}

double number(const char *name, double otherwise) {
    const char *text = setting(name);
    return text ? atof(text) : otherwise;
}

double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec / 1e9;
}

static double first_start = -1;

double since_start(void) { return first_start < 0 ? -1 : now() - first_start; }

void note_start(void) {
    if (first_start < 0) first_start = now();
}

int is_time_of(const char *name) {
    const char *text = setting(name);
    const double since = since_start();
    if (!text || since < 0) return 0;
    const char *dash = strchr(text, '-');
    return since >= atof(text) && (!dash || since < atof(dash + 1));
}

int is_over(const char *name) {
    const char *text = setting(name);
    const char *dash = text ? strchr(text, '-') : NULL;
    return dash && since_start() >= atof(dash + 1);
}

int refused(const char *place) {
    const char *text = setting("wrong");
    const char *at = text ? strchr(text, '@') : NULL;
    return at && !strcmp(at + 1, place) ? atoi(text) : 0;
}
