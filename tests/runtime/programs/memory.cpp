// SPDX-License-Identifier: Apache-2.0
//
// A program whose heap is the driver's memory: every function that allocates, blocks that libraries make or free, threads,
// children, and, with a make-believe driver, no memory. An argument says what is expected of the heap: the driver's
// memory, or not.
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include <dlfcn.h>
#include <malloc.h>
#include <sys/wait.h>
#include <unistd.h>

static int checks, failures;
static void check(bool good, const char *what, int line) {
  checks++;
  if (!good) failures++, fprintf(stderr, "memory.cpp:%d: %s\n", line, what);
}
#define CHECK(condition) check(condition, #condition, __LINE__)

template <class Function> static Function *of_driver(const char *name) {
  static void *driver = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
  return driver != nullptr ? reinterpret_cast<Function *>(dlsym(driver, name)) : nullptr;
}
static bool is_shared(const void *block) {
  static auto *look_up = of_driver<int(unsigned, int *, void **, uint64_t)>("cuPointerGetAttributes");
  unsigned type = 0;
  int memory_type = 2;
  void *place = &type;
  return look_up != nullptr && look_up(1, &memory_type, &place, reinterpret_cast<uintptr_t>(block)) == 0 && type != 0;
}
static bool is_aligned(const void *block, size_t alignment) { return reinterpret_cast<uintptr_t>(block) % alignment == 0; }

// Made before main, and looked at when main has ended.
struct Early {
  std::vector<int> numbers;
  Early() : numbers(1000, 7) {}
  ~Early() {
    CHECK(std::count(numbers.begin(), numbers.end(), 7) == 1000);
    printf("%d checks, %d failures\n", checks, failures);
    if (failures) _exit(1);
  }
} early;

static void check_functions(bool shared) {
  CHECK(is_shared(early.numbers.data()) == shared);
  for (size_t size : {0, 1, 16, 17, 128, 129, 1000, 4096, 100000, 1 << 20, (1 << 20) + 1, 5 << 20}) {
    void *blocks[] = {malloc(size), calloc(size, 1), realloc(nullptr, size), memalign(64, size), aligned_alloc(4096, size),
                      valloc(size), pvalloc(size), operator new(size), operator new[](size), operator new(size, std::nothrow),
                      operator new(size, std::align_val_t(256)), reallocarray(nullptr, size, 1), nullptr};
    CHECK(posix_memalign(&blocks[12], 1 << 16, size) == 0);
    for (void *block : blocks) {
      CHECK(block != nullptr && is_shared(block) == shared && is_aligned(block, 16));
      CHECK(malloc_usable_size(block) >= size && std::count(blocks, blocks + 13, block) == 1);
      if (block != blocks[1]) memset(block, 0x5a, size);
    }
    CHECK(is_aligned(blocks[3], 64) && is_aligned(blocks[4], 4096) && is_aligned(blocks[5], 4096));
    CHECK(is_aligned(blocks[10], 256) && is_aligned(blocks[12], 1 << 16));
    CHECK(std::count(static_cast<char *>(blocks[1]), static_cast<char *>(blocks[1]) + size, 0) == static_cast<long>(size));
    for (int i = 0; i < 13; i++) {
      if (i == 7 || i == 9) operator delete(blocks[i]);
      else if (i == 8) operator delete[](blocks[i]);
      else if (i == 10) operator delete(blocks[i], std::align_val_t(256));
      else free(blocks[i]);
    }
  }
  void *zeroes = calloc(3, 100);
  CHECK(std::count(static_cast<char *>(zeroes), static_cast<char *>(zeroes) + 300, 0) == 300);
  free(zeroes);
  void *far = aligned_alloc(8 << 20, 100);
  CHECK(far != nullptr && is_aligned(far, 8 << 20));
  free(far);
  free(nullptr);
  std::unique_ptr<std::string> text(new std::string("an object"));
  CHECK(is_shared(text.get()) == shared);
}

static void check_resizing(bool shared) {
  size_t size = 1;
  auto *bytes = static_cast<unsigned char *>(malloc(size));
  bytes[0] = 0;
  while (size < (32 << 20)) {
    size_t larger = size + size / 2 + 1;
    bytes = static_cast<unsigned char *>(realloc(bytes, larger));
    for (size_t i = size; i < larger; i++) bytes[i] = static_cast<unsigned char>(i % 251);
    size = larger;
  }
  bytes = static_cast<unsigned char *>(realloc(bytes, size / 5));
  bool same = true;
  for (size_t i = 0; i < size / 5; i++) same = same && bytes[i] == i % 251;
  CHECK(same && is_shared(bytes) == shared);
  CHECK(realloc(bytes, 0) == nullptr);
}

