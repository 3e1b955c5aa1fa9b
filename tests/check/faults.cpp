// Faults as C++ has them; what is found at a line stands in its `want:` (faults.c).
#include <array>
#include <cstdio>
#include <memory>
#include <numeric>
#include <vector>

#include <omp.h>

static void show(double value) { printf("%g\n", value); }

struct Field {
  std::vector<double> storage;
  double *data;
  int count;
  explicit Field(int count) : storage(count, 1.0), data(storage.data()), count(count) {}

  void beyond() {
#pragma omp target teams distribute parallel for map(tofrom : data[0 : count - 1])
    for (int i = 0; i < count; i++) data[i] += 1; // want: bounds
  }
  void not_mapped() {
#pragma omp target map(tofrom : this[0 : 1])
    data[0] = 3; // want: unmapped
  }
  void forgotten() {
#pragma omp target enter data map(to : data[0 : count])
#pragma omp target
    data[1] = 9;
    show(data[1]); // want: stale
#pragma omp target exit data map(delete : data[0 : count])
  }
};

template <class T> static void sum_of(const T *values, int count, T &sum) {
#pragma omp target teams distribute parallel for map(to : values[0 : count]) map(tofrom : sum)
  for (int i = 0; i < count; i++) sum += values[i]; // want: race
}

template <class Body> static void for_each(int count, Body body) {
#pragma omp target teams distribute parallel for
  for (int i = 0; i < count; i++) body(i);
}

struct Store {
  int *p;
  void operator()(int i) const { p[i] = i; } // want: unmapped
};
static void object_with_a_host_pointer(std::vector<int> &values) { for_each(10, Store{values.data()}); }

static void vector_without_its_elements(std::vector<int> &values) {
  int found = 0;
#pragma omp target map(to : values) map(from : found)
  found = values[3]; // want: unmapped
  show(found);
}

static void array_of_an_array(std::array<std::array<int, 4>, 4> &grid) {
  int *flat = &grid[0][0];
#pragma omp target teams distribute parallel for map(tofrom : flat[0 : 16])
  for (int i = 0; i < 16; i++) flat[i] = flat[(i + 4) % 16] + 1; // want: race
}

static void owned_by_a_pointer(int count) {
  std::unique_ptr<float[]> owned(new float[count]);
  float *p = owned.get();
#pragma omp target map(alloc : p[0 : count])
  p[0] = p[1]; // want: undefined
}

static void reference_to_a_variable() {
  int value = 1, &name = value;
#pragma omp target data map(to : name)
  {
    value = 5;
    int seen = 0;
#pragma omp target map(to : name) map(from : seen)
    seen = name; // want: stale
    show(seen);
  }
}

static void vector_on_the_host(std::vector<double> &values) {
  double *p = values.data();
  size_t count = values.size();
#pragma omp target enter data map(to : p[0 : count])
#pragma omp target teams distribute parallel for
  for (size_t i = 0; i < count; i++) p[i] = 2.5 * i;
  double sum = 0;
  for (double value : values) sum += value; // want: stale
  show(sum);
#pragma omp target exit data map(delete : p[0 : count])
}

struct Counter {
  int count = 0;
  void add(int by) { count += by; } // want: race
};
static void method_of_all() {
  Counter counter;
#pragma omp target teams distribute parallel for map(tofrom : counter)
  for (int i = 1; i < 20; i++) counter.add(i);
  show(counter.count > 0);
}

// Conforming.
static void mapped_with_its_elements(std::vector<double> &values) {
  double *p = values.data();
  int count = (int)values.size();
  double total = 0;
#pragma omp target data map(tofrom : p[0 : count])
  {
    for_each(count, [=](int i) { p[i] = i; });
#pragma omp target teams distribute parallel for reduction(+ : total)
    for (int i = 0; i < count; i++) total += p[i];
  }
  show(total + std::accumulate(values.begin(), values.end(), 0.0));
}

int main() {
  Field field(40);
  field.storage.reserve(50);
  field.data = field.storage.data();
  field.beyond(), field.not_mapped(), field.forgotten();
  std::vector<double> values(64, 1.0);
  std::vector<int> numbers(16, 1);
  double sum = 0;
  sum_of(values.data(), 64, sum);
  show(sum > 0);
  object_with_a_host_pointer(numbers), vector_without_its_elements(numbers);
  std::array<std::array<int, 4>, 4> grid = {};
  array_of_an_array(grid), owned_by_a_pointer(8), reference_to_a_variable(), vector_on_the_host(values), method_of_all();
  mapped_with_its_elements(values);
}
