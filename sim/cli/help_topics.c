/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/cli/help_topics.h"

#include <stdio.h>
#include <string.h>

#include "sim/config/bind.h"

static void print_experiment(void)
{
    printf("%s",
           "experiment   A YAML file: a stack, what to change in it, how long to run.\n"
           "\n"
           "  ringtail: 1                                 version of the format\n"
           "  title: virtio-fs, ring full                 heads the report\n"
           "  seed: 1                                     other seeds, other random numbers\n"
           "  run: {warmup: 10s, measure: 30s, drain: 0s, repeats: 8}\n"
           "                                              or `measure: 1000 requests`; with\n"
           "                                              `until: {metric: p99.9, within: 5%},\n"
           "                                              at_most: 64 repeats` twice as many, and\n"
           "                                              again, until it is known that well\n"
           "  cpus: {app: {wake: 20us}, kworker: {}}      threads that stages compete for\n"
           "  stack:                                      from the top down\n"
           "    fio: {model: closed_load, depth: 64, cpu: app}\n"
           "    queue: {model: virtio_fs, cpu: kworker}   stands over the next one, unless it\n"
           "    disk: {model: device, service: 17us}      says `over: STAGE`, `{LOAD: STAGE}`\n"
           "                                              or `none`\n"
           "  variants:                                   what to change, by STAGE.PARAMETER\n"
           "    before: {queue.policy: timer_retry}\n"
           "    after: {}\n"
           "  compare: {from: before, to: after}          of two variants, as written\n"
           "  sweep:                                      every value with every other\n"
           "    fio.depth: [16, 32, 64]                   or {from: 16, to: 64, times: 2}, {...,\n"
           "                                              step: 16}\n"
           "    zip: {queue.hz: [100, 250], disk.delay: [40us, 60us]}   the i-th of each\n"
           "  measured:                                   figures of the real system (CSV)\n"
           "    - {file: m.csv, where: {rw: read}, variant: {is: before},\n"
           "       match: {fio.depth: qd}, columns: {iops: rate, p99_us: clat.p99}}\n"
           "  expect:                                     for `ringtail check`\n"
           "    - {metric: p99.9, of: after, max: 5ms}    or min, between: [1ms, 5ms]; `at: "
           "{fio.depth:\n"
           "                                              [32, 64]}`, `name:`, `reason:`\n"
           "    - {metric: p99, of: before, versus: after, min: 2}   their ratio\n"
           "    - {metric: rate, of: after, versus: measured, within: 5%}\n"
           "  extends: base.yaml                          the file that this one changes\n"
           "\n"
           "Times, sizes and rates have units: 40us, 4KiB, 80k/s, 1Mbit/s. Counts have none.\n"
           "`ringtail explain FILE` shows every value and where it comes from.\n");
}

static void print_distributions(void)
{
    printf("distributions   What stands for a time: the time itself, `40us`, or one of\n\n");
    const struct bind_kind *kind;
    for (size_t i = 0; (kind = bind_distribution_kind(i)) != NULL; i++) {
        printf("  %s\n      %s\n", kind->form, kind->doc);
    }
    printf("\nAny of them takes `plus: 8us` beside it, which is added to every draw.\n"
           "VALUES is a list of times, `[1ms, 2ms]`; or a file with one time a line, where `#`\n"
           "begins a comment; or a column of a CSV table, `{file: FILE, column: NAME}`, whose\n"
           "bare numbers have the unit that the column's name ends with, as `service_us`. Files\n"
           "are looked for beside the experiment.\n");
}

static void print_metrics(void)
{
    printf("%s",
           "metrics   What is measured: [LOAD.][END.]NAME. LOAD may be left out where there is\n"
           "one; END is `lat` unless given.\n"
           "\n"
           "  END    lat                        from due to completed\n"
           "         clat                       from the return of the submitting call\n"
           "         delivered                  from due to delivered at the bottom\n"
           "  NAME   rate                       ends per second\n"
           "         mean, max                  of the latency\n"
           "         p50, p99.9                 a percentile of it, by nearest rank\n"
           "         drops                      requests that were dropped\n"
           "         unfinished                 requests still there at the end\n"
           "         phase.queue:pending        mean time in a phase of a stage; several\n"
           "                                    are joined by +\n"
           "         share.queue:pending        its share of the mean latency\n"
           "         counter.queue.parked       what a stage counted\n"
           "         utilisation.kworker        busy share of a cpu\n");
}

const struct help_topic help_topics[] = {
    { "experiment", print_experiment },
    { "distributions", print_distributions },
    { "metrics", print_metrics },
    { NULL, NULL },
};

bool help_topic_print(const char *name)
{
    for (size_t i = 0; help_topics[i].name != NULL; i++) {
        if (strcmp(help_topics[i].name, name) == 0) {
            help_topics[i].print();
            return true;
        }
    }
    return false;
}
