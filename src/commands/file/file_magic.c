/* file_magic.c -- files that say in their first bytes what they are: pictures, archives and such */
#include "commands/file/file.h"

#include "base/fmt.h"
#include "commands/lib/getdate.h"
#include "text/date.h"

static bool file_magic_is(const struct file_guess *g, size_t at, struct str magic)
{
    return g->data.n >= at + magic.n && memcmp(g->data.p + at, magic.p, magic.n) == 0;
}

/* The bytes at `at`, when n of them are there. */
static const char *file_magic_at(const struct file_guess *g, size_t at, size_t n)
{
    return at <= g->data.n && n <= g->data.n - at ? g->data.p + at : NULL;
}

/* ---- pictures and sounds --------------------------------------------------------------------- */

static void file_magic_png(struct file_guess *g)
{
    static const char *const kinds[] = {" grayscale,",  NULL, "/color RGB,", " colormap,",
                                        " gray+alpha,", NULL, "/color RGBA,"};
    const char *p = file_magic_at(g, 16, 13);
    g->mime = "image/png";
    buf_addz(&g->text, "PNG image data");
    if (!p)
        return;
    unsigned kind = (unsigned char)p[9];
    buf_printf(&g->text, ", %u x %u, %u-bit%s %s", file_be32(p), file_be32(p + 4),
               (unsigned char)p[8], kind < COUNT(kinds) && kinds[kind] ? kinds[kind] : "",
               p[12] ? "interlaced" : "non-interlaced");
}

/* The frame of a JPEG: its precision, its size, its components. */
static void file_magic_jpeg_frame(struct file_guess *g, size_t at)
{
    const char *p;
    for (int turns = 0; turns < 100 && (p = file_magic_at(g, at, 10)); turns++) {
        unsigned mark = (unsigned char)p[1];
        if ((unsigned char)p[0] != 0xff)
            return;
        if (mark >= 0xc0 && mark <= 0xc3) {
            static const char *const kinds[] = {"baseline", "extended sequential", "progressive",
                                                "lossless"};
            buf_printf(&g->text, ", %s, precision %u, %ux%u, components %u", kinds[mark - 0xc0],
                       (unsigned char)p[4], file_be16(p + 7), file_be16(p + 5),
                       (unsigned char)p[9]);
            return;
        }
        at += 2 + file_be16(p + 2);
    }
}

static void file_magic_jpeg(struct file_guess *g)
{
    static const char *const units[] = {"aspect ratio", "DPI", "DPCM"};
    const char *p = file_magic_at(g, 6, 14);
    g->mime = "image/jpeg";
    buf_addz(&g->text, "JPEG image data");
    if (p && memcmp(p, "JFIF", 4) == 0) {
        unsigned unit = (unsigned char)p[7];
        buf_printf(&g->text, ", JFIF standard %u.%02u", (unsigned char)p[5], (unsigned char)p[6]);
        buf_printf(&g->text, ", %s%s%s, density %ux%u, segment length %u",
                   unit ? "resolution (" : "", unit < 3 ? units[unit] : "", unit ? ")" : "",
                   file_be16(p + 8), file_be16(p + 10), file_be16(g->data.p + 4));
    } else if (p && memcmp(p, "Exif", 4) == 0) {
        buf_addz(&g->text, ", Exif standard");
    }
    file_magic_jpeg_frame(g, 2);
}

static void file_magic_gif(struct file_guess *g)
{
    const char *p = file_magic_at(g, 0, 10);
    g->mime = "image/gif";
    buf_addz(&g->text, "GIF image data");
    if (p)
        buf_printf(&g->text, ", version %.3s, %u x %u", p + 3, file_le16(p + 6), file_le16(p + 8));
}

