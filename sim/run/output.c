/* SPDX-License-Identifier: Apache-2.0 */
#include "sim/run/output.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

bool output_error(const char *path, int code, struct error *err)
{
    const struct place where = { .file = path };
    if (code == ENOENT || code == ENOTDIR || code == EISDIR || code == EACCES || code == EPERM ||
        code == ENAMETOOLONG) {
        error_user(err, &where, "the file cannot be written: %s", strerror(code));
        return error_hint(err, "check the path and the permissions of the folder");
    }
    return error_environment(err, &where, "writing failed: %s", strerror(code));
}

bool output_is_replaceable(const char *path)
{
    struct stat status;
    return stat(path, &status) != 0 || S_ISREG(status.st_mode);
}

bool output_open(struct arena *arena, const char *path, struct output *output, struct error *err)
{
    struct output opened = { .path = arena_strdup(arena, path) };
    int flags = O_WRONLY | O_CLOEXEC;
    if (output_is_replaceable(path)) {
        opened.temporary = arena_printf(arena, "%s.%ld.tmp", path, (long)getpid());
        flags |= O_CREAT | O_TRUNC;
    }
    int file = open(opened.temporary == NULL ? path : opened.temporary, flags, 0666);
    opened.stream = file < 0 ? NULL : fdopen(file, "w");
    if (opened.stream == NULL) {
        return output_error(path, errno, err);
    }
    *output = opened;
    return true;
}

bool output_commit(struct output *output, struct error *err)
{
    errno = 0;
    bool failed = ferror(output->stream) != 0;
    failed = fflush(output->stream) != 0 || failed;
    if (output->temporary != NULL) {
        failed = failed || fsync(fileno(output->stream)) != 0;
    }
    int code = errno == 0 ? EIO : errno;
    if (fclose(output->stream) != 0 && !failed) {
        failed = true;
        code = errno;
    }
    if (!failed && output->temporary != NULL && rename(output->temporary, output->path) != 0) {
        failed = true;
        code = errno;
    }
    if (failed && output->temporary != NULL) {
        unlink(output->temporary);
    }
    return !failed || output_error(output->path, code, err);
}

void output_abandon(struct output *output)
{
    fclose(output->stream);
    if (output->temporary != NULL) {
        unlink(output->temporary);
    }
}
