/* A disk that fails, loaded under a process by LD_PRELOAD. It looks at files whose path contains STUDY_FAULT_FILE.

   STUDY_FAULT  eio, enospc: a write fails; torn: half a write, then the power is gone; fsync: syncing fails.
   STUDY_FAULT_AT   which write or sync it is, counted from 1.   STUDY_FAULT_FOR  how many from then on.
   STUDY_TRACE  a file that gets every write, truncation and sync in order, so that a power cut can be played later.
   A record of it: operation, kind of file, offset, length (1, 1, 8, 4 bytes), then the bytes written. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

enum { MOST = 4096 };
enum { NONE = 0, DATABASE = 'd', LOG = 'w', ACKNOWLEDGED = 'a' };

static char kinds[MOST];
static int trace = -1;
static long count, at, lasting;
static const char *fault, *tracked;

static void *next(const char *name) { return dlsym(RTLD_NEXT, name); }

__attribute__((constructor)) static void begin(void) {
  fault = getenv("STUDY_FAULT");
  tracked = getenv("STUDY_FAULT_FILE");
  at = getenv("STUDY_FAULT_AT") ? atol(getenv("STUDY_FAULT_AT")) : 0;
  lasting = getenv("STUDY_FAULT_FOR") ? atol(getenv("STUDY_FAULT_FOR")) : 1;
  if (getenv("STUDY_TRACE")) {
    int (*real)(const char *, int, ...) = next("open64");
    trace = real(getenv("STUDY_TRACE"), O_WRONLY | O_CREAT | O_APPEND, 0600);
  }
}

static int kind_of(const char *path) {
  if (!tracked || !path || !strstr(path, tracked)) return NONE;
  size_t length = strlen(path);
  if (length > 4 && !strcmp(path + length - 4, "-shm")) return NONE;
  if (length > 4 && !strcmp(path + length - 4, "-wal")) return LOG;
  if (length > 4 && !strcmp(path + length - 4, ".ack")) return ACKNOWLEDGED;
  return length > 3 && !strcmp(path + length - 3, ".db") ? DATABASE : NONE;
}

static int kind(int fd) { return fd >= 0 && fd < MOST ? kinds[fd] : NONE; }

static void note(char operation, int fd, int64_t offset, const void *data, uint32_t length) {
  if (trace < 0 || !kind(fd)) return;
  static ssize_t (*real)(int, const void *, size_t);
  if (!real) real = next("write");
  size_t whole = 14 + (data ? length : 0);
  char *record = malloc(whole);
  record[0] = operation;
  record[1] = (char)kind(fd);
  memcpy(record + 2, &offset, 8);
  memcpy(record + 10, &length, 4);
  if (data) memcpy(record + 14, data, length);
  if (real(trace, record, whole) != (ssize_t)whole) abort();
  free(record);
}

/* Whether this operation is one that fails. */
static int failing(int fd, int sync) {
  if (!fault || kind(fd) == NONE || kind(fd) == ACKNOWLEDGED) return 0;
  if (sync != !strcmp(fault, "fsync")) return 0;
  count++;
  return count >= at && count < at + lasting;
}

static int opened(int fd, const char *path) {
  if (fd >= 0 && fd < MOST) kinds[fd] = (char)kind_of(path);
  return fd;
}

#define OPEN(name)                                                \
  int name(const char *path, int flags, ...) {                    \
    static int (*real)(const char *, int, ...);                   \
    if (!real) real = next(#name);                                \
    va_list rest;                                                 \
    va_start(rest, flags);                                        \
    mode_t mode = flags & O_CREAT ? va_arg(rest, mode_t) : 0;     \
    va_end(rest);                                                 \
    return opened(real(path, flags, mode), path);                 \
  }
OPEN(open)
OPEN(open64)

int close(int fd) {
  static int (*real)(int);
  if (!real) real = next("close");
  if (fd >= 0 && fd < MOST) kinds[fd] = NONE;
  return real(fd);
}

/* What is left of a write when this disk has done with it: a count, or -1. */
static ssize_t spoilt(int fd, const void *data, size_t length, off64_t offset) {
  static ssize_t (*real)(int, const void *, size_t, off64_t);
  if (!real) real = next("pwrite64");
  if (!strcmp(fault, "torn")) {
    real(fd, data, length / 2, offset);
    note('W', fd, offset, data, length / 2);
    kill(getpid(), SIGKILL);
  }
  errno = !strcmp(fault, "enospc") ? ENOSPC : EIO;
  return -1;
}

#define PWRITE(name)                                                          \
  ssize_t name(int fd, const void *data, size_t length, off64_t offset) {     \
    static ssize_t (*real)(int, const void *, size_t, off64_t);               \
    if (!real) real = next(#name);                                            \
    if (failing(fd, 0)) return spoilt(fd, data, length, offset);              \
    ssize_t done = real(fd, data, length, offset);                            \
    if (done > 0) note('W', fd, offset, data, (uint32_t)done);                \
    return done;                                                              \
  }
PWRITE(pwrite)
PWRITE(pwrite64)

ssize_t write(int fd, const void *data, size_t length) {
  static ssize_t (*real)(int, const void *, size_t);
  if (!real) real = next("write");
  if (kind(fd) == NONE) return real(fd, data, length);
  off64_t offset = lseek64(fd, 0, SEEK_CUR);
  if (failing(fd, 0)) return spoilt(fd, data, length, offset);
  ssize_t done = real(fd, data, length);
  if (done > 0) note('W', fd, offset, data, (uint32_t)done);
  return done;
}

#define TRUNCATE(name)                                   \
  int name(int fd, off64_t length) {                     \
    static int (*real)(int, off64_t);                    \
    if (!real) real = next(#name);                       \
    int done = real(fd, length);                         \
    if (!done) note('T', fd, length, NULL, 0);           \
    return done;                                         \
  }
TRUNCATE(ftruncate)
TRUNCATE(ftruncate64)

#define SYNC(name)                       \
  int name(int fd) {                     \
    static int (*real)(int);             \
    if (!real) real = next(#name);       \
    if (failing(fd, 1)) {                \
      errno = EIO;                       \
      return -1;                         \
    }                                    \
    int done = real(fd);                 \
    if (!done) note('S', fd, 0, NULL, 0);\
    return done;                         \
  }
SYNC(fsync)
SYNC(fdatasync)
