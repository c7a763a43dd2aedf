// The few functions of a C library that an Embedded program calls, over WASI. Memory is never freed.
#include <stddef.h>
#include <stdint.h>

__attribute__((import_module("wasi_snapshot_preview1"), import_name("fd_write")))
int32_t fd_write(int32_t file, const void *parts, int32_t count, int32_t *written);
__attribute__((import_module("wasi_snapshot_preview1"), import_name("proc_exit"), noreturn))
void proc_exit(int32_t code);

extern unsigned char __heap_base;
static uintptr_t next;
static uint64_t state = 1;

int posix_memalign(void **result, size_t alignment, size_t size) {
  if (next == 0) next = (uintptr_t)&__heap_base;
  next = (next + alignment - 1) & ~(uintptr_t)(alignment - 1);
  uintptr_t end = next + size;
  uintptr_t have = __builtin_wasm_memory_size(0) << 16;
  if (end > have && __builtin_wasm_memory_grow(0, ((end - have) >> 16) + 1) == (size_t)-1) return 12;
  *result = (void *)next;
  next = end;
  return 0;
}

void *malloc(size_t size) {
  void *result;
  return posix_memalign(&result, 16, size) ? 0 : result;
}

void free(void *memory) { (void)memory; }

void *memset(void *memory, int byte, size_t count) {
  for (unsigned char *at = memory; count > 0; count--) *at++ = (unsigned char)byte;
  return memory;
}

void *memmove(void *to, const void *from, size_t count) {
  unsigned char *a = to;
  const unsigned char *b = from;
  if (a < b) while (count-- > 0) *a++ = *b++;
  else while (count-- > 0) a[count] = b[count];
  return to;
}

void *memcpy(void *to, const void *from, size_t count) { return memmove(to, from, count); }

int memcmp(const void *left, const void *right, size_t count) {
  const unsigned char *a = left, *b = right;
  for (; count > 0; count--, a++, b++) if (*a != *b) return *a - *b;
  return 0;
}

// The seeds of hashes.
void arc4random_buf(void *memory, size_t count) {
  for (unsigned char *at = memory; count > 0; count--) {
    state = state * 6364136223846793005u + 1442695040888963407u;
    *at++ = (unsigned char)(state >> 56);
  }
}

int putchar(int byte) {
  unsigned char text = (unsigned char)byte;
  struct { const void *start; int32_t count; } part = {&text, 1};
  int32_t written;
  fd_write(1, &part, 1, &written);
  return byte;
}

// Halves are rounded away from zero.
double round(double number) {
  double whole = __builtin_trunc(number);
  return __builtin_fabs(number - whole) >= 0.5 ? whole + __builtin_copysign(1, number) : whole;
}

// A product of 128 bits, from products of 64 bits.
__int128 __multi3(__int128 left, __int128 right) {
  uint64_t a = (uint64_t)left, b = (uint64_t)right;
  uint64_t low = (a & 0xFFFFFFFF) * (b & 0xFFFFFFFF);
  uint64_t middle = (a >> 32) * (b & 0xFFFFFFFF) + (low >> 32);
  uint64_t other = (a & 0xFFFFFFFF) * (b >> 32) + (middle & 0xFFFFFFFF);
  uint64_t high = (a >> 32) * (b >> 32) + (middle >> 32) + (other >> 32);
  high += a * (uint64_t)(right >> 64) + (uint64_t)(left >> 64) * b;
  return (__int128)((unsigned __int128)high << 64 | (other << 32 | (low & 0xFFFFFFFF)));
}

// Numbers that need more than an exact quotient are the library's matter.
const char *_swift_stdlib_strtod_clocale(const char *text, double *result) { return 0; }

uintptr_t __stack_chk_guard = 0x5EED;
void __stack_chk_fail(void) { __builtin_trap(); }

// What Swift calls `main` on this platform.
int __main_argc_argv(int argc, char **argv);
void _start(void) { proc_exit(__main_argc_argv(0, 0)); }
