/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/report/check_report.h"

#include <string.h>

#include "sim/report/rows.h"
#include "sim/report/table.h"

enum { OUTCOMES_COUNT = FINDING_FAILED + 1, NO_WIDTH = 1 << 20 };

const char *check_outcome_word(enum outcome outcome)
{
    static const char *const words[] = {
        [FINDING_PASSED] = "passed",
        [FINDING_IMPROVED] = "improved",
        [FINDING_INCONCLUSIVE] = "inconclusive",
        [FINDING_FAILED] = "FAILED",
    };
    return words[outcome];
}

static void count(const struct findings *findings, size_t counts[OUTCOMES_COUNT])
{
    for (size_t i = 0; i < findings->count; i++) {
        counts[findings->items[i].outcome]++;
    }
}

/* ---- The table. ---- */

static void add_note(struct table *table, const char *label, const char *text)
{
    if (text != NULL) {
        table_note(table, arena_printf(table->arena, "                %s%s", label, text));
    }
}

static void add_finding(struct table *table, const struct finding *finding)
{
    table_begin_row(table);
    table_add(table, arena_printf(table->arena, "  %s", check_outcome_word(finding->outcome)));
    table_add(table, finding->name);
    table_add(table, finding->detail);
    bool passed = finding->outcome == FINDING_PASSED;
    if (!passed) {
        add_note(table, "because ", finding->why);
        add_note(table, "", finding->advice);
        add_note(table, "where: ", finding->where);
    }
}

void check_report_text(const struct check_section *section, FILE *file)
{
    struct arena *arena = arena_create();
    struct table table;
    size_t counts[OUTCOMES_COUNT] = { 0 };
    const struct findings *findings = &section->findings;
    count(findings, counts);
    fprintf(file, "%s   %s\n", section->file, section->title);
    for (size_t i = 0; i < section->note_count; i++) {
        fprintf(file, "  %s\n", section->notes[i]);
    }
    table_init(&table, arena, "l");
    for (size_t i = 0; i < findings->count; i++) {
        const struct finding *finding = &findings->items[i];
        /* What is as it was is counted alone. */
        if (finding->outcome != FINDING_PASSED || strcmp(finding->group, "baseline") != 0) {
            add_finding(&table, finding);
        }
    }
    table_write(&table, 1, NO_WIDTH, file);
    if (findings->count == 0) {
        fprintf(file, "  nothing to check: no `expect:` and no baseline\n");
    } else {
        fprintf(file, "  %zu passed, %zu failed, %zu inconclusive\n",
                counts[FINDING_PASSED] + counts[FINDING_IMPROVED], counts[FINDING_FAILED],
                counts[FINDING_INCONCLUSIVE]);
    }
    arena_destroy(arena);
}

/* ---- JUnit. ---- */

/* What XML 1.0 cannot hold is left out. */
static void put_xml(const char *text, FILE *file)
{
    for (const unsigned char *c = (const unsigned char *)text; *c != '\0'; c++) {
        switch (*c) {
        case '&':
            fputs("&amp;", file);
            break;
        case '<':
            fputs("&lt;", file);
            break;
        case '>':
            fputs("&gt;", file);
            break;
        case '"':
            fputs("&quot;", file);
            break;
        default:
            if (*c >= 0x20) {
                fputc(*c, file);
            }
        }
    }
}

static void put_attribute(const char *name, const char *value, FILE *file)
{
    fprintf(file, " %s=\"", name);
    put_xml(value, file);
    fputc('"', file);
}

static void put_problem(const struct finding *finding, const char *element, FILE *file)
{
    fprintf(file, "      <%s", element);
    put_attribute("message", finding->detail, file);
    fputc('>', file);
    const char *const texts[] = { finding->why, finding->advice, finding->where };
    for (size_t i = 0; i < ARRAY_LENGTH(texts); i++) {
        if (texts[i] != NULL) {
            put_xml(texts[i], file);
            fputc('\n', file);
        }
    }
    fprintf(file, "</%s>\n", element);
}

static void put_case(const struct check_section *section, const struct finding *finding,
                     bool inconclusive_passes, FILE *file)
{
    fputs("    <testcase", file);
    put_attribute("classname", section->file, file);
    put_attribute("name", finding->name, file);
    if (finding->place.line > 0) {
        put_attribute("file", finding->place.file, file);
        fprintf(file, " line=\"%d\"", finding->place.line);
    }
    fputs(">\n", file);
    if (finding->outcome == FINDING_FAILED) {
        put_problem(finding, "failure", file);
    } else if (finding->outcome == FINDING_INCONCLUSIVE) {
        put_problem(finding, inconclusive_passes ? "skipped" : "error", file);
    } else {
        fputs("      <system-out>", file);
        put_xml(finding->detail, file);
        fputs("</system-out>\n", file);
    }
    fputs("    </testcase>\n", file);
}