static volatile size_t too_much = SIZE_MAX / 2 + 1;
static void check_no_memory(bool shared) {
  errno = 0;
  CHECK(malloc(too_much) == nullptr && errno == ENOMEM);
  errno = 0;
  CHECK(calloc(too_much, 4) == nullptr && errno == ENOMEM);
  errno = 0;
  CHECK(reallocarray(nullptr, too_much, 4) == nullptr && errno == ENOMEM);
  void *block = &errno, *before = block;
  CHECK(posix_memalign(&block, 24, 8) == EINVAL && posix_memalign(&block, 64, too_much) == ENOMEM && block == before);
  CHECK(operator new(too_much, std::nothrow) == nullptr);
  bool thrown = false;
  try {
    operator delete(operator new(too_much));
  } catch (const std::bad_alloc &) {
    thrown = true;
  }
  CHECK(thrown);
  if (!shared || of_driver<long long>("fake_memory_left") == nullptr) return;
  auto &left = *of_driver<long long>("fake_memory_left");
  long long before_that = left;
  left = 0;
  CHECK(malloc(size_t(1) << 50) == nullptr); // nothing is kept then
  before_that += left;
  left = 100 << 20;
  void *small = malloc(100), *large = malloc(40 << 20);
  memset(large, 1, 40 << 20);
  free(large); // kept, and given back for the others
  left = 24 << 20;
  errno = 0;
  CHECK(malloc(200 << 20) == nullptr && errno == ENOMEM);
  CHECK((large = malloc(50 << 20)) != nullptr);
  void *grown = realloc(large, 200 << 20);
  CHECK(grown == nullptr);
  left = 0;
  std::vector<void *> rest;
  rest.reserve(1 << 16);
  for (void *one; rest.size() < 1 << 16 && (one = malloc(1 << 20)) != nullptr;) rest.push_back(one);
  CHECK(rest.size() < 1 << 10);
  for (void *one : rest) free(one);
  errno = 5;
  free(grown != nullptr ? grown : large), free(small);
  CHECK(errno == 5);
  left = before_that;
}

// Blocks that one side makes and the other frees.
static void check_libraries(bool shared) {
  char *copy = strdup("a line of text"), *line = nullptr, *mine = static_cast<char *>(malloc(4));
  size_t room = 0, my_room = 4;
  CHECK(strcmp(copy, "a line of text") == 0);
  FILE *file = tmpfile();
  fprintf(file, "%0500d\n%05000d\n", 1, 2);
  rewind(file);
  CHECK(getline(&mine, &my_room, file) == 501 && is_shared(mine) == shared && getline(&line, &room, file) == 5001);
  fclose(file);
  free(copy), free(line), free(mine);
  void *library = dlopen("./libmemory_user.so", RTLD_NOW);
  CHECK(library != nullptr);
  auto *theirs = reinterpret_cast<void *(*)(size_t)>(dlsym(library, "block_of_library"));
  auto *resize = reinterpret_cast<void *(*)(void *, size_t)>(dlsym(library, "resized_by_library"));
  auto *drop = reinterpret_cast<void (*)(void *)>(dlsym(library, "freed_by_library"));
  void *block = theirs(1000);
  CHECK(!is_shared(block));
  block = realloc(block, 100000);
  free(block);
  block = memset(malloc(1000), 3, 1000);
  block = resize(block, 3 << 20);
  CHECK(static_cast<char *>(block)[999] == 3 && is_shared(block) == shared);
  drop(block);
  dlclose(library);
}

static void work(unsigned seed, int *bad) {
  struct Block {
    unsigned char *bytes;
    size_t size;
  };
  std::vector<Block> blocks;
  for (int i = 0; i < 20000; i++) {
    seed = seed * 1103515245 + 12345;
    if (blocks.size() < 200 || seed % 2 == 0) {
      size_t size = seed / 16 % 64 != 0 ? seed / 1024 % 3000 : seed / 1024 % 3000000;
      auto *bytes = static_cast<unsigned char *>(malloc(size + 1));
      bytes[0] = bytes[size] = static_cast<unsigned char>(size % 255);
      blocks.push_back({bytes, size});
    } else {
      std::swap(blocks[seed / 16 % blocks.size()], blocks.back());
      Block last = blocks.back();
      if (last.bytes[0] != last.size % 255 || last.bytes[last.size] != last.size % 255) ++*bad;
      free(last.bytes);
      blocks.pop_back();
    }
  }
  for (Block &block : blocks) free(block.bytes);
}

static void check_threads() {
  int bad[8] = {};
  std::vector<std::thread> threads;
  for (unsigned i = 0; i < 8; i++) threads.emplace_back(work, i + 1, &bad[i]);
  for (std::thread &thread : threads) thread.join();
  CHECK(std::count(bad, bad + 8, 0) == 8);
}

// A child has what its parent had, and allocates for itself.
static void check_children() {
  std::string text(100, 'x');
  auto *large = static_cast<int *>(malloc(sizeof(int) << 20));
  std::fill(large, large + (1 << 20), 3);
  for (int generation = 0; generation < 2; generation++) {
    pid_t child = fork();
    int status = 1;
    if (child != 0) {
      CHECK(waitpid(child, &status, 0) == child && status == 0);
      if (generation > 0) _exit(failures > 0);
      break;
    }
    std::vector<std::string> own(1000, text);
    bool good = std::count(large, large + (1 << 20), 3) == 1 << 20 && own[999] == std::string(100, 'x');
    large = static_cast<int *>(realloc(large, sizeof(int) << 21));
    good = good && large[(1 << 20) - 1] == 3 && early.numbers[999] == 7;
    if (!good || generation > 0) _exit(!good);
  }
  CHECK(std::count(large, large + (1 << 20), 3) == 1 << 20);
  free(large);
}

static void check_reuse() {
  auto *made = of_driver<long(void)>("fake_pieces_made");
  if (made == nullptr) return;
  for (int i = 0; i < 3; i++) free(malloc(4 << 20)), free(malloc(6 << 20));
  long before = made();
  for (int i = 0; i < 1000; i++) free(malloc(4 << 20)), free(malloc(6 << 20));
  CHECK(made() == before);
  long long left = *of_driver<long long>("fake_memory_left");
  for (int i = 1; i < 100; i++) free(malloc(static_cast<size_t>(i) << 25));
  CHECK(left - *of_driver<long long>("fake_memory_left") <= 256 << 20);
}

int main(int, char **words) {
  bool shared = strcmp(words[1], "shared") == 0;
  check_functions(shared);
  check_resizing(shared);
  check_no_memory(shared);
  check_libraries(shared);
  check_threads();
  check_children();
  if (shared) check_reuse();
}
