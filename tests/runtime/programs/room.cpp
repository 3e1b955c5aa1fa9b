// SPDX-License-Identifier: Apache-2.0
//
// What a cubin says of its kernels, and for how much of them a multiprocessor has room. With a file: a line for each
// kernel. With numbers, threads, registers and shared bytes of a multiprocessor, and registers and shared bytes of a
// kernel: warps and blocks that find room. With "threads", warps and threads that are asked for: threads that a block gets.
// With a file and an architecture: what a module with that image learns on a GPU
// of sm_90, and whether it does if REX_CUBIN names the file.
#include "rex_cubin.cpp"
#include "rex_gpu.cpp"
#include "rex_room.cpp"

#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iterator>

using namespace __rex;

REX_KERNEL_ID(one)
REX_KERNEL_ID(four)
REX_KERNEL_ID(none)
static struct {
  rex_kernel first, second;
} variable;
static unsigned char of_earlier[2]; // a kernel's byte of an object file that an earlier rexcc made, and what is beside it

static void learn(const std::string &image, int arch, const std::string &cubin) {
  constexpr int has_room = REX_ENTRY_HAS_ROOM;
  __tgt_offload_entry entries[] = {
      REX_ENTRY(&oneid__, "one", 0, 0, has_room),           REX_ENTRY(&fourid__, "four", 0, 0, has_room),
      REX_ENTRY(&noneid__, "none", 0, 0, has_room),         REX_ENTRY(of_earlier, "straight", 0, 0, 0),
      REX_ENTRY(&variable, "for_all", sizeof variable, 0, 0), REX_REQUIRES_ENTRY(REX_REQUIRES_DYNAMIC_ALLOCATORS)};
  rex_offload_module module = {"room.cpp", entries, 6, sizeof entries[0], nullptr, 0, nullptr, 0, nullptr, 0};
  Gpu gpu;
  gpu.arch = 90;
  gpu.unit = {2048, 65536, 228 << 10};
  oneid__ = fourid__ = {0, 0};
  tell_room(gpu, {&module}, {{image.data(), image.data() + image.size(), arch}}, cubin);
  const int others = variable.first.warps + variable.second.warps + of_earlier[0] + of_earlier[1];
  printf("%d %d %d %d\n", oneid__.warps, fourid__.warps, noneid__.warps, others);
}

int main(int argc, char **argv) {
  if (std::string(argv[1]) == "threads") {
    for (int i = 2; i + 1 < argc; i += 2)
      printf("%d\n", threads_with_room({static_cast<unsigned char>(atoi(argv[i])), 1}, atoi(argv[i + 1])));
    return 0;
  }
  if (argc <= 3) {
    std::ifstream file(argv[1], std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
    if (argc == 3) learn(bytes, atoi(argv[2]), ""), learn("", 90, bytes);
    else for (const auto &[name, needs] : Cubin(bytes.data(), bytes.data() + bytes.size()).needs())
      printf("%s %d %llu\n", name.c_str(), needs.registers, static_cast<unsigned long long>(needs.shared));
    return 0;
  }
  for (int i = 1; i + 4 < argc; i += 5) {
    Gpu gpu;
    gpu.unit = {atoi(argv[i]), atoi(argv[i + 1]), atoi(argv[i + 2])};
    const rex_kernel room = room_of(gpu, {atoi(argv[i + 3]), strtoull(argv[i + 4], nullptr, 10)});
    printf("%d %d\n", room.warps, room.blocks);
  }
  return 0;
}