static bool file_magic_bmp(struct file_guess *g)
{
    const char *p = file_magic_at(g, 0, 54);
    if (!p || file_le32(p + 14) != 40)
        return false;
    g->mime = "image/bmp";
    buf_printf(&g->text, "PC bitmap, Windows 3.x format, %d x %d x %u", (int)file_le32(p + 18),
               (int)file_le32(p + 22), file_le16(p + 28));
    if (file_le32(p + 30))
        buf_printf(&g->text, ", %u compression", file_le32(p + 30));
    if (file_le32(p + 34))
        buf_printf(&g->text, ", image size %u", file_le32(p + 34));
    if (file_le32(p + 38))
        buf_printf(&g->text, ", resolution %d x %d px/m", (int)file_le32(p + 38),
                   (int)file_le32(p + 42));
    buf_printf(&g->text, ", cbSize %u, bits offset %u", file_le32(p + 2), file_le32(p + 10));
    return true;
}

static void file_magic_riff(struct file_guess *g)
{
    buf_addz(&g->text, "RIFF (little-endian) data");
    g->mime = "application/octet-stream";
    if (file_magic_is(g, 8, STR("WEBP"))) {
        const char *p = file_magic_at(g, 12, 18);
        g->mime = "image/webp";
        buf_addz(&g->text, ", Web/P image");
        if (p && memcmp(p, "VP8 ", 4) == 0)
            buf_printf(&g->text,
                       ", VP8 encoding, %ux%u, Scaling: [none]x[none], YUV color, decoders should "
                       "clamp",
                       file_le16(p + 14) & 0x3fff, file_le16(p + 16) & 0x3fff);
    } else if (file_magic_is(g, 8, STR("WAVE"))) {
        const char *p = file_magic_at(g, 20, 16);
        g->mime = "audio/x-wav";
        buf_addz(&g->text, ", WAVE audio");
        if (p && file_le16(p) == 1)
            buf_printf(&g->text, ", Microsoft PCM, %u bit, %s %u Hz", file_le16(p + 14),
                       file_le16(p + 2) == 1 ? "mono" : "stereo", file_le32(p + 4));
    } else if (file_magic_is(g, 8, STR("AVI "))) {
        g->mime = "video/x-msvideo";
        buf_addz(&g->text, ", AVI");
    }
}

/* ---- archives -------------------------------------------------------------------------------- */

static void file_magic_gzip(struct file_guess *g)
{
    const char *p = file_magic_at(g, 0, 10);
    g->mime = "application/gzip";
    buf_addz(&g->text, "gzip compressed data");
    if (!p)
        return;
    if (p[3] & 8) {
        struct str name = str_from(g->data, 10);
        ptrdiff_t end = str_chr(name, '\0');
        if (end >= 0 && !(p[3] & 4))
            buf_printf(&g->text, ", was \"%.*s\"", (int)MIN(end, 64), name.p);
    }
    if (file_le32(p + 4)) {
        struct date d;
        struct date_zone zone = getdate_zone(g->p);
        buf_addz(&g->text, ", last modified: ");
        if (date_from_epoch(file_le32(p + 4), 0, &zone, &d) == 0)
            date_format(&g->text, STR("%a %b %e %H:%M:%S %Y"), &d, file_le32(p + 4), false);
    }
    if (p[8] == 2)
        buf_addz(&g->text, ", max compression");
    else if (p[8] == 4)
        buf_addz(&g->text, ", max speed");
    buf_addz(&g->text, (unsigned char)p[9] == 3   ? ", from Unix"
                       : (unsigned char)p[9] == 0 ? ", from FAT filesystem (MS-DOS, OS/2, NT)"
                                                  : "");
    if (g->size >= 18 && g->size == g->data.n)
        buf_printf(&g->text, ", original size modulo 2^32 %u",
                   file_le32(g->data.p + g->data.n - 4));
}

