/* SPDX-License-Identifier: Apache-2.0 */
/* docs/models.md, from the tables of the models. */
#ifndef RINGTAIL_SIM_CLI_HELP_MARKDOWN_H
#define RINGTAIL_SIM_CLI_HELP_MARKDOWN_H

void help_markdown_print(void);

#endif
