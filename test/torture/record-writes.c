/*
 * Records every change of files below RECORD_ROOT, and every fsync, into RECORD_LOG. Loaded with LD_PRELOAD; disk-log.ts reads
 * the log.
 *
 * A record is a packed header (type, thread, inode, offset, two lengths) and two byte strings. A write is noted after it was
 * made, an fsync before (B) and after it (E): what an fsync does not surely cover counts as not covered. Memory maps are not
 * seen; SQLite maps only its -shm file, which it rebuilds.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

static const char *root;
static size_t root_length;
static int log_file = -1;

__attribute__((constructor)) static void begin(void) {
  root = getenv("RECORD_ROOT");
  if (!root) return;
  root_length = strlen(root);
  int opened = syscall(SYS_openat, AT_FDCWD, getenv("RECORD_LOG"), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
  /* Programs count on low numbers for their own files. */
  log_file = fcntl(opened, F_DUPFD_CLOEXEC, 900);
  if (log_file < 0) abort();
  syscall(SYS_close, opened);
}

static void note(char type, uint64_t inode, uint64_t offset, const void *a, uint32_t a_length, const void *b,
                 uint32_t b_length) {
  int saved = errno;
  struct __attribute__((packed)) {
    char type;
    uint32_t thread;
    uint64_t inode, offset;
    uint32_t a_length, b_length;
  } header = {type, syscall(SYS_gettid), inode, offset, a_length, b_length};
  struct iovec parts[3] = {{&header, sizeof header}, {(void *)a, a_length}, {(void *)b, b_length}};
  if (syscall(SYS_writev, log_file, parts, 3) < 0) abort();
  errno = saved;
}

static int is_inside(const char *path) {
  return root && !strncmp(path, root, root_length) && (path[root_length] == '/' || !path[root_length]);
}

/* The absolute path, its folder resolved; false where it is none of ours. */
static int resolve(int folder, const char *path, char *out) {
  char joined[PATH_MAX * 2], parent[PATH_MAX];
  if (!root || !path) return 0;
  if (path[0] == '/') {
    snprintf(joined, sizeof joined, "%s", path);
  } else {
    char link[64];
    snprintf(link, sizeof link, folder == AT_FDCWD ? "/proc/self/cwd" : "/proc/self/fd/%d", folder);
    ssize_t length = readlink(link, parent, sizeof parent - 1);
    if (length < 0) return 0;
    parent[length] = 0;
    snprintf(joined, sizeof joined, "%s/%s", parent, path);
  }
  char *slash = strrchr(joined, '/'), name[NAME_MAX + 1];
  if (!slash) return 0;
  snprintf(name, sizeof name, "%s", slash + 1);
  *slash = 0;
  if (!realpath(*joined ? joined : "/", parent)) return 0;
  return snprintf(out, PATH_MAX, "%s/%s", parent, name) < PATH_MAX && is_inside(out);
}

static int is_ours(int file, char *path, struct stat *found) {
  char link[64];
  if (!root || file < 0) return 0;
  snprintf(link, sizeof link, "/proc/self/fd/%d", file);
  ssize_t length = readlink(link, path, PATH_MAX - 1);
  if (length < 0) return 0;
  path[length] = 0;
  return is_inside(path) && !fstat(file, found);
}

static int open_file(int folder, const char *path, int flags, mode_t mode) {
  char whole[PATH_MAX];
  struct stat found;
  int saved = errno;
  int ours = (flags & (O_CREAT | O_TRUNC)) && resolve(folder, path, whole);
  int existed = ours && !stat(whole, &found);
  errno = saved;
  int file = syscall(SYS_openat, folder, path, flags, mode);
  if (file >= 0 && ours && !fstat(file, &found)) {
    if (!existed) note('C', found.st_ino, 0, whole, strlen(whole), 0, 0);
    else if (flags & O_TRUNC) note('T', found.st_ino, 0, 0, 0, 0, 0);
  }
  return file;
}

#define TAKE_MODE                         \
  mode_t mode = 0;                        \
  if (flags & (O_CREAT | O_TMPFILE)) {    \
    va_list rest;                         \
    va_start(rest, flags);                \
    mode = va_arg(rest, mode_t);          \
    va_end(rest);                         \
  }
int open(const char *path, int flags, ...) { TAKE_MODE return open_file(AT_FDCWD, path, flags, mode); }
int open64(const char *path, int flags, ...) { TAKE_MODE return open_file(AT_FDCWD, path, flags, mode); }
int openat(int folder, const char *path, int flags, ...) { TAKE_MODE return open_file(folder, path, flags, mode); }
int openat64(int folder, const char *path, int flags, ...) { TAKE_MODE return open_file(folder, path, flags, mode); }

