// A library for LD_PRELOAD that counts the server's allocations, their bytes, and the bytes of copies of 1 kB and more. The
// three numbers are in the file that COUNT_FILE names. The server's children (PostgreSQL) are not counted.
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

static atomic_ullong nowhere[3];
static atomic_ullong *counts = nowhere;

static void count(size_t bytes) {
  atomic_fetch_add_explicit(&counts[0], 1, memory_order_relaxed);
  atomic_fetch_add_explicit(&counts[1], bytes, memory_order_relaxed);
}

void *malloc(size_t n) { count(n); return __libc_malloc(n); }
void *calloc(size_t n, size_t of) { count(n * of); return __libc_calloc(n, of); }
void *realloc(void *p, size_t n) { count(n); return __libc_realloc(p, n); }
void *memalign(size_t a, size_t n) { count(n); return __libc_memalign(a, n); }
void *aligned_alloc(size_t a, size_t n) { return memalign(a, n); }
int posix_memalign(void **p, size_t a, size_t n) { return (*p = memalign(a, n)) ? 0 : ENOMEM; }

static void copied(size_t n) {
  if (n >= 1024) atomic_fetch_add_explicit(&counts[2], n, memory_order_relaxed);
}

// Compiled with -fno-builtin -fno-tree-loop-distribute-patterns; otherwise these functions would call themselves.
void *memcpy(void *restrict to, const void *restrict from, size_t n) {
  copied(n);
  unsigned char *t = to;
  const unsigned char *f = from;
#ifdef __x86_64__
  __asm__ volatile("rep movsb" : "+D"(t), "+S"(f), "+c"(n) : : "memory");
#else
  while (n--) *t++ = *f++;
#endif
  return to;
}

void *memmove(void *to, const void *from, size_t n) {
  if ((uintptr_t)to - (uintptr_t)from >= n) return memcpy(to, from, n);
  copied(n);
  unsigned char *t = (unsigned char *)to + n;
  const unsigned char *f = (const unsigned char *)from + n;
  while (n--) *--t = *--f;
  return to;
}

__attribute__((constructor)) static void begin(void) {
  const char *file = getenv("COUNT_FILE");
  if (!file || strncmp(program_invocation_short_name, "dugout", 6)) return;
  int fd = open(file, O_RDWR | O_CREAT, 0600);
  if (fd < 0 || ftruncate(fd, sizeof nowhere)) return;
  void *mapped = mmap(NULL, sizeof nowhere, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
  if (mapped != MAP_FAILED) counts = mapped;
}
