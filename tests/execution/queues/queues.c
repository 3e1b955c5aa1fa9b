/* Counts a thread's open queues: linked with --wrap for each of the functions here. */
static int open, opened;
void __real_rex_batch_begin(void);
void __real_rex_batch_end(void);
void __wrap_rex_batch_begin(void) { open++, opened++, __real_rex_batch_begin(); }
void __wrap_rex_batch_end(void) { open--, __real_rex_batch_end(); }
unsigned __real_rex_batch_pause(void);
void __real_rex_batch_resume(unsigned);
unsigned __wrap_rex_batch_pause(void) { open = 0; return __real_rex_batch_pause(); }
void __wrap_rex_batch_resume(unsigned depth) { open = (int)depth, __real_rex_batch_resume(depth); }
int open_queues(void) { return open; }
int opened_queues(void) { return opened; }
