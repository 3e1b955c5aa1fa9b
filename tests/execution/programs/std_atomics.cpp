// std::atomic, std::atomic_ref and std::atomic_flag in regions, in functions, in structures and as variables of devices.
#include <atomic>
#include <cstdint>
#include <stdio.h>

struct counters {
  std::atomic<long> n;
  std::atomic<short> s;
  std::atomic<bool> any;
  std::atomic<uint8_t> bits;
  std::atomic<double *> at;
};
enum class colour { red, green };

#pragma omp begin declare target
std::atomic<int> hits{0};
std::atomic_flag busy = ATOMIC_FLAG_INIT;
int guarded = 0;
void lock() {
  while (busy.test_and_set(std::memory_order_acquire)) {
  }
}
void unlock() { busy.clear(std::memory_order_release); }
template <class T> void count(std::atomic<T> &a, T v) { a.fetch_add(v, std::memory_order_relaxed); }
#pragma omp end declare target

int main() {
  std::atomic<int> n{0}, slot{0}, most{-1}, mask{0}, sums[4] = {};
  std::atomic_int low{5};
  std::atomic<colour> light{colour::red};
  counters c{};
  int seen[1000] = {}, old = 0;
  double cells[8] = {};
#pragma omp target teams distribute parallel for map(tofrom: n, slot, most, mask, c, sums, seen, light, cells, low)
  for (int i = 0; i < 1000; i++) {
    seen[slot.fetch_add(1, std::memory_order_relaxed)] += 1;
    n++;
    n += 2;
    --n;
    int m = most.load();
    while (m < i && !most.compare_exchange_weak(m, i)) {
    }
    mask |= 1 << i % 20;
    low &= ~1;
    c.n += i;
    c.s--;
    c.any = true;
    c.bits ^= (uint8_t)(i % 251);
    count(sums[i % 4], i);
    std::atomic_fetch_add(&sums[0], 1);
    hits.fetch_add(i % 3);
    colour expected = colour::red;
    if (i == 77) light.compare_exchange_strong(expected, colour::green);
#if __cplusplus > 201703L
    std::atomic_ref<double>(cells[i % 8]).fetch_add(0.25);
    std::atomic_ref first(cells[0]);
    first += 1;
#endif
  }
#pragma omp target map(tofrom: old, c, cells)
  {
    old = hits.exchange(5);
    std::atomic_thread_fence(std::memory_order_seq_cst);
    lock();
    guarded++;
    unlock();
    old += hits + guarded;
    c.at = cells;
    c.at += 3;
    old += (int)(c.at++ - cells) * 100000 + (int)(c.at.load() - cells) * 1000000;
    c.at = nullptr;
  }
  int different = 0;
  for (int i = 0; i < 1000; i++) different += seen[i] == 1;
  printf("%d %d %x %d %d\n", n.load(), most.load(), mask.load(), low.load(), different);
  printf("%ld %d %d %d\n", c.n.load(), c.s.load(), (int)c.any, c.bits.load());
  for (auto &sum : sums) printf("%d ", sum.load());
  printf("%d %d %g %g\n", old, (int)light.load(), cells[0], cells[1]);
}
