/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/engine/mix.h"

#include "sim/engine/stage.h"

enum { OP_READ, OP_WRITE, OP_MIX };

const char *const mix_ops[] = { "read", "write", "mix", NULL };

void mix_declare(const struct mix *mix, struct stage *load)
{
    if (mix->op != OP_WRITE) {
        load_declare(load, REQUEST_READ, mix->size);
    }
    if (mix->op != OP_READ) {
        load_declare(load, REQUEST_WRITE, mix->size);
    }
}

void mix_apply(const struct mix *mix, struct stage *load, struct request *req)
{
    enum request_op op = mix->op == OP_WRITE ? REQUEST_WRITE : REQUEST_READ;
    if (mix->op == OP_MIX) {
        struct random_stream stream = stage_stream(load, req);
        bool reads = (int64_t)random_below(&stream, 100) < mix->rwmixread;
        op = reads ? REQUEST_READ : REQUEST_WRITE;
    }
    req->op = (uint8_t)op;
    req->size_bytes = mix->size;
}
