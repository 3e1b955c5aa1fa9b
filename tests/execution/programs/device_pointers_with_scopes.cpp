// SPDX-License-Identifier: Apache-2.0
// Regions inside of blocks in which names with a scope in front stand for device addresses.
#include <cstdio>

struct Held {
  static int *values;
};
int *Held::values;
namespace names {
int *values;
int array[8];
int number;
} // namespace names

int main() {
  int data[8] = {0};
  Held::values = names::values = data;
#pragma omp target data map(tofrom : Held::values[0 : 8]) use_device_ptr(Held::values)
  {
#pragma omp target teams distribute parallel for is_device_ptr(Held::values)
    for (int i = 0; i < 8; i++) Held::values[i] = i;
  }
#pragma omp target data map(tofrom : names::values[0 : 8]) use_device_ptr(names::values)
  {
#pragma omp target teams distribute parallel for simd is_device_ptr(names::values)
    for (int i = 0; i < 8; i++) names::values[i] += 3 * i;
  }
#pragma omp target data map(tofrom : Held::values[0 : 8]) use_device_addr(Held::values[0 : 8])
  {
#pragma omp target parallel for has_device_addr(Held::values[0 : 8])
    for (int i = 0; i < 8; i++) Held::values[i] += 7;
  }
#pragma omp target data map(tofrom : names::array, names::number) use_device_addr(names::array, names::number)
  {
#pragma omp target parallel for has_device_addr(names::array)
    for (int i = 0; i < 8; i++) names::array[i] = 2 * i;
#pragma omp target has_device_addr(names::number)
    names::number = 5;
  }
  for (int i = 0; i < 8; i++) std::printf("%d %d ", data[i], names::array[i]);
  std::printf("%d\n", names::number);
  return 0;
}