/* Names of the first entries tell what kind of document a zip is. */
static bool file_magic_office(struct file_guess *g)
{
    static const struct {
        const char *prefix, *text, *mime;
    } kinds[] = {
        {"word/", "Microsoft Word 2007+",
         "application/vnd.openxmlformats-officedocument.wordprocessingml.document"},
        {"ppt/", "Microsoft PowerPoint 2007+",
         "application/vnd.openxmlformats-officedocument.presentationml.presentation"},
        {"xl/", "Microsoft Excel 2007+",
         "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"},
    };
    size_t at = 0;
    const char *p;
    for (int i = 0; i < 6 && (p = file_magic_at(g, at, 30)) && memcmp(p, "PK\3\4", 4) == 0; i++) {
        struct str name = str_sub(str_from(g->data, at + 30), 0, file_le16(p + 26));
        if (i == 0 && !str_eqz(name, "[Content_Types].xml") && !str_eqz(name, "_rels/.rels") &&
            !str_starts(name, STR("docProps")))
            return false;
        for (size_t k = 0; k < COUNT(kinds) && i >= 2; k++)
            if (str_starts(name, str_z(kinds[k].prefix))) {
                buf_addz(&g->text, kinds[k].text);
                g->mime = kinds[k].mime;
                return true;
            }
        at += (size_t)30 + file_le16(p + 26) + file_le16(p + 28) + file_le32(p + 18);
    }
    return false;
}

static bool file_magic_mimetype(struct file_guess *g)
{
    static const struct {
        const char *type, *text;
    } kinds[] = {
        {"application/epub+zip", "EPUB document"},
        {"application/vnd.oasis.opendocument.text", "OpenDocument Text"},
        {"application/vnd.oasis.opendocument.spreadsheet", "OpenDocument Spreadsheet"},
        {"application/vnd.oasis.opendocument.presentation", "OpenDocument Presentation"},
    };
    if (!file_magic_is(g, 30, STR("mimetype")))
        return false;
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (file_magic_is(g, 38, str_z(kinds[i].type))) {
            size_t end = 38 + strlen(kinds[i].type);
            if (end < g->data.n && g->data.p[end] == '-')
                continue;
            buf_addz(&g->text, kinds[i].text);
            g->mime = kinds[i].type;
            return true;
        }
    return false;
}

static void file_magic_zip(struct file_guess *g)
{
    const char *p = file_magic_at(g, 0, 30);
    if (file_magic_office(g) || file_magic_mimetype(g))
        return;
    if (p && file_le16(p + 26) >= 9 && file_magic_is(g, 30, STR("META-INF/"))) {
        buf_addz(&g->text, "Java archive data (JAR)");
        g->mime = "application/java-archive";
        return;
    }
    g->mime = "application/zip";
    buf_addz(&g->text, "Zip archive data");
    if (!p)
        return;
    unsigned v = file_le16(p + 4), method = file_le16(p + 8);
    buf_printf(&g->text, ", at least v%u.%u to extract, compression method=", v / 10, v % 10);
    if (method == 0 || method == 8 || method == 12 || method == 14)
        buf_addz(&g->text, method == 0    ? "store"
                           : method == 8  ? "deflate"
                           : method == 12 ? "bzip2"
                                          : "lzma");
    else
        buf_printf(&g->text, "[%#x]", method);
}

static void file_magic_xz(struct file_guess *g)
{
    const char *p = file_magic_at(g, 6, 2);
    unsigned check = p ? p[1] & 15u : 0;
    g->mime = "application/x-xz";
    buf_printf(&g->text, "XZ compressed data, checksum %s",
               check == 1    ? "CRC32"
               : check == 4  ? "CRC64"
               : check == 10 ? "SHA-256"
                             : "NONE");
}

static void file_magic_zstd(struct file_guess *g)
{
    const char *p = file_magic_at(g, 4, 6);
    g->mime = "application/zstd";
    buf_addz(&g->text, "Zstandard compressed data (v0.8+), Dictionary ID: ");
    if (p && p[0] & 3)
        buf_printf(&g->text, "%u", (unsigned char)p[1]);
    else
        buf_addz(&g->text, "None");
}

bool file_magic_tar(struct file_guess *g)
{
    const char *p = file_magic_at(g, 0, 512);
    unsigned sum = 0, said = 0;
    if (!p)
        return false;
    for (size_t i = 0; i < 512; i++)
        sum += i >= 148 && i < 156 ? ' ' : (unsigned char)p[i];
    size_t i = 148;
    while (i < 156 && p[i] == ' ')
        i++;
    if (i == 156 || p[i] < '0' || p[i] > '7')
        return false;
    for (; i < 156 && p[i] >= '0' && p[i] <= '7'; i++)
        said = said * 8 + (unsigned)(p[i] - '0');
    if (sum != said)
        return false;
    bool gnu = memcmp(p + 257, "ustar  ", 8) == 0, posix = memcmp(p + 257, "ustar", 6) == 0;
    buf_addz(&g->text, gnu     ? "POSIX tar archive (GNU)"
                       : posix ? "POSIX tar archive"
                               : "tar archive");
    g->mime = "application/x-tar";
    return true;
}

