/* Counts a thread's open queues: linked with --wrap=rex_batch_begin,--wrap=rex_batch_end. */
static int open, opened;
void __real_rex_batch_begin(void);
void __real_rex_batch_end(void);
void __wrap_rex_batch_begin(void) { open++, opened++, __real_rex_batch_begin(); }
void __wrap_rex_batch_end(void) { open--, __real_rex_batch_end(); }
int open_queues(void) { return open; }
int opened_queues(void) { return opened; }
