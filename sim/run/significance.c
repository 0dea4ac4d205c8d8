/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/run/significance.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#include "sim/run/student.h"

enum { FREEDOM_MAX = 1000000 }; /* more make no difference */

struct moments {
    double mean;
    double error; /* the mean's variance */
};

static struct moments moments_of(const double *values, const double *less, size_t count)
{
    assert(count >= 2);
    double n = (double)count;
    struct moments moments = { 0 };
    for (size_t i = 0; i < count; i++) {
        moments.mean += (values[i] - (less == NULL ? 0 : less[i])) / n;
    }
    for (size_t i = 0; i < count; i++) {
        double distance = values[i] - (less == NULL ? 0 : less[i]) - moments.mean;
        moments.error += distance * distance / (n - 1) / n;
    }
    return moments;
}

/* Values that do not vary differ for certain, or not at all. */
static struct significance judge(double mean, double error, int freedom)
{
    double deviation = sqrt(error);
    if (deviation <= 1e-14 * fabs(mean)) {
        return (struct significance){ mean, 0, mean == 0 ? 1 : 0 };
    }
    double p = 1 - student_within(fabs(mean) / deviation, freedom);
    return (struct significance){ mean, student_t95(freedom) * deviation, p > 0 ? p : 0 };
}

struct significance significance_paired(const double *before, const double *after, size_t count)
{
    struct moments moments = moments_of(after, before, count);
    return judge(moments.mean, moments.error, (int)count - 1);
}

struct significance significance_unpaired(const double *before, size_t before_count,
                                          const double *after, size_t after_count)
{
    struct moments a = moments_of(before, NULL, before_count);
    struct moments b = moments_of(after, NULL, after_count);
    double error = a.error + b.error;
    double freedom = error * error /
                     (a.error * a.error / (double)(before_count - 1) +
                      b.error * b.error / (double)(after_count - 1));
    freedom = freedom >= 1 ? freedom : 1; /* not a number where nothing varies */
    return judge(b.mean - a.mean, error, freedom < FREEDOM_MAX ? (int)freedom : FREEDOM_MAX);
}

static int order(const void *a, const void *b)
{
    double one = *(const double *)a;
    double other = *(const double *)b;
    return (one > other) - (one < other);
}

double significance_holm(double *p, size_t count, double level)
{
    double last = -1;
    if (count > 0) {
        qsort(p, count, sizeof(*p), order);
    }
    for (size_t i = 0; i < count && p[i] <= level / (double)(count - i); i++) {
        last = p[i];
    }
    return last;
}
