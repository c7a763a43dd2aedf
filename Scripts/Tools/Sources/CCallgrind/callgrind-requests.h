// What Growth asks of callgrind. Outside valgrind, and where valgrind isn't installed, the requests do nothing.
#if __has_include(<valgrind/callgrind.h>)
#include <valgrind/valgrind.h>
/// Writes a label and the instructions of each thread so far to valgrind's log. A dump would do, too, but
/// dumping ends valgrind 3.19 on programs that switch stacks.
static inline void callgrind_note(const char *label) {
  VALGRIND_PRINTF("\n@%s\n", label);
  VALGRIND_MONITOR_COMMAND("status internal");
}
static inline int callgrind_runs(void) { return RUNNING_ON_VALGRIND; }
#else
static inline void callgrind_note(const char *label) { (void)label; }
static inline int callgrind_runs(void) { return 0; }
#endif
