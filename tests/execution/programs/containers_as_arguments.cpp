// Regions in templates whose arguments are the library's classes, which their kernels do not use otherwise.
#include <cstdio>
#include <deque>
#include <map>
#include <memory>
#include <string>
#include <vector>

template <class S> double total(const S &s) {
  const auto *p = s.data();
  double sum = 0;
#pragma omp target teams distribute parallel for map(to : p[0 : s.size()]) reduction(+ : sum)
  for (std::size_t i = 0; i < s.size(); ++i) {
    const typename S::value_type x = p[i];
    sum += x;
  }
  return sum;
}

template <class Table> void count(Table &table, const std::string &key, int n) {
  long sum = 0;
#pragma omp target map(tofrom : sum)
  for (int i = 0; i < n; i++) sum += i;
  table[key] += sum;
}

template <class... Containers> long sizes(const Containers &...all) {
  long sum = 0;
#pragma omp target map(tofrom : sum)
  sum += sizeof...(Containers);
  for (long size : {static_cast<long>(all.size())...}) sum += size;
  return sum;
}

template <class Owner> struct Field {
  Owner owner;
  int n;
  template <class Log> void step(Log &log) {
    int *p = &owner[0];
    Owner *none = nullptr;
#pragma omp target map(tofrom : p[0 : n])
    for (int i = 0; i < n; i++) p[i] += i + (none != nullptr);
    log.push_back(static_cast<char>('0' + p[1]));
  }
};

int main() {
  const std::vector<double> reals(100, 2.5);
  const std::string text = "ab";
  printf("%g %g\n", total(reals), total(text));
  std::map<std::string, long> table;
  count(table, "a", 10), count(table, text, 4), count(table, text, 4);
  printf("%ld %ld\n", table["a"], table["ab"]);
  printf("%ld\n", sizes(reals, table, std::deque<int>(7)));
  Field<std::unique_ptr<int[]>> field{std::make_unique<int[]>(5), 5};
  std::string log;
  field.step(log), field.step(log);
  printf("%d %s\n", field.owner[4], log.c_str());
  return 0;
}