/* ---- programs and databases ------------------------------------------------------------------ */

static void file_magic_sqlite(struct file_guess *g)
{
    const char *p = file_magic_at(g, 0, 100);
    g->mime = "application/vnd.sqlite3";
    buf_addz(&g->text, "SQLite 3.x database");
    if (!p)
        return;
    unsigned enc = file_be32(p + 56);
    if (file_be32(p + 60))
        buf_printf(&g->text, ", user version %u", file_be32(p + 60));
    buf_printf(&g->text, ", last written using SQLite version %u", file_be32(p + 96));
    if (p[18] == 2)
        buf_printf(&g->text, ", writer version %u", (unsigned char)p[18]);
    if (p[19] == 2)
        buf_printf(&g->text, ", read version %u", (unsigned char)p[19]);
    buf_printf(&g->text, ", file counter %u, database pages %u", file_be32(p + 24),
               file_be32(p + 28));
    if (file_be32(p + 36))
        buf_printf(&g->text, ", 1st free page %u, free pages %u", file_be32(p + 32),
                   file_be32(p + 36));
    buf_printf(&g->text, ", cookie %#x, schema %u", file_be32(p + 40), file_be32(p + 44));
    buf_addz(&g->text, enc == 1   ? ", UTF-8"
                       : enc == 2 ? ", UTF-16 little endian"
                       : enc == 3 ? ", UTF-16 big endian"
                                  : ", unknown 0 encoding");
    buf_printf(&g->text, ", version-valid-for %u", file_be32(p + 92));
}

/* Numbers of an ELF file in its own byte order and width. */
struct file_elf {
    struct file_guess *g;
    bool wide, big;
};

static uint64_t file_elf_num(const struct file_elf *e, size_t at, unsigned bytes)
{
    const char *p = file_magic_at(e->g, at, bytes);
    uint64_t v = 0;
    for (unsigned i = 0; p && i < bytes; i++)
        v = v << 8 | (unsigned char)p[e->big ? i : bytes - 1 - i];
    return v;
}

static void file_elf_note(const struct file_elf *e, uint64_t at, uint64_t size)
{
    struct buf *b = &e->g->text;
    for (uint64_t i = 0; i + 12 <= size && at + i < e->g->data.n;) {
        size_t n = (size_t)(at + i);
        uint64_t name = file_elf_num(e, n, 4), desc = file_elf_num(e, n + 4, 4);
        uint64_t type = file_elf_num(e, n + 8, 4), skip = 12 + ((name + 3) & ~UINT64_C(3));
        const char *d = file_magic_at(e->g, n + (size_t)skip, (size_t)desc);
        if (file_magic_is(e->g, n + 12, STR("GNU\0")) && d && type == 3 && desc == 20) {
            buf_addz(b, ", BuildID[sha1]=");
            for (size_t k = 0; k < 20; k++)
                buf_printf(b, "%02x", (unsigned char)d[k]);
        } else if (file_magic_is(e->g, n + 12, STR("GNU\0")) && d && type == 1 && desc >= 16) {
            size_t v = n + (size_t)skip;
            buf_printf(b, ", for GNU/Linux %u.%u.%u", (unsigned)file_elf_num(e, v + 4, 4),
                       (unsigned)file_elf_num(e, v + 8, 4), (unsigned)file_elf_num(e, v + 12, 4));
        }
        i += skip + ((desc + 3) & ~UINT64_C(3));
    }
}

