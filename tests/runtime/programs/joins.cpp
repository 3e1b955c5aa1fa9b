// SPDX-License-Identifier: Apache-2.0
//
// How blocks join their results, with lanes that show each other values: those of a GPU, made of fibers here.
#include "shown_lanes.h"

#include <stdio.h>

#include <type_traits>
#include <vector>

struct two {
  double first, second;
};
struct join_two {
  void operator()(two &a, two &b) const { a.first += b.first, a.second = a.second > b.second ? a.second : b.second; }
};

// A chain of nodes that lie elsewhere: joining writes there, so what is joined once too often is lost or there twice.
struct node {
  node *next;
};
struct chain {
  node *first, *last;
};
static void append(chain &a, chain &b) {
  if (b.first == nullptr) return;
  (a.first == nullptr ? a.first : a.last->next) = b.first;
  a.last = b.last;
}

// What a thread has: numbers whose sums are exact in any order, and tell whether one is missing or there twice.
struct own {
  double sum, square, most;
  float third;
  int count;
  unsigned bits;
  long long wide;
  char flag;
  two both;
};
static own of_thread(long long number) {
  const double d = (double)(number % 4099), e = (double)(number * 7 % 1013);
  return {d, d * d, e, (float)(number % 5), 1, 1u << number % 31, number << 20, (char)(number % 3 != 2), {e, d}};
}

struct results {
  own all, eight[8];
  unsigned row[40];
};
static own start() { return {1, 2, 3, 4, 5, 6, 7, 1, {8, 9}}; }

// A variable that is alone, two and eight of one type, some of several, rows between them, and five of first threads.
enum Kind { ONE, ALIKE, EIGHT, MIXED, MANY, ROWS, FIRST, KINDS };

static void reduce(Kind kind, rex_partials *partials, results *r) {
  own mine = of_thread((long long)blockIdx.x * blockDim.x + threadIdx.x);
  own *all = &r->all;
  if (kind == ONE) {
    rex_reduce(partials, rex_into_add(&all->sum, mine.sum));
  } else if (kind == ALIKE) {
    rex_reduce(partials, rex_into_add(&all->sum, mine.sum), rex_into_add(&all->square, mine.square));
  } else if (kind == EIGHT) {
    double s[8];
    for (int i = 0; i < 8; i++) s[i] = mine.sum * (i + 1);
    rex_reduce(partials, rex_into_add(&r->eight[0].sum, s[0]), rex_into_add(&r->eight[1].sum, s[1]),
               rex_into_add(&r->eight[2].sum, s[2]), rex_into_add(&r->eight[3].sum, s[3]),
               rex_into_add(&r->eight[4].sum, s[4]), rex_into_add(&r->eight[5].sum, s[5]),
               rex_into_add(&r->eight[6].sum, s[6]), rex_into_add(&r->eight[7].sum, s[7]));
  } else if (kind == MIXED) {
    rex_reduce(partials, rex_into_add(&all->sum, mine.sum), rex_into_max(&all->third, mine.third));
  } else if (kind == MANY) {
    rex_reduce(partials, rex_into_land(&all->flag, mine.flag), rex_into_add(&all->sum, mine.sum),
               rex_into_add(&all->count, mine.count), rex_into_or(&all->bits, mine.bits),
               rex_into_add(&all->wide, mine.wide), rex_into_max(&all->most, mine.most),
               rex_into_with(&all->both, mine.both, join_two()), rex_into_min(&all->third, mine.third));
  } else {
    unsigned row[40];
    for (unsigned i = 0; i < 40; i++) row[i] = (unsigned)mine.sum * (i + 1);
    if (kind == ROWS)
      rex_reduce(partials, rex_into_add(&all->sum, mine.sum), rex_into_add(r->row, row, 40),
                 rex_into_add(&all->count, mine.count), rex_into_max(&all->most, mine.most));
    else
      rex_reduce_blocks(partials, rex_into_add(&r->eight[0].sum, mine.sum), rex_into_add(&r->eight[1].sum, mine.square),
                        rex_into_add(&r->eight[2].sum, mine.most), rex_into_add(&r->eight[3].sum, mine.both.first),
                        rex_into_add(&r->eight[4].sum, mine.both.second));
  }
}