void check_report_junit(const struct check_section *sections, size_t section_count,
                        bool inconclusive_passes, FILE *file)
{
    fputs("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites name=\"ringtail\">\n", file);
    for (size_t s = 0; s < section_count; s++) {
        const struct findings *findings = &sections[s].findings;
        size_t counts[OUTCOMES_COUNT] = { 0 };
        count(findings, counts);
        fputs("  <testsuite", file);
        put_attribute("name", sections[s].title, file);
        fprintf(file, " tests=\"%zu\" failures=\"%zu\" errors=\"%zu\" skipped=\"%zu\">\n",
                findings->count, counts[FINDING_FAILED],
                inconclusive_passes ? 0 : counts[FINDING_INCONCLUSIVE],
                inconclusive_passes ? counts[FINDING_INCONCLUSIVE] : 0);
        for (size_t i = 0; i < findings->count; i++) {
            put_case(&sections[s], &findings->items[i], inconclusive_passes, file);
        }
        fputs("  </testsuite>\n", file);
    }
    fputs("</testsuites>\n", file);
}

/* ---- Markdown. ---- */

/* In a cell: no pipe, no HTML, no markup from a name. */
static void put_markdown(const char *text, FILE *file)
{
    for (const char *c = text; *c != '\0'; c++) {
        if (strchr("\\`*_{}[]<>|#", *c) != NULL) {
            fputc('\\', file);
        }
        fputc((unsigned char)*c < 0x20 ? ' ' : *c, file);
    }
}

static void put_row(const struct finding *finding, FILE *file)
{
    fprintf(file, "| %s | ", check_outcome_word(finding->outcome));
    put_markdown(finding->name, file);
    fputs(" | ", file);
    put_markdown(finding->detail, file);
    fputs(" | ", file);
    const char *const texts[] = { finding->where, finding->advice, finding->why };
    const char *gap = "";
    for (size_t i = 0; i < ARRAY_LENGTH(texts); i++) {
        if (texts[i] != NULL && finding->outcome != FINDING_PASSED) {
            fputs(gap, file);
            put_markdown(texts[i], file);
            gap = "; ";
        }
    }
    fputs(" |\n", file);
}

/* What passed is only counted: a summary is read for the rest. */
void check_report_markdown(const struct check_section *sections, size_t section_count, FILE *file)
{
    for (size_t s = 0; s < section_count; s++) {
        const struct check_section *section = &sections[s];
        size_t counts[OUTCOMES_COUNT] = { 0 };
        count(&section->findings, counts);
        fputs("### ", file);
        put_markdown(section->title, file);
        fprintf(file, "\n\n%zu passed, %zu failed, %zu inconclusive\n\n",
                counts[FINDING_PASSED] + counts[FINDING_IMPROVED], counts[FINDING_FAILED],
                counts[FINDING_INCONCLUSIVE]);
        for (size_t i = 0; i < section->note_count; i++) {
            fputs("- ", file);
            put_markdown(section->notes[i], file);
            fputs(i + 1 == section->note_count ? "\n\n" : "\n", file);
        }
        if (counts[FINDING_PASSED] == section->findings.count) {
            continue;
        }
        fputs("| | what | found, allowed | |\n|---|---|---|---|\n", file);
        for (int outcome = FINDING_FAILED; outcome > FINDING_PASSED; outcome--) {
            for (size_t i = 0; i < section->findings.count; i++) {
                if ((int)section->findings.items[i].outcome == outcome) {
                    put_row(&section->findings.items[i], file);
                }
            }
        }
        fputc('\n', file);
    }
}

/* ---- Benchmark JSON. ---- */

struct benchmark {
    const struct experiment *experiment;
    struct arena *arena;
    json_t *list;
};

static void add_benchmark(void *context, const struct row *row)
{
    struct benchmark *benchmark = context;
    bool is_rate = strcmp(row->metric, "rate") == 0;
    bool is_latency = strcmp(row->unit, "us") == 0 && row->load[0] != '\0' &&
                      strncmp(row->metric, "phase.", 6) != 0;
    if (row->versus[0] != '\0' || !(is_rate || is_latency) || (is_rate && row->value <= 0)) {
        return;
    }
    const char *label = benchmark->experiment->points[row->point].label;
    const char *name = arena_printf(
        benchmark->arena, "%s, %s%s%s, %s %s", benchmark->experiment->title, row->variant,
        label[0] == '\0' ? "" : ", ", label, row->load, is_rate ? "time per request" : row->metric);
    json_t *json = json_object();
    json_object_set_new(json, "name", json_string(name));
    json_object_set_new(json, "unit", json_string("us"));
    json_object_set_new(json, "value", json_real(is_rate ? 1e6 / row->value : row->value));
    if (!is_rate && row->has_low && row->has_high) {
        json_object_set_new(
            json, "range",
            json_string(arena_printf(benchmark->arena, "%.3g to %.3g us", row->low, row->high)));
    }
    json_array_append_new(benchmark->list, json);
}

bool check_report_benchmark(struct result *result, json_t *list, struct error *err)
{
    struct benchmark benchmark = { result->experiment, arena_create(), list };
    bool good = rows_of(result, add_benchmark, &benchmark, err);
    arena_destroy(benchmark.arena);
    return good;
}
