/* error.c -- error numbers with their names and texts, and messages that need no memory */
#include "base/error.h"

#include "base/fmt.h"

struct error_row {
    int code;
    const char *name, *text;
};

static const struct error_row error_table[] = {
    {0, "OK", "Success"},
    {HOB_EPERM, "EPERM", "Operation not permitted"},
    {HOB_ENOENT, "ENOENT", "No such file or directory"},
    {HOB_ESRCH, "ESRCH", "No such process"},
    {HOB_EINTR, "EINTR", "Interrupted system call"},
    {HOB_EIO, "EIO", "Input/output error"},
    {HOB_ENXIO, "ENXIO", "No such device or address"},
    {HOB_E2BIG, "E2BIG", "Argument list too long"},
    {HOB_ENOEXEC, "ENOEXEC", "Exec format error"},
    {HOB_EBADF, "EBADF", "Bad file descriptor"},
    {HOB_ECHILD, "ECHILD", "No child processes"},
    {HOB_EAGAIN, "EAGAIN", "Resource temporarily unavailable"},
    {HOB_ENOMEM, "ENOMEM", "Cannot allocate memory"},
    {HOB_EACCES, "EACCES", "Permission denied"},
    {HOB_EBUSY, "EBUSY", "Device or resource busy"},
    {HOB_EEXIST, "EEXIST", "File exists"},
    {HOB_EXDEV, "EXDEV", "Invalid cross-device link"},
    {HOB_ENODEV, "ENODEV", "No such device"},
    {HOB_ENOTDIR, "ENOTDIR", "Not a directory"},
    {HOB_EISDIR, "EISDIR", "Is a directory"},
    {HOB_EINVAL, "EINVAL", "Invalid argument"},
    {HOB_ENFILE, "ENFILE", "Too many open files in system"},
    {HOB_EMFILE, "EMFILE", "Too many open files"},
    {HOB_ENOTTY, "ENOTTY", "Inappropriate ioctl for device"},
    {HOB_EFBIG, "EFBIG", "File too large"},
    {HOB_ENOSPC, "ENOSPC", "No space left on device"},
    {HOB_ESPIPE, "ESPIPE", "Illegal seek"},
    {HOB_EROFS, "EROFS", "Read-only file system"},
    {HOB_EMLINK, "EMLINK", "Too many links"},
    {HOB_EPIPE, "EPIPE", "Broken pipe"},
    {HOB_ERANGE, "ERANGE", "Numerical result out of range"},
    {HOB_ENAMETOOLONG, "ENAMETOOLONG", "File name too long"},
    {HOB_ENOSYS, "ENOSYS", "Function not implemented"},
    {HOB_ENOTEMPTY, "ENOTEMPTY", "Directory not empty"},
    {HOB_ELOOP, "ELOOP", "Too many levels of symbolic links"},
    {HOB_ENODATA, "ENODATA", "No data available"},
    {HOB_EPROTO, "EPROTO", "Protocol error"},
    {HOB_EOVERFLOW, "EOVERFLOW", "Value too large for defined data type"},
    {HOB_EILSEQ, "EILSEQ", "Invalid or incomplete multibyte or wide character"},
    {HOB_ENOTSUP, "ENOTSUP", "Operation not supported"},
    {HOB_ETIMEDOUT, "ETIMEDOUT", "Connection timed out"},
    {HOB_ECONNREFUSED, "ECONNREFUSED", "Connection refused"},
    {HOB_EHOSTUNREACH, "EHOSTUNREACH", "No route to host"},
    {HOB_ECANCELED, "ECANCELED", "Operation canceled"},
    {HOB_EBUG, "EBUG", "Internal error"},
    {HOB_EMISUSE, "EMISUSE", "Call not allowed in this state"},
    {HOB_ELIMIT, "ELIMIT", "Limit reached"},
    {HOB_ESYNTAX, "ESYNTAX", "Syntax error"},
    {HOB_EDENIED, "EDENIED", "Refused by policy"},
    {HOB_EKILLED, "EKILLED", "Killed by a signal"},
    {HOB_EDIED, "EDIED", "The sandbox is gone"},
    {HOB_ECONFLICT, "ECONFLICT", "The changes no longer fit"},
    {HOB_EAUTH, "EAUTH", "The key is missing, wrong or not allowed to"},
    {HOB_ERATE, "ERATE", "Too many requests, or no credit left"},
    {HOB_EOVERLOADED, "EOVERLOADED", "The provider has no capacity now"},
    {HOB_ECONTEXT, "ECONTEXT", "The conversation is longer than the model's window"},
    {HOB_EREFUSED, "EREFUSED", "The model declined to answer"},
    {HOB_ENETWORK, "ENETWORK", "The connection failed or was cut"},
    {HOB_EMODEL, "EMODEL", "The model's answer cannot be used"},
    {HOB_ERESULT, "ERESULT", "The model gave no result"},
};

static const struct error_row *error_find(int code)
{
    for (size_t i = 0; i < COUNT(error_table); i++) {
        if (error_table[i].code == code)
            return &error_table[i];
    }
    return NULL;
}

const char *error_name(int code)
{
    const struct error_row *row = error_find(code);
    return row ? row->name : "E?";
}

const char *error_text(int code)
{
    const struct error_row *row = error_find(code);
    return row ? row->text : "Unknown error";
}

int error_set(struct hob_error *e, int code, const char *fmt, ...)
{
    va_list ap;

    if (e) {
        e->code = code;
        va_start(ap, fmt);
        fmt_vprint(e->msg, sizeof e->msg, fmt, ap);
        va_end(ap);
    }
    return code;
}

int error_prefix(struct hob_error *e, const char *fmt, ...)
{
    char old[sizeof e->msg];
    va_list ap;

    if (!e)
        return 0;
    memcpy(old, e->msg, sizeof old);
    old[sizeof old - 1] = '\0';
    va_start(ap, fmt);
    size_t n = fmt_vprint(e->msg, sizeof e->msg, fmt, ap);
    va_end(ap);
    if (n < sizeof e->msg)
        fmt_print(e->msg + n, sizeof e->msg - n, ": %s", old);
    return e->code;
}