static void join_expected(Kind kind, const own &mine, results &r) {
  own &all = r.all;
  const double firsts[] = {mine.sum, mine.square, mine.most, mine.both.first, mine.both.second};
  if (kind != EIGHT && kind != FIRST) all.sum += mine.sum;
  if (kind == ALIKE) all.square += mine.square;
  if (kind == MANY || kind == ROWS) all.count += 1;
  if (kind == FIRST)
    for (int i = 0; i < 5; i++) r.eight[i].sum += firsts[i];
  if (kind == MANY || kind == ROWS) all.most = all.most > mine.most ? all.most : mine.most;
  if (kind == MIXED) all.third = all.third > mine.third ? all.third : mine.third;
  if (kind == EIGHT)
    for (int i = 0; i < 8; i++) r.eight[i].sum += mine.sum * (i + 1);
  if (kind == ROWS)
    for (unsigned i = 0; i < 40; i++) r.row[i] += (unsigned)mine.sum * (i + 1);
  if (kind != MANY) return;
  all.flag = all.flag && mine.flag;
  all.bits |= mine.bits;
  all.wide += mine.wide;
  all.third = all.third < mine.third ? all.third : mine.third;
  two other = mine.both;
  join_two()(all.both, other);
}

static int failures;
static bool same(const own &a, const own &b) {
  return a.sum == b.sum && a.square == b.square && a.most == b.most && a.third == b.third && a.count == b.count &&
         a.bits == b.bits && a.wide == b.wide && a.flag == b.flag && a.both.first == b.both.first &&
         a.both.second == b.both.second;
}
static results begin() {
  results r = {};
  r.all = start();
  for (own &one : r.eight) one = start();
  return r;
}
static void check(Kind kind, int blocks, int threads, std::vector<rex_partials> &memory) {
  results found = begin(), expected = begin();
  rex_geometry geometry = {blocks, threads};
  rex_run_teams_synchronised(&geometry, [&] { reduce(kind, memory.data(), &found); });
  for (int block = 0; block < blocks; block++)
    for (int thread = 0; thread < (kind == FIRST ? 1 : threads); thread++)
      join_expected(kind, of_thread((long long)block * threads + thread), expected);
  bool good = same(found.all, expected.all) && memory[0].arrived == 0 && !memcmp(found.row, expected.row, sizeof found.row);
  for (int i = 0; i < 8; i++) good = good && same(found.eight[i], expected.eight[i]);
  if (good) return;
  printf("kind %d, %d blocks of %d threads: wrong\n", kind, blocks, threads);
  failures++;
}

// Two or five chains, to which each thread, or each block's first, has a node of its own to add.
template <int kinds> static void check_chains(bool of_first, int blocks, int threads, std::vector<rex_partials> &memory) {
  std::vector<node> nodes(static_cast<size_t>(kinds * blocks * threads));
  chain found[kinds] = {};
  rex_geometry geometry = {blocks, threads};
  rex_run_teams_synchronised(&geometry, [&] {
    const rex_combiner<decltype(append), append> join;
    chain mine[kinds];
    for (int i = 0; i < kinds; i++) {
      node *own = &nodes[(size_t)((int)(blockIdx.x * blockDim.x + threadIdx.x) * kinds + i)];
      mine[i] = {own, own};
    }
    const auto reduce = [&](auto... variables) {
      if (of_first) rex_reduce_blocks(memory.data(), variables...);
      else rex_reduce(memory.data(), variables...);
    };
    if constexpr (kinds == 2)
      reduce(rex_into_with(&found[0], mine[0], join), rex_into_with(&found[1], mine[1], join));
    else
      reduce(rex_into_with(&found[0], mine[0], join), rex_into_with(&found[1], mine[1], join),
             rex_into_with(&found[2], mine[2], join), rex_into_with(&found[3], mine[3], join),
             rex_into_with(&found[4], mine[4], join));
  });
  for (chain &one : found) {
    int count = 0, expected = of_first ? blocks : blocks * threads;
    for (node *at = one.first; at != nullptr && count <= expected; at = at->next) count++;
    if (count == expected) continue;
    printf("%d chains%s, %d blocks of %d threads: wrong\n", kinds, of_first ? " of first threads" : "", blocks, threads);
    failures++;
  }
}

int main() {
  const int widths[] = {1, 5, 31, 32, 33, 64, 100, 224, 256, 500, 1024}, grids[] = {1, 2, 9, 150};
  std::vector<rex_partials> memory(1 + 150 * 400 / sizeof(rex_partials));
  for (int threads : widths)
    for (int blocks : grids)
      for (int kind = 0; kind < KINDS; kind++)
        if (blocks < 100 || threads < 100) check((Kind)kind, blocks, threads, memory);
  for (int threads : {1, 5, 32, 33, 100, 256})
    for (int blocks : {1, 2, 9, 40})
      for (bool of_first : {false, true}) {
        check_chains<2>(of_first, blocks, threads, memory);
        check_chains<5>(of_first, blocks, threads, memory);
      }
  printf("%d failures\n", failures);
  return failures != 0;
}