/* The program headers: how it is linked, and its notes. */
static void file_elf_segments(const struct file_elf *e)
{
    uint64_t off = file_elf_num(e, e->wide ? 32 : 28, e->wide ? 8 : 4);
    unsigned size = (unsigned)file_elf_num(e, e->wide ? 54 : 42, 2);
    unsigned n = (unsigned)MIN(file_elf_num(e, e->wide ? 56 : 44, 2), 200);
    struct buf *b = &e->g->text;
    bool dynamic = false;
    uint64_t at = 0, bytes = 0;
    for (unsigned i = 0; i < n; i++) {
        size_t h = (size_t)(off + (uint64_t)i * size);
        uint64_t type = file_elf_num(e, h, 4);
        if (type == 2)
            dynamic = true;
        if (type == 3) {
            at = file_elf_num(e, h + (e->wide ? 8 : 4), e->wide ? 8 : 4);
            bytes = file_elf_num(e, h + (e->wide ? 32 : 16), e->wide ? 8 : 4);
        }
    }
    if (n)
        buf_addz(b, dynamic ? ", dynamically linked" : ", statically linked");
    const char *name = at && bytes < 256 ? file_magic_at(e->g, (size_t)at, (size_t)bytes) : NULL;
    if (name && bytes)
        buf_printf(b, ", interpreter %.*s", (int)bytes - 1, name);
    for (unsigned i = 0; i < n; i++) {
        size_t h = (size_t)(off + (uint64_t)i * size);
        if (file_elf_num(e, h, 4) == 4)
            file_elf_note(e, file_elf_num(e, h + (e->wide ? 8 : 4), e->wide ? 8 : 4),
                          file_elf_num(e, h + (e->wide ? 32 : 16), e->wide ? 8 : 4));
    }
}

bool file_magic_elf(struct file_guess *g)
{
    static const char *const types[] = {"no file type", "relocatable", "executable",
                                        "shared object", "core file"};
    static const char *const mimes[] = {"application/octet-stream", "application/x-object",
                                        "application/x-executable", "application/x-sharedlib",
                                        "application/x-coredump"};
    if (!file_magic_is(g, 0, STR("\177ELF")) || g->data.n < 52)
        return false;
    struct file_elf e = {g, g->data.p[4] == 2, g->data.p[5] == 2};
    unsigned type = (unsigned)file_elf_num(&e, 16, 2), machine = (unsigned)file_elf_num(&e, 18, 2);
    unsigned t = MIN(type, 4);
    /* A program that may be loaded anywhere is a shared object with an execute flag in its file. */
    struct stat_info st;
    bool pie = type == 3 && g->file && file_stat(g->file, &st) == 0 && (st.mode & 0111) &&
               file_elf_num(&e, 24, e.wide ? 8 : 4) != 0;
    const char *arch = machine == 62    ? "x86-64"
                       : machine == 3   ? "Intel 80386"
                       : machine == 183 ? "ARM aarch64"
                       : machine == 40  ? "ARM"
                       : machine == 243 ? "UCB RISC-V"
                                        : "unknown arch";
    buf_printf(&g->text, "ELF %s %s %s, %s, version 1 (%s)", e.wide ? "64-bit" : "32-bit",
               e.big ? "MSB" : "LSB", pie ? "pie executable" : types[t], arch,
               g->data.p[7] == 3 ? "GNU/Linux" : "SYSV");
    g->mime = pie ? "application/x-pie-executable" : mimes[t];
    if (type == 2 || type == 3)
        file_elf_segments(&e);
    uint64_t sections = file_elf_num(&e, e.wide ? 40 : 32, e.wide ? 8 : 4);
    unsigned each = (unsigned)file_elf_num(&e, e.wide ? 58 : 46, 2);
    unsigned n = (unsigned)MIN(file_elf_num(&e, e.wide ? 60 : 48, 2), 1000);
    bool symbols = false;
    for (unsigned i = 0; i < n; i++)
        symbols |= file_elf_num(&e, (size_t)(sections + (uint64_t)i * each) + 4, 4) == 2;
    buf_addz(&g->text, symbols ? ", not stripped" : n && sections < g->data.n ? ", stripped" : "");
    return true;
}

/* ---- all of them ----------------------------------------------------------------------------- */

