/* Counts the queues that are opened, not the runs inside of others, and left where they were open: linked with --wrap=… */
static int opened, left;
void __real_rex_batch_begin(void);
unsigned __real_rex_batch_pause(void), rex_batch_depth(void);
void __wrap_rex_batch_begin(void) {
  opened += rex_batch_depth() == 0;
  __real_rex_batch_begin();
}
unsigned __wrap_rex_batch_pause(void) {
  unsigned depth = __real_rex_batch_pause();
  left += depth > 0;
  return depth;
}
unsigned open_queues(void) { return rex_batch_depth(); }
int opened_queues(void) { return opened; }
int left_queues(void) { return left; }
