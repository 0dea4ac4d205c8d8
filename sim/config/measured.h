/* SPDX-License-Identifier: Apache-2.0 */
/*
 * `measured:` figures of the real system, from tables beside the experiment.
 *
 *   file      relative to the file that names it; see csv.h
 *   where     {COLUMN: TEXT}: rows of interest, by equal text
 *   variant   the column that names the variant, or {is: NAME}; may be left out when there is one
 *   match     {PATH: COLUMN}: the row belongs to the points at which the parameter has its value
 *   columns   {COLUMN: METRIC}
 *   units     {COLUMN: us}: of times whose column does not end in _ps, _ns, _us, _ms or _s
 *
 * Rates are numbers per second, utilisations shares of 1, counts numbers. An empty cell was not
 * recorded. Rows of other variants and points are left out.
 */
#ifndef RINGTAIL_SIM_CONFIG_MEASURED_H
#define RINGTAIL_SIM_CONFIG_MEASURED_H

#include "sim/config/experiment.h"

/* Reads the list `measured` into the experiment, whose variants and points are known. */
bool measured_read(struct arena *arena, const struct node *measured, struct experiment *experiment,
                   struct error *err);

#endif