/* Those whose first bytes say all there is to say. */
static const struct {
    struct str magic;
    const char *text, *mime;
} file_magic_plain[] = {
    {STR_INIT("7z\xbc\xaf\x27\x1c"), "7-zip archive data, version 0.4",
     "application/x-7z-compressed"},
    {STR_INIT("Rar!\x1a\7\1\0"), "RAR archive data, v5", "application/x-rar"},
    {STR_INIT("OggS"), "Ogg data", "application/ogg"},
    {STR_INIT("fLaC"), "FLAC audio bitstream data", "audio/flac"},
    {STR_INIT("wOF2"), "Web Open Font Format (Version 2)", "font/woff2"},
    {STR_INIT("!<arch>\n"), "current ar archive", "application/x-archive"},
    {STR_INIT("\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"), "Composite Document File V2 Document",
     "application/CDFV2"},
};

static bool file_magic_more(struct file_guess *g)
{
    const char *p;
    if (file_magic_is(g, 0, STR("ID3")) && (p = file_magic_at(g, 3, 2))) {
        buf_printf(&g->text, "Audio file with ID3 version 2.%d.%d", p[0], p[1]);
        g->mime = "audio/mpeg";
    } else if (file_magic_is(g, 0, STR("\0asm")) && (p = file_magic_at(g, 4, 4))) {
        unsigned v = file_le32(p);
        buf_printf(&g->text, "WebAssembly (wasm) binary module version %#x%s", v,
                   v == 1 ? " (MVP)" : "");
        g->mime = "application/wasm";
    } else if (file_magic_is(g, 0, STR("\xca\xfe\xba\xbe")) && (p = file_magic_at(g, 4, 4)) &&
               file_be16(p + 2) > 43) {
        unsigned major = file_be16(p + 2);
        buf_printf(&g->text, "compiled Java class data, version %u.%u", major, file_be16(p));
        if (major >= 53)
            buf_printf(&g->text, " (Java SE %u)", major - 44);
        else if (major >= 49)
            buf_printf(&g->text, " (Java 1.%u)", major - 44);
        g->mime = "application/x-java-applet";
    } else {
        for (size_t i = 0; i < COUNT(file_magic_plain); i++)
            if (file_magic_is(g, 0, file_magic_plain[i].magic)) {
                buf_addz(&g->text, file_magic_plain[i].text);
                g->mime = file_magic_plain[i].mime;
                return true;
            }
        return false;
    }
    return true;
}

bool file_magic_binary(struct file_guess *g)
{
    const char *p;
    if (file_magic_is(g, 0, STR("\x89PNG\r\n\x1a\n")))
        file_magic_png(g);
    else if (file_magic_is(g, 0, STR("\xff\xd8\xff")))
        file_magic_jpeg(g);
    else if (file_magic_is(g, 0, STR("GIF8")))
        file_magic_gif(g);
    else if (file_magic_is(g, 0, STR("RIFF")))
        file_magic_riff(g);
    else if (file_magic_is(g, 0, STR("%PDF-")) && (p = file_magic_at(g, 5, 3))) {
        buf_printf(&g->text, "PDF document, version %.3s", p);
        g->mime = "application/pdf";
    } else if (file_magic_is(g, 0, STR("\x1f\x8b")))
        file_magic_gzip(g);
    else if (file_magic_is(g, 0, STR("BZh")) && (p = file_magic_at(g, 3, 1))) {
        buf_printf(&g->text, "bzip2 compressed data, block size = %c00k", *p);
        g->mime = "application/x-bzip2";
    } else if (file_magic_is(g, 0,
                             STR("\xfd"
                                 "7zXZ\0")))
        file_magic_xz(g);
    else if (file_magic_is(g, 0, STR("\x28\xb5\x2f\xfd")))
        file_magic_zstd(g);
    else if (file_magic_is(g, 0, STR("PK\3\4")))
        file_magic_zip(g);
    else if (file_magic_is(g, 0, STR("PK\5\6"))) {
        buf_addz(&g->text, "Zip archive data (empty)");
        g->mime = "application/zip";
    } else if (file_magic_is(g, 0, STR("SQLite format 3\0")))
        file_magic_sqlite(g);
    else if (file_magic_is(g, 0, STR("BM")))
        return file_magic_bmp(g);
    else
        return file_magic_more(g);
    return true;
}