static ssize_t wrote(int file, const void *bytes, ssize_t length, off_t offset) {
  char path[PATH_MAX];
  struct stat found;
  int saved = errno;
  if (length > 0 && is_ours(file, path, &found) && S_ISREG(found.st_mode)) {
    off_t at = offset < 0 ? lseek(file, 0, SEEK_CUR) - length : offset;
    note('W', found.st_ino, at, path, strlen(path), bytes, length);
  }
  errno = saved;
  return length;
}

ssize_t write(int file, const void *bytes, size_t length) {
  return wrote(file, bytes, syscall(SYS_write, file, bytes, length), -1);
}
ssize_t pwrite(int file, const void *bytes, size_t length, off_t offset) {
  return wrote(file, bytes, syscall(SYS_pwrite64, file, bytes, length, offset), offset);
}
ssize_t pwrite64(int file, const void *bytes, size_t length, off64_t offset) {
  return pwrite(file, bytes, length, offset);
}

static ssize_t write_each(int file, const struct iovec *parts, int count, off_t offset) {
  ssize_t done = 0;
  for (int i = 0; i < count; i++) {
    ssize_t length = offset < 0 ? write(file, parts[i].iov_base, parts[i].iov_len)
                                : pwrite(file, parts[i].iov_base, parts[i].iov_len, offset + done);
    if (length < 0) return done ? done : length;
    done += length;
    if ((size_t)length < parts[i].iov_len) break;
  }
  return done;
}
ssize_t writev(int file, const struct iovec *parts, int count) {
  char path[PATH_MAX];
  struct stat found;
  /* A pipe gets it in one piece, as it was given. */
  return is_ours(file, path, &found) ? write_each(file, parts, count, -1) : syscall(SYS_writev, file, parts, count);
}
ssize_t pwritev(int file, const struct iovec *parts, int count, off_t offset) {
  return write_each(file, parts, count, offset);
}
ssize_t pwritev64(int file, const struct iovec *parts, int count, off64_t offset) {
  return write_each(file, parts, count, offset);
}

int ftruncate(int file, off_t length) {
  char path[PATH_MAX];
  struct stat found;
  int result = syscall(SYS_ftruncate, file, length);
  if (!result && is_ours(file, path, &found)) note('T', found.st_ino, length, path, strlen(path), 0, 0);
  return result;
}
int ftruncate64(int file, off64_t length) { return ftruncate(file, length); }

static int sync_file(long call, int file) {
  char path[PATH_MAX];
  struct stat found;
  int ours = is_ours(file, path, &found);
  if (ours) note('B', found.st_ino, 0, path, strlen(path), 0, 0);
  int result = syscall(call, file);
  if (ours && !result) note('E', found.st_ino, 0, path, strlen(path), 0, 0);
  return result;
}
int fsync(int file) { return sync_file(SYS_fsync, file); }
int fdatasync(int file) { return sync_file(SYS_fdatasync, file); }

static int rename_or_link(char type, long call, int from_folder, const char *from, int to_folder, const char *to,
                          int flags) {
  char before[PATH_MAX], after[PATH_MAX];
  int ours = resolve(from_folder, from, before) && resolve(to_folder, to, after);
  int result = syscall(call, from_folder, from, to_folder, to, flags);
  if (!result && ours) note(type, 0, 0, before, strlen(before), after, strlen(after));
  return result;
}
int rename(const char *from, const char *to) {
  return rename_or_link('R', SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int renameat(int from_folder, const char *from, int to_folder, const char *to) {
  return rename_or_link('R', SYS_renameat2, from_folder, from, to_folder, to, 0);
}
int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags) {
  return rename_or_link('R', SYS_renameat2, from_folder, from, to_folder, to, flags);
}
int link(const char *from, const char *to) {
  return rename_or_link('L', SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}
int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags) {
  return rename_or_link('L', SYS_linkat, from_folder, from, to_folder, to, flags);
}

static int remove_name(char type, int folder, const char *path, int flags) {
  char whole[PATH_MAX];
  int ours = resolve(folder, path, whole), result = syscall(SYS_unlinkat, folder, path, flags);
  if (!result && ours) note(type, 0, 0, whole, strlen(whole), 0, 0);
  return result;
}
int unlink(const char *path) { return remove_name('U', AT_FDCWD, path, 0); }
int unlinkat(int folder, const char *path, int flags) { return remove_name('U', folder, path, flags); }
int rmdir(const char *path) { return remove_name('U', AT_FDCWD, path, AT_REMOVEDIR); }

int mkdir(const char *path, mode_t mode) {
  char whole[PATH_MAX];
  struct stat found;
  int result = syscall(SYS_mkdirat, AT_FDCWD, path, mode);
  if (!result && resolve(AT_FDCWD, path, whole) && !stat(whole, &found))
    note('M', found.st_ino, 0, whole, strlen(whole), 0, 0);
  return result;
}
